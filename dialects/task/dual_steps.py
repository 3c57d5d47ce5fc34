"""The steps `dual`, `single` and `swar`, and what they ask of the rest of a schedule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..simd.tiles import SWAR_CHANNELS, SWAR_POINTS
from ..simd.words import NIBBLES
from .code import Collect
from .dual import Direct, DualPlan, InWords, allows_direct, is_direct
from .loop import Loop
from .step import Flag
from .structure import Nest


@dataclass(frozen=True)
class Dual(InWords):
    """Fold points run in pairs, as products of two 16-bit lanes in one instruction.

    The operand that is constant is packed at compile time in the order of its use, zero points are folded into where
    the sums start, and the other one is copied before the loops over what it does not depend on. Of a zero point that
    the step reads, a number of the elements' type, the products with the weights are taken off the sums at their end.
    """

    lanes = 2
    beside = (Collect, Direct)

    bytes: Flag = False
    """Whether the packed constant is bytes, those of two channels in a word: half the memory, more instructions. With
    `direct` that is not jammed they are of one channel."""
    nibbles: Flag = False
    """Whether it is numbers of four bits, those of four channels in a word: a quarter of the memory."""
    both: Flag = False
    """Whether both operands are copied into words, less their zero points, as where neither is constant."""

    def _check_jammed(self, nest: Nest, plan: DualPlan, jammed: Sequence[Loop], channels: Sequence[Loop]) -> None:
        direct = is_direct(nest)
        if self.both and direct:
            raise ValueError("direct: with dual of two factors that are no constants both are copied")
        if direct and not allows_direct(nest, plan):
            raise ValueError("direct: the fold does not walk along whole words of bytes")
        if direct and (self.unroll % 2 or len(channels) < len(jammed)):
            raise ValueError("direct: an even number of words in a round, and only the packed constant is jammed")
        if self.bytes and not (direct and not channels) and not _fills_words(nest, channels, 2):
            raise ValueError(
                "dual: bytes are of two channels each: jam an even number of them, or all, or none with direct"
            )
        if self.nibbles and not _fills_words(nest, channels, NIBBLES):
            raise ValueError(f"dual: {NIBBLES} channels share a word of nibbles: jam a multiple of that, or all")


@dataclass(frozen=True)
class Single(InWords):
    """Products as with `dual`, but a word is one element in its own width: one product at a time, for any processor."""

    lanes = 1
    beside = (Collect,)

    unsigned: Flag = False
    """Whether elements of both factors lie in memory raised to what is not negative, for processors that load unsigned
    bytes in fewer instructions. What this adds to the sums is in where they start."""


@dataclass(frozen=True)
class Swar(InWords):
    """Products as with `single`, with a weight of two channels in each packed word: one product adds to the sums of
    both.

    These share a word for two fold points, after which they are taken apart. The other operand is copied into words of
    one element each. The products of two fold points must fit 16 bits with their sign, whatever the elements.
    """

    unroll: int = SWAR_POINTS
    lanes = 1
    beside = (Collect,)
    swar = True

    def _check_jammed(self, nest: Nest, plan: DualPlan, jammed: Sequence[Loop], channels: Sequence[Loop]) -> None:
        of_packed = nest.dims_of_read(plan.packed.read)
        if not jammed and any(nest.extents[dim] > 1 for dim in of_packed if dim < len(nest.space.data)):
            raise ValueError(f"swar: a word is of two channels: jam {SWAR_CHANNELS} of them, or all of fewer")
        for loop in jammed:
            if loop.reverse:
                raise ValueError(f"reverse {loop.name}: with swar channels that are jammed run in order")
            if loop.dim in plan.staged_dims:
                raise ValueError(f"jam {loop.name}: with swar only the packed constant is jammed")
            if loop.extent != min(SWAR_CHANNELS, nest.extents[loop.dim]):
                raise ValueError(f"jam {loop.name}: with swar {SWAR_CHANNELS} channels are jammed, or all of fewer")


def _fills_words(nest: Nest, channels: Sequence[Loop], count: int) -> bool:
    """Whether channels of which `count` share a word are jammed so that no two blocks share one."""
    return any(loop.extent % count == 0 or loop.extent == nest.extents[loop.dim] for loop in channels)
