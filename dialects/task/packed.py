"""The step `packed`: four points side by side as the bytes of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ..simd.words import BYTES
from .code import Code, Whole
from .join import bytes_lie_along
from .loop import Loop, jammed_alone
from .structure import Nest

_EXTREMES = (arith.MaxSIOp, arith.MinSIOp)


@dataclass(frozen=True)
class Extreme:
    """A fold that finds the largest or the smallest byte."""

    is_maximum: bool
    unsigned: bool
    start: int
    """Byte that it is compared with first, a byte as the others."""
    limits: tuple[tuple[bool, int], ...]
    """Bytes that its result is compared with, in order: whether the larger one stays, and the byte."""


def word_reads(nest: Nest, group: str, dim: int) -> frozenset[int]:
    """The reads of a region, by number, of bytes that lie side by side along a dimension of the space."""
    accesses = nest.accesses(group)
    return frozenset(number for number, access in enumerate(accesses) if bytes_lie_along(nest, access, dim))


def moves_bytes(nest: Nest, dim: int) -> bool:
    """Whether a nest only writes what it reads, bytes side by side along a dimension of the space on both sides."""
    reads, block = word_reads(nest, "finish_reads", dim), nest.finish.block
    if nest.fold.data or not all(bytes_lie_along(nest, access, dim) for access in nest.accesses("writes")):
        return False
    given = nest.terminator(nest.finish).values
    return all(isinstance(value, BlockArgument) and value.block is block and value.index in reads for value in given)


def extreme_of(nest: Nest, dim: int) -> Extreme | None:
    """Return the extreme of a nest that folds bytes, neighbours along a dimension of the space; else None."""
    if (
        len(nest.accumulators) != 1
        or len(nest.step_reads) != 1
        or len(nest.writes) != 1
        or nest.start_reads
        or nest.finish_reads
    ):
        return None
    (write,), total = nest.accesses("writes"), nest.step.block.args[1]
    if not bytes_lie_along(nest, write, dim) or not word_reads(nest, "step_reads", dim) or total.type != i32:
        return None
    step = nest.terminator(nest.step).values[0].owner
    start = const_evaluate_operand(nest.accumulators[0])
    if not isinstance(step, _EXTREMES) or start is None or total not in step.operands:
        return None
    wide = (step.rhs if step.lhs is total else step.lhs).owner
    if not isinstance(wide, arith.ExtSIOp | arith.ExtUIOp) or wide.input is not nest.step.block.args[0]:
        return None
    unsigned = isinstance(wide, arith.ExtUIOp)
    limits = _limits(nest.terminator(nest.finish).values[0], nest.finish.block)
    least, most = (0, 255) if unsigned else (-128, 127)
    if limits is None or not all(least <= byte <= most for byte in (start, *(byte for _, byte in limits))):
        return None
    return Extreme(isinstance(step, arith.MaxSIOp), unsigned, start, limits)


class Packed(Code):
    """Four points that run side by side are the bytes of words, as far as they are read or written side by side.

    A fold to the largest or smallest byte compares four at once; without a fold words are taken apart into lanes of 16
    bits, which multiplications read as they are.
    """

    beside = (Whole,)

    def check(self, nest: Nest, loops: Sequence[Loop]) -> None:
        why = f"packed: one dimension is jammed, with {BYTES} points in order"
        dim = jammed_alone(loops, lambda loop: loop.extent == BYTES and not loop.clamped, why).dim
        name = nest.space.names[dim]
        if nest.fold.data:
            if extreme_of(nest, dim) is None:
                raise ValueError(f"packed: the fold does not find the extreme of bytes side by side along {name}")
        elif not word_reads(nest, "finish_reads", dim):
            raise ValueError(f"packed: no bytes are read that lie side by side along {name}")


def _limits(result: SSAValue, block: Block) -> tuple[tuple[bool, int], ...] | None:
    """Return the limits of the accumulator on its way to a result that is narrowed; None if more is done to it."""
    if not isinstance(result.owner, arith.TruncIOp):
        return None
    value, found = result.owner.input, list[tuple[bool, int]]()
    while isinstance(owner := value.owner, _EXTREMES):
        if (limit := const_evaluate_operand(owner.rhs)) is None:
            return None
        found.append((isinstance(owner, arith.MaxSIOp), limit))
        value = owner.lhs
    is_accumulator = isinstance(value, BlockArgument) and value.block is block
    return tuple(reversed(found)) if is_accumulator else None
