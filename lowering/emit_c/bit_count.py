"""Counting bits, for which C99 has no function: branch-free arithmetic on 32 bits.

Source: H. S. Warren, Hacker's Delight, 2nd edition, 5-1 to 5-4.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import math
from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from .builder import Builder
from .lowering import Lowering, Patterns
from .types import bits, c_type, is_bool, unsigned

_WORD = unsigned(i32)


def _ones(build: Builder, word: SSAValue) -> SSAValue:
    """Number of bits set: sums of neighbouring fields of 1, 2, 4 bits, then of the four bytes."""

    def masked(value: SSAValue, mask: int) -> SSAValue:
        return build.binary("&", value, build.constant(mask, _WORD), _WORD)

    def shifted(value: SSAValue, amount: int) -> SSAValue:
        return build.binary(">>", value, build.constant(amount, i32), _WORD)

    pairs = build.binary("-", word, masked(shifted(word, 1), 0x55555555), _WORD)
    nibbles = build.binary("+", masked(pairs, 0x33333333), masked(shifted(pairs, 2), 0x33333333), _WORD)
    bytes = masked(build.binary("+", nibbles, shifted(nibbles, 4), _WORD), 0x0F0F0F0F)
    return shifted(build.binary("*", bytes, build.constant(0x01010101, _WORD), _WORD), 24)


def _leading_zeros(build: Builder, word: SSAValue, width: int) -> SSAValue:
    """Width minus the number of bits at or below the highest one."""
    for distance in (1, 2, 4, 8, 16):
        lower = build.binary(">>", word, build.constant(distance, i32), _WORD)
        word = build.binary("|", word, lower, _WORD)
    return build.binary("-", build.constant(width, _WORD), _ones(build, word), _WORD)


def _trailing_zeros(build: Builder, word: SSAValue, width: int) -> SSAValue:
    """Number of bits below the lowest one: those set in `~x & (x - 1)`, of which no more than the width count."""
    if width < 32:
        word = build.binary("|", word, build.constant(1 << width, _WORD), _WORD)
    ones = build.constant(-1, _WORD)
    below = build.binary("+", word, ones, _WORD)
    below = build.binary("&", build.binary("^", word, ones, _WORD), below, _WORD)
    return _ones(build, below)


_COUNTS: dict[type[Operation], Callable[[Builder, SSAValue, int], SSAValue]] = {
    math.CtPopOp: lambda build, word, width: _ones(build, word),
    math.CountLeadingZerosOp: _leading_zeros,
    math.CountTrailingZerosOp: _trailing_zeros,
}
"""What is counted of the operand, zero-extended to 32 bits, and of its width."""


def _count(op: math.CtPopOp | math.CountLeadingZerosOp | math.CountTrailingZerosOp, at: Lowering) -> None:
    type = c_type(op.result.type)
    if is_bool(type) or bits(type) > 32:
        raise PassFailedException(f"'{op.name}' op on {type} cannot be lowered to C: 8, 16 and 32 bits can")
    word = at.build.cast(at.build.cast(at.value(op.operand), unsigned(type)), _WORD)
    at.define(op.result, at.build.cast(_COUNTS[op.__class__](at.build, word, bits(type)), type))


PATTERNS: Patterns = dict.fromkeys(_COUNTS, _count)
