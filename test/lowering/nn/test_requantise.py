"""How large rescaled elements may be: what is said to fit 32 bits does, and hardly more is claimed."""

from __future__ import annotations

import pytest
from xdsl.dialects.arith import MuliOp
from xdsl.dialects.builtin import i8, i16, i32, i64
from xdsl.ir import Block

from stillpool.dialects import fx
from stillpool.dialects.nn import RescaleAttr
from stillpool.lowering.builder import Loops
from stillpool.lowering.nn.requantise import Factor, WideFactor, fits_int32, largest_magnitude, reduced, steps

SHIFTS = (-3, -1, 0, 1, 4)
BOUNDS = (1, 7, 255, 1000, 2**27 + 1, 2**30)
LARGEST = 2**31 - 1
"""The largest multiplier, which means almost 1."""


@pytest.mark.parametrize(("zero_point", "most"), [(0, 128), (5, 133), (-5, 132), (127, 255), (-128, 255)])
def test_the_far_end_counts(zero_point: int, most: int) -> None:
    assert largest_magnitude(i8, zero_point) == most


def test_wider_elements() -> None:
    assert largest_magnitude(i16, 0) == 32768


def test_what_fits() -> None:
    assert [fits_int32(2**31 - 1), fits_int32(2**31)] == [True, False]


@pytest.mark.parametrize(("headroom", "fits"), [(2**20, True), (2**24, False)])
def test_steps_say_whether_they_overflow(headroom: int, fits: bool) -> None:
    block = Block(arg_types=[i8])
    assert steps(Loops(block), block.args[0], i8, 5, headroom)[1] == 133 * headroom
    (product,) = (op for op in block.ops if isinstance(op, MuliOp))
    assert ("nsw" in str(product)) == fits


def test_steps_have_no_head_room_by_default() -> None:
    block = Block(arg_types=[i8])
    assert steps(Loops(block), block.args[0], i8, 5)[1] == 133


def _shifted(value: int, right: int) -> int:
    """Rounded, halves up."""
    return value + (1 << right >> 1) >> right


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("bound", BOUNDS)
def test_products_are_at_most_what_is_said(bound: int, shift: int) -> None:
    block = Block(arg_types=[i32])
    _, said = Factor.of(Loops(block), RescaleAttr.get([LARGEST], [shift])).apply(Loops(block), block.args[0], bound)
    shifted = bound << max(shift, 0)
    most = _shifted(_shifted(shifted * LARGEST, 31), max(-shift, 0))
    # What is shifted beyond 32 bits wraps.
    assert said == 2**31 if shifted >= 2**31 else most <= said <= most + (shift < 0)


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("bound", BOUNDS)
def test_products_of_64_bits_are_at_most_what_is_said(bound: int, shift: int) -> None:
    block = Block(arg_types=[i64])
    factors = RescaleAttr.get([LARGEST], [shift])
    _, said = WideFactor.of(Loops(block), factors).apply(Loops(block), block.args[0], bound)
    assert min(2**31, _shifted(bound * 0x7FFF, 15 - shift)) <= said
    assert said == min(2**31, (bound << max(shift, 0)) + 1)


@pytest.mark.parametrize("shift", SHIFTS)
def test_only_factors_above_one_shift_left(shift: int) -> None:
    block = Block(arg_types=[i32])
    Factor.of(Loops(block), RescaleAttr.get([LARGEST], [shift])).apply(Loops(block), block.args[0], 9)
    (made,) = (op for op in block.ops if isinstance(op, fx.RescaleOp))
    assert (made.right_only is not None) == (shift <= 0)


def test_multipliers_of_16_bits() -> None:
    """As TensorFlow Lite rounds them; the largest are cut off, as they would have 17 bits."""
    wide = [2**30, 2**30 + 2**15 - 1, 2**30 + 2**15, 0x7FFEFFFF, 0x7FFF0000, LARGEST]
    assert reduced(RescaleAttr.get(wide, [-2, 0, 1, 2, 3, 4])) == (
        [0x4000, 0x4000, 0x4001, 0x7FFF, 0x7FFF, 0x7FFF],
        [17, 15, 14, 13, 12, 11],
    )
