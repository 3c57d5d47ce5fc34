"""The names of the `ai` interface, and what of a model it can express."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ....errors import UsageError
from ...identifiers import macro_stem
from ..description import Pool, Side, Tensor
from ..interface import Asked
from ..native import Native


@dataclass(frozen=True)
class AiNames(Native):
    """A description seen through `ai_runtime_api.h`.

    The first workspace pool is the activations; state lies in the handle, and constants are built in. What the native
    interface calls pools and codes is only used within the model's file.
    """

    style: ClassVar[str] = "ai"
    has_structs: ClassVar[bool] = False
    builds_constants_in: ClassVar[bool] = True
    refuses: ClassVar[frozenset[str]] = frozenset({"--io double-buffer", "--io released-callback", "--profile-hooks"})

    @classmethod
    def check(cls, asked: Asked) -> None:
        super().check(asked)
        pools = asked.workspace_pools
        if len(pools) > 1 and not asked.builtin_pools:
            raise UsageError(
                f"the interface '{cls.style}' has one activations buffer, and there are {len(pools)} workspace pools: "
                + ", ".join(pools),
                remedy="name one --pool, or build them in with --builtin-pools",
            )

    def builds_in(self, pool: Pool) -> bool:
        return pool.kind == "constant" or (self.builtin_pools and not pool.persistent)

    @property
    def activations(self) -> Pool | None:
        """The pool that the activations are; None where the network needs none."""
        pools = [pool for pool in self.model.workspace_pools if not pool.persistent]
        return pools[0] if pools else None

    @property
    def state(self) -> Pool | None:
        """The pool of what the model keeps, which is part of the handle."""
        pools = [pool for pool in self.model.workspace_pools if pool.persistent and self.model.states_in(pool)]
        return pools[0] if pools else None

    @property
    def upper(self) -> str:
        return f"AI_{macro_stem(self.model.identifier)}"

    @property
    def run_function(self) -> str:
        return f"{self.stem}_ai_run"

    @property
    def static_run(self) -> str:
        """The static function that calls the network on a handle."""
        return self.run_function

    @property
    def reset_function(self) -> str:
        """The static function that sets the state."""
        return f"{self.stem}_ai_reset"

    @property
    def descriptor(self) -> str:
        """The model's `ai_model_info`."""
        return f"ai_{self.stem}_model"

    @property
    def instance(self) -> str:
        """The static handle."""
        return f"{self.stem}_ai_instance"

    @property
    def device_names(self) -> str:
        """The array with the names of the devices."""
        return f"{self.stem}_ai_devices"

    @property
    def context_type(self) -> str:
        """The type of what a handle points to."""
        return "ai_network"

    def data(self, side: Side, index: int) -> str:
        """Address of an input or output of the handle `network`, as C."""
        return f"network->{side}s[{index}].dltensor.data"

    def io_macro(self, side: Side, tensor: Tensor, what: str) -> str:
        """X-CUBE-AI counts inputs and outputs from 1."""
        number = self.model.side(side).index(tensor) + 1
        return f"{self.upper}_{'IN' if side == 'input' else 'OUT'}_{number}_{what}"

    @property
    def reserved(self) -> frozenset[str]:
        words = ("ai_run", "ai_reset", "ai_instance", "ai_handle", "ai_entry", "ai_inputs", "ai_outputs", "ai_devices")
        sides = [
            f"{self.stem}_ai_{side}_{number}_{part}"
            for side in ("input", "output")
            for number in range(max(len(self.model.inputs), len(self.model.outputs)))
            for part in ("shape", "scale", "zero_point", "quant")
        ]
        return super().reserved | {self.descriptor, *(f"{self.stem}_{word}" for word in words), *sides}
