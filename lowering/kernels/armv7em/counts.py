"""Numbers of instructions of a kernel, counted from its operations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from xdsl.ir import Block

from .control import FrameOp, KernelOp, LoopOp, UntilOp
from .instruction import Instruction
from .registers import number_of


class Counts:
    """Instructions by how many loops are around them, and moves around the kernel.

    There is one for each input and result in a register that it names; compilers choose others as they need.
    """

    def __init__(self, kernel: KernelOp):
        self._by_depth = Counter[int]()
        self._count(kernel.body.block, 0)
        values = (*kernel.body.block.args, *kernel.yielded)
        self._around = sum(number_of(value) >= 0 for value in values)

    @property
    def standing(self) -> int:
        """Return how many instructions are written out."""
        return self._around + self._by_depth.total()

    def run(self, passes: Sequence[int]) -> int:
        """Return how many instructions run, where the loops from the outermost one on have so many passes."""
        total, often = self._around + self._by_depth[0], 1
        for depth, count in enumerate(passes, 1):
            often *= count
            total += often * self._by_depth[depth]
        return total

    def _count(self, block: Block, depth: int) -> None:
        for op in block.ops:
            if isinstance(op, Instruction):
                self._by_depth[depth] += 1
            elif isinstance(op, FrameOp):
                self._by_depth[depth] += 2
                self._count(op.body.block, depth)
            elif isinstance(op, LoopOp):
                self._count(op.body.block, depth + 1)
            elif isinstance(op, UntilOp):
                self._by_depth[depth] += 2
