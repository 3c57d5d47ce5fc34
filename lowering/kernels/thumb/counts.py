"""Numbers of instructions of a kernel, counted from its operations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from operator import mul

from xdsl.ir import Block, Operation

from .control import FrameOp, KernelOp, LoopOp, UnlessOp, UntilOp, kept
from .instruction import Instruction
from .registers import number_of

_WRITTEN: dict[type[Operation], int] = {FrameOp: 2, UnlessOp: 2, UntilOp: 2}
"""Instructions that other operations are."""


class Counts:
    """Instructions by how many loops are around them, and moves around the kernel.

    There is one for each input and result in a register that it names; compilers choose others as they need.
    """

    def __init__(self, kernel: KernelOp):
        named = sum(number_of(value) >= 0 for value in kernel.body.block.args)
        self._by_depth = Counter({0: named + (len(kernel.yielded) if kernel.registers is None else 0)})
        self._count(kernel.body.block, 0)

    @property
    def standing(self) -> int:
        """Return how many instructions are written out."""
        return self._by_depth.total()

    def run(self, passes: Sequence[int]) -> int:
        """Return how many instructions run, where the loops from the outermost one on have so many passes."""
        often = accumulate(passes, mul, initial=1)
        return sum(times * self._by_depth[depth] for depth, times in enumerate(often))

    def _count(self, block: Block, depth: int) -> None:
        for op in block.ops:
            self._by_depth[depth] += op.COUNT if isinstance(op, Instruction) else _WRITTEN.get(op.__class__, 0)
            for region in op.regions:
                self._count(region.block, depth + isinstance(op, LoopOp))


counted = kept(Counts)
"""The numbers of a kernel that is kept, counted once."""
