"""Values of a channel after functions of single elements, choices and resized images: in plain integers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import i1, i16, i32
from xdsl.ir import Operation, SSAValue

from ....dialects.nn.activation import AbsOp, LeakyReluOp, TableOp
from ....dialects.nn.element_functions import Binary, BinaryOp
from ....dialects.nn.elementwise import AddNOp, PreluOp, SquaredDifferenceOp
from ....dialects.nn.gather import GatherNdOp, GatherOp
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.quantisation import Quantisation
from ....dialects.nn.quantise import CastOp
from ....dialects.nn.reduction import ReduceMaxOp, ReduceMinOp
from ....dialects.nn.resize import Resize
from ....dialects.nn.select import SelectOp
from .reading import channels_of, is_integer
from .scaling import Range, requantised, rescaled

Known: TypeAlias = Callable[[SSAValue, int], Range]
"""Values that a channel can have."""
RANGED = (
    AbsOp,
    AddNOp,
    BinaryOp,
    CastOp,
    GatherNdOp,
    GatherOp,
    LeakyReluOp,
    PreluOp,
    ReduceMaxOp,
    ReduceMinOp,
    Resize,
    SelectOp,
    SquaredDifferenceOp,
    TableOp,
)
"""Operations that `ranged` knows."""


def ranged(op: Operation, channel: int, known: Known) -> Range:
    """Least and most of a channel of the result, of integers.

    Args:
        op: one of `RANGED`.
        channel: its number.
        known: of the operands.
    """
    everything = integer_range(element_type_of(op.results[0]))
    if not all(map(is_integer, op.operands)):
        return everything
    if isinstance(op, GatherOp | GatherNdOp):
        return _taken(op, channel, known)
    if isinstance(op, AddNOp):
        return everything if op.quantised is None else _added(op, op.quantised, _at(op.inputs, channel, known))
    if isinstance(op, SelectOp | BinaryOp):
        return _chosen(op, _at(op.operands, channel, known), everything)
    if isinstance(op, ReduceMaxOp | ReduceMinOp) and not op.keeps_channels():
        chooses = max if isinstance(op, ReduceMaxOp) else min
        every = [known(op.input, number) for number in range(channels_of(op.input))]
        return chooses(least for least, _ in every), chooses(most for _, most in every)
    if isinstance(op, Resize | ReduceMaxOp | ReduceMinOp):
        return known(op.input, channel)
    if isinstance(op, TableOp):
        return _looked_up(op, known(op.input, channel), everything)
    if isinstance(op, CastOp):
        least, most = known(op.input, channel)
        return (least, most) if element_type_of(op.output) != i1 and _is_in(least, most, everything) else everything
    assert isinstance(op, AbsOp | LeakyReluOp | PreluOp | SquaredDifferenceOp), "one of those that are known"
    return everything if op.quantised is None else _of_steps(op, op.quantised, _at(op.operands, channel, known))


def _at(operands: Sequence[SSAValue], channel: int, known: Known) -> list[Range]:
    return [known(operand, channel if channels_of(operand) > 1 else 0) for operand in operands]


def _is_in(least: int, most: int, whole: Range) -> bool:
    return whole[0] <= least and most <= whole[1]


def _chosen(op: SelectOp | BinaryOp, ends: Sequence[Range], everything: Range) -> Range:
    if isinstance(op, SelectOp):
        (_, then, otherwise) = ends
        return min(then[0], otherwise[0]), max(then[1], otherwise[1])
    if op.function.data not in (Binary.MAXIMUM, Binary.MINIMUM):
        return everything
    chooses = max if op.function.data == Binary.MAXIMUM else min
    (a, b), (c, d) = ends
    return chooses(a, c), chooses(b, d)


def _looked_up(op: TableOp, ends: Range, everything: Range) -> Range:
    """Values of a table of 16 bits: each entry that an element is interpolated from, unless a slope wraps."""
    first, entries = op.least, op.array.tolist()
    low, high = (end - first for end in ends)
    if element_type_of(op.input) != i16:
        return min(entries[low : high + 1]), max(entries[low : high + 1])
    if any(abs(one - other) >= 1 << 15 for one, other in itertools.pairwise(entries)):
        return everything
    used = entries[low // 128 : high // 128 + 2]
    factor = 128 if element_type_of(op.output) == i32 else 1
    return min(used) * factor, max(used) * factor


def _taken(op: GatherOp | GatherNdOp, channel: int, known: Known) -> Range:
    """Range of slices that are parts of a pixel: any of its channels."""
    rank = len(shape_of(op.input))
    parts = op.axis.value.data == rank - 1 if isinstance(op, GatherOp) else shape_of(op.indices)[-1] == rank
    every = [known(op.input, n) for n in (range(channels_of(op.input)) if parts else (channel,))]
    return min(least for least, _ in every), max(most for _, most in every)


def _added(op: AddNOp, quantised: Quantisation, ends: Sequence[Range]) -> Range:
    from_zero, to_zero = quantised.zero_points
    scaled = [
        rescaled((end - from_zero) * quantised.headroom, quantised.rescale, 0)
        for pair in ((0, 0), *ends)
        for end in pair
    ]
    flat = [end for end in scaled if end is not None]
    if len(flat) < len(scaled):
        return int(quantised.clamp.bounds[0]), int(quantised.clamp.bounds[1])
    return requantised((sum(flat[::2]), sum(flat[1::2])), quantised.rescale, 1, to_zero, quantised.clamp)


def _of_steps(
    op: AbsOp | LeakyReluOp | PreluOp | SquaredDifferenceOp, quantised: Quantisation, ends: Sequence[Range]
) -> Range:
    steps = [(low - zero, high - zero) for (low, high), zero in zip(ends, quantised.zero_points, strict=False)]
    to_zero, clamp = quantised.zero_points[-1], quantised.clamp
    if isinstance(op, SquaredDifferenceOp):
        scaled = [
            [rescaled(end * quantised.headroom, quantised.rescale, number) for end in pair]
            for number, pair in enumerate(steps)
        ]
        flat = [end for pair in scaled for end in pair if end is not None]
        if len(flat) < 4:
            return int(clamp.bounds[0]), int(clamp.bounds[1])
        return requantised(_squared(flat[0] - flat[3], flat[1] - flat[2]), quantised.rescale, 2, to_zero, clamp)
    low, high = steps[0]
    if isinstance(op, AbsOp):
        nearest = 0 if low <= 0 <= high else min(abs(low), abs(high))
        return requantised((nearest, max(abs(low), abs(high))), quantised.rescale, 0, to_zero, clamp)
    slopes = steps[1] if isinstance(op, PreluOp) else (1, 1)
    found = [requantised(part, quantised.rescale, number, to_zero, clamp) for number, part in _signs(low, high, slopes)]
    return min(one for one, _ in found), max(other for _, other in found)


def _signs(low: int, high: int, slopes: Range) -> Iterator[tuple[int, Range]]:
    """Steps that are not negative with the first factor; those that are, times a slope, with the second."""
    if high >= 0:
        yield 0, (max(low, 0), high)
    if low < 0:
        products = [a * b for a in (low, min(high, -1)) for b in slopes]
        yield 1, (min(products), max(products))


def _squared(low: int, high: int) -> Range:
    largest = max(low * low, high * high)
    return 0 if low <= 0 <= high else min(low * low, high * high), largest
