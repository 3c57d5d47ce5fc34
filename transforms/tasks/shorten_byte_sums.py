"""The pass `shorten-byte-sums`: sums of scaled bytes in their shortest form.

They add, subtract or rescale quantised elements.
`saturate((x * k + y * m + c) >> s)` with factors of 32 bits gives what the definition gives, which rounds each
element, their sum, and the sum rescaled, for all pairs of bytes: this is tried, not derived. Each product is one
instruction (Arm: SMLAWB), which drops its lowest eight bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, ModuleOp, NoneAttr, i8, i32
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.simd.words import ScaleByteAddOp, ShiftSaturateOp
from ...dialects.task import NestOp
from ...lowering.builder import Loops
from ...lowering.tasks.function_block import function_block
from .byte_values import Values, exact_values, linear_value, wrapped
from .nests import nests_to_rewrite

_DROPPED = 8
"""Bits of a product."""
_LEAST_OPERATIONS = 5
"""Operations of a region from which on the short form is shorter."""
_MOST_OPERANDS = 2
_NEAR = 2.0**-9
"""Distance in results: sums that near to where the result changes tell whether factors fit."""
_STEPS = (0, 1, -1, 2, -2, 4, -4, 8, -8, 16, -16, 32, -32, 64, -64, 128, -128)
"""By which factors are changed, of the last place."""


class ShortenByteSumsPass(ModulePass):
    """Put one multiplication for each byte in the place of what a nest without a fold computes."""

    name: ClassVar[str] = "shorten-byte-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nest, form in nests_to_rewrite(op):
            if form.records:
                shorten_byte_sums(nest)


@dataclass(frozen=True)
class ByteSum:
    """`limited(saturate((sum(x * factor >> 8) + added) >> right))` of bytes with their sign."""

    factors: tuple[int, ...]
    added: int
    right: int
    least: int | None
    most: int | None
    """Limits, where saturation to a byte is not enough."""


def shorten_byte_sums(nest: NestOp) -> None:
    """Put the short form in the place of what a nest without a fold computes, where it is exact."""
    block = nest.finish.block
    found = _result(nest)
    if found is None or len(list(block.ops)) <= _LEAST_OPERATIONS:
        return
    result, unsigned = found
    if result in block.args:
        return
    count = len(block.args)
    grid = np.meshgrid(*[np.arange(-128, 128, dtype=np.int64)] * count, indexing="ij")
    # Bytes without a sign are 128 less, as they are in words.
    shifted = [each + 128 * is_unsigned for each, is_unsigned in zip(grid, unsigned, strict=True)]
    results = exact_values(block, result, [wrapped(each, 8) for each in shifted])
    if results is None or results.max() - results.min() > 255:
        return
    zero = 0 if results.min() >= -128 and results.max() <= 127 else 128
    if results.min() - zero < -128 or results.max() - zero > 127:
        return
    offsets = [128.0 * is_unsigned for is_unsigned in unsigned]
    linear = _linear(block, result, offsets, count)
    if linear is None:
        return
    *slopes, constant = linear
    made = fitted(results - zero, slopes, constant - zero)
    if made is not None:
        _put(nest, made, unsigned, zero)


def _result(nest: NestOp) -> tuple[SSAValue, list[bool]] | None:
    """The value narrowed to the only result, and whether each byte that is read has no sign; None for other nests."""
    reads, writes = nest.accesses("finish_reads"), nest.accesses("writes")
    if nest.fold.data or len(writes) != 1 or not 1 <= len(reads) <= _MOST_OPERANDS:
        return None
    for access in (*reads, *writes):
        buffer = access.buffer.type
        if not isinstance(buffer, MemRefType) or buffer.element_type != i8 or not isinstance(buffer.layout, NoneAttr):
            return None
    narrowed = nest.terminator(nest.finish).values[0].owner
    if not isinstance(narrowed, arith.TruncIOp) or narrowed.input.type != i32:
        return None
    unsigned: list[bool] = []
    for argument in nest.finish.block.args:
        kinds = {type(use.operation) for use in argument.uses}
        if len(kinds) != 1 or not kinds <= {arith.ExtSIOp, arith.ExtUIOp}:
            return None
        unsigned.append(kinds == {arith.ExtUIOp})
    return narrowed.input, unsigned


def _linear(block: Block, result: SSAValue, offsets: Sequence[float], count: int) -> list[float] | None:
    """Slopes and constant of a function of numbers; None if it is not linear."""

    def at(*numbers: float) -> float | None:
        return linear_value(block, result, [n + offset for n, offset in zip(numbers, offsets, strict=True)])

    origin = at(*[0.0] * count)
    if origin is None:
        return None
    slopes: list[float] = []
    for n in range(count):
        one = at(*[float(m == n) for m in range(count)])
        assert one is not None, "it is known at one point"
        slopes.append(one - origin)
    for numbers in product((-128.0, 127.0), repeat=count):
        value = at(*numbers)
        assert value is not None, "it is known at one point"
        if not math.isclose(value, origin + sum(a * b for a, b in zip(slopes, numbers, strict=True)), abs_tol=1e-6):
            return None
    return [*slopes, origin]


def fitted(results: Values, slopes: Sequence[float], constant: float) -> ByteSum | None:
    """Numbers that give the same results for all bytes; None if none were found.

    Args:
        results: from -128 to 127; an axis of 256 for each operand, from -128 on.
        slopes: of the linear function that they are near to.
        constant: what that is at zero.
    """
    largest = sum(abs(slope) for slope in slopes) * 128 + abs(constant) + 2
    steepest = max(abs(slope) for slope in slopes)
    if not 2.0**-20 < steepest < 2.0**20:
        return None
    right = min(31, math.floor(31 - math.log2(largest)), math.floor(31 - _DROPPED - math.log2(steepest)) - 1)
    if right < 1:
        return None
    exact = [slope * 2.0 ** (right + _DROPPED) for slope in slopes]
    near = _near(results, slopes, constant)
    for factors in _candidates(exact):
        if _room(results, factors, right, near) is None:
            continue
        room = _room(results, factors, right)
        if room is None:
            continue
        added = (room[0] + room[1]) // 2
        sums = _sums(factors) + added
        if sums.min() < -(2**31) or sums.max() >= 2**31 or not -(2**31) <= added < 2**31:
            continue
        given = np.clip(sums >> right, -128, 127)
        least, most = int(results.min()), int(results.max())
        limits = (least if given.min() < least else None, most if given.max() > most else None)
        return ByteSum(tuple(factors), added, right, *limits)
    return None


def _candidates(exact: Sequence[float]) -> Iterator[list[int]]:
    rounded = [round(factor) for factor in exact]
    steps = sorted(product(_STEPS, repeat=len(exact)), key=lambda each: sum(abs(step) for step in each))
    for each in steps:
        found = [factor + step for factor, step in zip(rounded, each, strict=True)]
        if all(-(2**31) <= factor < 2**31 for factor in found):
            yield found


def _sums(factors: Sequence[int]) -> Values:
    """Sums of the bytes' products."""
    bytes = np.arange(-128, 128, dtype=np.int64)
    first, *others = [(bytes * factor) >> _DROPPED for factor in factors]
    return first if not others else first[:, None] + others[0][None, :]


