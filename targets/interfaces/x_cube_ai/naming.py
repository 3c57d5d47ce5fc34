"""The names of the `x-cube-ai` interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..ai import Ai
from ..description import Side


@dataclass(frozen=True)
class XCubeAiNames(Ai):
    """A description seen through ST's API: one workspace pool is the activations, state is part of the context."""

    style: ClassVar[str] = "x-cube-ai"
    success: ClassVar[int] = 1
    pool_alignment: ClassVar[int] = 4
    """Alignment that CubeMX's applications give the activations: AI_ALIGNED(4)."""
    refuses: ClassVar[frozenset[str]] = Ai.refuses | {"--external"}

    @property
    def stai_upper(self) -> str:
        """The prefix of ST Edge AI's macros."""
        return f"ST{self.upper}"

    @property
    def function(self) -> str:
        """The prefix of X-CUBE-AI's functions."""
        return f"ai_{self.stem}"

    @property
    def descriptor(self) -> str:
        return f"{self.stem}_st_model"

    @property
    def instance(self) -> str:
        return f"{self.stem}_st_instance"

    @property
    def buffers(self) -> str:
        """The static inputs and outputs of the static handle."""
        return f"{self.stem}_st_buffers"

    @property
    def memories(self) -> str:
        """The static activations and weights of the static handle, as buffers."""
        return f"{self.stem}_st_memories"

    @property
    def run_function(self) -> str:
        return f"{self.function}_run"

    @property
    def static_run(self) -> str:
        return f"{self.stem}_st_run"

    @property
    def reset_function(self) -> str:
        return f"{self.stem}_st_reset"

    @property
    def context_type(self) -> str:
        return "stillpool_st_context"

    @property
    def context_alignment(self) -> int:
        """Alignment of a context, in bytes."""
        return max(8, self.state.alignment if self.state is not None else 0)

    def data(self, side: Side, index: int) -> str:
        number = index + (len(self.model.inputs) if side == "output" else 0)
        tensor = self.model.side(side)[index]
        if tensor.pool is None:
            return f"network->data[{number}]"
        return f"stillpool_st_place(network, &{self.stem}_st_tensors[{number}])"

    @property
    def reserved(self) -> frozenset[str]:
        words = ["model", "instance", "buffers", "tensors", "infos", "run", "reset", "of", "memories"]
        words += ["memory_infos", "memory_0_shape", "memory_1_shape"]
        numbers = range(len(self.model.inputs) + len(self.model.outputs))
        parts = ("bcwh", "shape", "scale", "zero_point", "zero_point_16", "intq", "list", "meta")
        of_tensors = (f"{self.stem}_st_{number}_{part}" for number in numbers for part in parts)
        return super().reserved | {*(f"{self.stem}_st_{word}" for word in words), *of_tensors}
