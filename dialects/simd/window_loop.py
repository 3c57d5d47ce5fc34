"""Loops over blocks of four channels in which a window is summed, rescaled and stored, and nothing else is done."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from .taps import ScaleBytesOp, SumTapsOp, words_of_taps
from .words import BYTES

MOST_WRITTEN_OUT = 25
"""Taps of a window in one memref: the text of more is longer than C99 lets a string be."""
MOST_OF_ROWS = 24
"""Taps of a window in several memrefs, whose text loads weights twice."""


_INDICES = (arith.ConstantOp, arith.AddiOp, arith.SubiOp, arith.MuliOp)


@dataclass(frozen=True)
class WindowLoop:
    """Loop over windows: each pass takes the next four channels and their words, or those before."""

    loop: scf.ForOp
    sums: SumTapsOp
    scale: ScaleBytesOp
    first: int
    """The counter's first value."""
    blocks: int
    """Passes; at least two."""
    backward: bool

    @staticmethod
    def of(loop: scf.ForOp) -> WindowLoop | None:
        """Return the loop as one of this kind; None if it is of another one."""
        first, end, step = (const_evaluate_operand(bound) for bound in (loop.lb, loop.ub, loop.step))
        if first is None or end is None or not step or loop.results or (blocks := -(-(end - first) // step)) < 2:
            return None
        body = loop.body.block
        sums = next((op for op in body.ops if isinstance(op, SumTapsOp)), None)
        scale = next((op for op in body.ops if isinstance(op, ScaleBytesOp)), None)
        if sums is None or scale is None:
            return None
        for backward in (False, True):
            found = WindowLoop(loop, sums, scale, first, blocks, backward)
            if found._is_alone() and found._walks(step):
                return found
        return None

    @property
    def taps(self) -> int:
        """Number of taps of the window."""
        return len(self.sums.places.get_values())

    @property
    def words(self) -> int:
        """Number of words of one pass."""
        return words_of_taps(self.taps) + self.scale.rescaling.record * BYTES

    def _is_alone(self) -> bool:
        """Whether nothing but the window and its ends, and what their indices are made of, stands in the loop."""
        sums, scale = self.sums, self.scale
        apart = [op for op in self.loop.body.block.ops if not isinstance(op, _INDICES)]
        return (
            [type(op) for op in apart] == [memref.AllocaOp, SumTapsOp, ScaleBytesOp, scf.YieldOp]
            and apart[0] is sums.sums.owner
            and sums.sums is scale.sums
            and (sums.words, sums.first_word) == (scale.words, scale.first_word)
            and scale.skipped.value.data == words_of_taps(self.taps)
            # Products of floats are longer texts.
            and self.taps + scale.rescaling.is_real <= (MOST_OF_ROWS if sums.beside else MOST_WRITTEN_OUT)
        )

    def _walks(self, step: int) -> bool:
        """Whether each pass takes what lies behind that of the one before, or in front of it."""
        indices = [*self.sums.indices, *self.scale.indices, self.sums.first_word]
        step = -step if self.backward else step
        slopes = [slope(index, self.loop.body.block) for index in indices]
        channels, results = ([0] * (len(op.indices) - 1) + [BYTES] for op in (self.sums, self.scale))
        return [one and one * step for one in slopes] == [*channels, *results, self.words]


def slope(value: SSAValue, body: Block) -> int | None:
    """By how much an index grows with the counter of a loop; None if that changes."""
    if value is body.args[0]:
        return 1
    owner = value.owner
    if isinstance(owner, Block) or owner.parent is not body or isinstance(owner, arith.ConstantOp):
        # What the loop carries changes.
        return None if owner is body else 0
    if not isinstance(owner, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        return None
    left, right = (slope(operand, body) for operand in owner.operands)
    if left is None or right is None:
        return None
    if not isinstance(owner, arith.MuliOp):
        return left - right if isinstance(owner, arith.SubiOp) else left + right
    factors = [const_evaluate_operand(operand) for operand in owner.operands]
    for own, factor in ((left, factors[1]), (right, factors[0])):
        if factor is not None:
            return own * factor
    return 0 if left == right == 0 else None