def _near(results: Values, slopes: Sequence[float], constant: float) -> tuple[Values, ...]:
    """Where the linear function is nearly between two results."""
    bytes = np.arange(-128, 128)
    sums = bytes * slopes[0] + constant
    if len(slopes) > 1:
        sums = sums[:, None] + bytes[None, :] * slopes[1]
    distance = np.abs(sums - np.floor(sums) - 0.5)
    return np.nonzero((distance < _NEAR) & (sums > results.min() - 1) & (sums < results.max() + 1))


def _room(
    results: Values, factors: Sequence[int], right: int, where: tuple[Values, ...] | None = None
) -> tuple[int, int] | None:
    """The least and the largest number to add with which all results are right; None if there is none."""
    least, most = int(results.min()), int(results.max())
    if where is None:
        sums, wanted = _sums(factors).reshape(-1), results.reshape(-1)
    else:
        products = (
            (axis.astype(np.int64) - 128) * factor >> _DROPPED for axis, factor in zip(where, factors, strict=True)
        )
        sums, wanted = sum(products, np.zeros(len(where[0]), np.int64)), results[where]
    below, above = (wanted > least, wanted < most)
    low = int(((wanted << right) - sums)[below].max(initial=-(2**40)))
    high = int((((wanted + 1) << right) - 1 - sums)[above].min(initial=2**40))
    return (low, high) if low <= high else None


def _put(nest: NestOp, made: ByteSum, unsigned: Sequence[bool], zero: int) -> None:
    """The operations of a sum in the place of those of a nest; `zero` is added to the result."""
    block, k = nest.finish.block, Loops.in_block(function_block(nest))
    yielded = nest.terminator(nest.finish)
    dead = [op for op in block.ops if op is not yielded]
    k.builder.insertion_point = InsertPoint.before(yielded)
    total = k.value(made.added, i32)
    for argument, factor, is_unsigned in zip(block.args, made.factors, unsigned, strict=True):
        wide = k.sub(k.extend_unsigned(argument, i32), 128) if is_unsigned else k.extend(argument)
        total = k.emit(ScaleByteAddOp(k.value(wide, i32), k.value(factor, i32), total), "sum")
    result = k.emit(ShiftSaturateOp(total, right=made.right, bits=8))
    if made.least is not None:
        result = k.value(k.max(result, made.least), i32)
    if made.most is not None:
        result = k.value(k.min(result, made.most), i32)
    yielded.operands[0] = k.narrow(k.value(k.add(result, zero), i32), i8)
    for op in reversed(dead):
        Rewriter.erase_op(op)
