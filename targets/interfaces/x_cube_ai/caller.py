"""C text of programs that call a model through X-CUBE-AI's functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..ai.caller import MARGIN, AiCaller
from ..caller import Memory, Refusal, Watched
from ..description import Side, Tensor
from .naming import XCubeAiNames


@dataclass(frozen=True)
class XCubeAiCaller(AiCaller):
    """The handle is `network`, the buffer `activations`; what the caller owns is `input_<t>` and `output_<t>`."""

    ai: XCubeAiNames

    def setup(self, *, guarded: bool = False) -> list[str]:
        lines = ["ai_handle network = AI_HANDLE_NULL;", f"ai_handle addresses[] = {{{self._start(guarded)}}};"]
        return [*lines, *self._created()]

    def _created(self) -> list[str]:
        """Statements that create the handle, which sets its state too."""
        f = self.ai.function
        owned = [
            f"{f}_{side}s_get(network, NULL)[{index}].data = {side}_{tensor.identifier};"
            for side, index, tensor in self._owned()
        ]
        return [f"(void){self._create()};", *owned]

    def _create(self, start: str = "", less: str = "") -> str:
        return f"{self.ai.function}_create_and_init(&network, addresses, NULL).type"

    def reset(self) -> list[str]:
        return self._created() if self.ai.has_reset else []

    def call(self) -> str:
        return f"({self.ai.function}_run(network, NULL, NULL) == 1 ? 0 : -1)"

    def elements(self, side: Side, tensor: Tensor) -> str:
        index = self.ai.model.side(side).index(tensor)
        return f"(({tensor.c_type} *){self.ai.function}_{side}s_get(network, NULL)[{index}].data)"

    def watched(self) -> list[Watched]:
        if self._outer is None:
            return []
        start = self._start(guarded=True)
        restore = (f"addresses[0] = {start};", *self._created())
        size = f"{self.ai.upper}_DATA_ACTIVATIONS_SIZE"
        return [Watched("activations", "activations", MARGIN, size, tuple(self._refusals(start)), restore)]

    def _refusals(self, start: str) -> Iterator[Refusal]:
        assert self._outer is not None, "there are activations"
        cases = [("null", "NULL"), *([("misaligned", f"{start} + 1")] if self._outer.alignment > 1 else [])]
        for word, address in cases:
            before = (f"addresses[0] = {address};",)
            yield Refusal(f"a {word} activations buffer", before, f"(int32_t){self._create()}", "AI_ERROR_INIT_FAILED")

    def memories(self) -> list[Memory]:
        ai = self.ai
        count = max(1, len(ai.model.inputs) + len(ai.model.outputs))
        buffers = Memory(ai.buffers, 28 * count, f".bss.{ai.buffers}", f"inputs and outputs of '{ai.model.name}'")
        return [*super().memories(), buffers]

    def _handle_bytes(self) -> int:
        """The handle's size where pointers have four bytes, as on the processors that are emulated."""
        size = 20 + 4 * max(1, len(self.ai.model.inputs) + len(self.ai.model.outputs))
        state = self.ai.state
        if state is None:
            return size
        return -(-(-(-size // state.alignment) * state.alignment + state.bytes) // state.alignment) * state.alignment
