"""C text of programs that call a model through the `ai` interface."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..caller import Caller, Memory, Refusal, Watched, margin
from ..description import Pool, Side, Tensor
from .naming import AiNames

MARGIN = "ACTIVATIONS_MARGIN"
"""The macro with the bytes on both sides of guarded activations."""


@dataclass(frozen=True)
class AiCaller(Caller):
    """The handle is `network`, the buffer `activations`; what the caller owns is `input_<t>` and `output_<t>`."""

    ai: AiNames

    @property
    def include(self) -> str:
        return self.ai.header_name

    @property
    def _outer(self) -> Pool | None:
        """The pool that the application passes in."""
        pool = self.ai.activations
        return pool if pool is not None and pool.bytes and not self.ai.builds_in(pool) else None

    def storage(self, *, guarded: bool = False, hook: str = "") -> str:
        lines: list[str] = []
        if self._outer is not None:
            size = f"{self.ai.upper}_DATA_ACTIVATIONS_SIZE"
            if guarded:
                lines.append(f"#define {MARGIN} {margin(self._outer)}")
                size += f" + 2 * {MARGIN}"
            lines.append(f"AI_ALIGNED({self.ai.upper}_DATA_ACTIVATIONS_ALIGN)")
            lines.append(f"static uint8_t activations[{size}];")
        for side, _, tensor in self._owned():
            lines.append(f"static {tensor.c_type} {side}_{tensor.identifier}[{tensor.count}];")
        return "".join(f"{line}\n" for line in lines)

    def _owned(self) -> Iterator[tuple[Side, int, Tensor]]:
        for side in ("input", "output"):
            for index, tensor in enumerate(self.ai.model.side(side)):
                if tensor.pool is None:
                    yield side, index, tensor

    def setup(self, *, guarded: bool = False) -> list[str]:
        lines = ["ai_handle network = AI_HANDLE_NULL;", f"(void){self._create(self._start(guarded))};"]
        lines += [
            f"ai_get_{side}(network, {index})->dltensor.data = {side}_{tensor.identifier};"
            for side, index, tensor in self._owned()
        ]
        return lines

    def _start(self, guarded: bool) -> str:
        if self._outer is None:
            return "NULL"
        return f"activations + {MARGIN}" if guarded else "activations"

    def _create(self, start: str, less: str = "") -> str:
        size = f"{self.ai.upper}_DATA_ACTIVATIONS_SIZE{less}"
        return f"ai_create_sized(&{self.ai.descriptor}, {start}, {size}, &network)"

    def reset(self) -> list[str]:
        return ["(void)ai_reset(network);"] if self.ai.has_reset else []

    def call(self) -> str:
        return "(int32_t)ai_run(network)"

    def elements(self, side: Side, tensor: Tensor) -> str:
        index = self.ai.model.side(side).index(tensor)
        return f"(({tensor.c_type} *)ai_get_{side}(network, {index})->dltensor.data)"

    def watched(self) -> list[Watched]:
        if self._outer is None:
            return []
        start = self._start(guarded=True)
        restore = ("(void)ai_destroy(network);", f"(void){self._create(start)};")
        size = f"{self.ai.upper}_DATA_ACTIVATIONS_SIZE"
        return [Watched("activations", "activations", MARGIN, size, tuple(self._refusals(start)), restore)]

    def _refusals(self, start: str) -> Iterator[Refusal]:
        assert self._outer is not None, "there are activations"
        cases = [("null", self._create("NULL")), ("small", self._create(start, " - 1"))]
        if self._outer.alignment > 1:
            cases.append(("misaligned", self._create(f"{start} + 1")))
        for word, call in cases:
            before = ("(void)ai_destroy(network);",)
            yield Refusal(f"a {word} activations buffer", before, call, "AI_STATUS_ERROR")

    def memories(self) -> list[Memory]:
        ai = self.ai
        arrays = [Memory(ai.instance, self._handle_bytes(), f".bss.{ai.instance}", f"handle of '{ai.model.name}'")]
        for pool in (pool for pool in ai.model.workspace_pools if not pool.persistent):
            symbol = self._symbol(pool)
            section = pool.section if ai.builds_in(pool) and pool.section else f".bss.{symbol}"
            if ai.builds_in(pool) or pool.bytes:
                arrays.append(Memory(symbol, max(pool.bytes, 1), section, f"pool '{pool.name}'"))
        for side, _, tensor in self._owned():
            symbol = f"{side}_{tensor.identifier}"
            arrays.append(Memory(symbol, tensor.bytes, f".bss.{symbol}", f"{side} '{tensor.name}'"))
        return arrays

    def _handle_bytes(self) -> int:
        """The handle's size where pointers have four bytes, as on the processors that are emulated."""
        network, tensor = 32, 48
        size = network + tensor * (len(self.ai.model.inputs) + len(self.ai.model.outputs))
        size = -(-(size + 4 * len(self.ai.devices)) // 8) * 8
        state = self.ai.state
        if state is None:
            return size
        alignment = max(8, state.alignment)
        return -(-(-(-size // alignment) * alignment + state.bytes) // alignment) * alignment

    def place(self, side: Side, tensor: Tensor) -> tuple[str, int]:
        if tensor.pool is None:
            return f"{side}_{tensor.identifier}", 0
        pool = next(pool for pool in self.ai.model.pools if pool.name == tensor.pool)
        assert tensor.offset is not None, "a tensor in a pool has an offset"
        return self._symbol(pool), tensor.offset

    def _symbol(self, pool: Pool) -> str:
        return self.ai.builtin_pool(pool) if self.ai.builds_in(pool) else "activations"
