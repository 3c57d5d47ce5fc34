"""The short form of rescaling against TensorFlow Lite's definition on Python integers: every range it is taken for."""

from __future__ import annotations

import itertools
import math

import numpy as np
from hypothesis import assume, example, given
from hypothesis import strategies as st

from stillpool.dialects.fx.fixed_point import rescale, rescale_real, rescale_single
from stillpool.lowering.emit_c.index_bounds import Interval
from stillpool.transforms.tasks.rescaling.records import (
    Record,
    real_record,
    record,
    settled,
    settled_in_table,
    single_record,
)

LARGEST, INT32_MAX = 2**30, 2**31 - 1
CORNERS = [-LARGEST, 1 - LARGEST, -3, -2, -1, 0, 1, 2, 3, LARGEST - 2, LARGEST - 1]
values = st.one_of(st.sampled_from(CORNERS), st.integers(-LARGEST, LARGEST - 1), st.integers(-5000, 5000))
multipliers = st.one_of(st.sampled_from([0, 1, 2**30, INT32_MAX - 1, INT32_MAX]), st.integers(0, INT32_MAX))
zero_points = st.one_of(st.sampled_from([-128, 0, 127]), st.integers(-32768, 32767))


def short(value: int, one: Record) -> int:
    """What the operations of the short form compute; stops where they would leave 32 bits."""
    nudge = one.nudge + (value >> 31 if one.signed else 0)
    high = (2 * value * one.multiplier + (0 if one.floor else 2**31) >> 32) + nudge
    assert all(-(2**31) <= step <= INT32_MAX for step in (2 * value, nudge, high))
    return high >> one.right


@given(values, multipliers, st.integers(0, 31), zero_points)
@example(-1, 2**30, 1, 0)
@example(-(2**30), INT32_MAX, 1, -128)
def test_the_short_form_is_exact(value: int, multiplier: int, right: int, zero_point: int) -> None:
    one = record(multiplier, -right, Interval(value, value), zero_point=zero_point)
    assume(one is not None)
    assert one is not None
    assert short(value, one) == rescale(value, multiplier, -right) + zero_point


@given(values, multipliers, st.integers(0, 31), zero_points, st.integers(0, 300))
def test_without_the_sign_it_is_exact_where_results_are_limited(
    value: int, multiplier: int, right: int, zero_point: int, above: int
) -> None:
    one = record(multiplier, -right, Interval(value, value), zero_point=zero_point, limited=True)
    assume(one is not None)
    assert one is not None
    assert not one.signed
    least = zero_point + above
    assert max(short(value, one), least) == max(rescale(value, multiplier, -right) + zero_point, least)


@given(values, values, multipliers, st.integers(0, 31), zero_points)
@example(1075830784, 1073750000, 1320764593, 27, -128)
@example(-5000, 5000, 2**30, 27, -128)
def test_what_all_values_give_is_told_without_them(
    value: int, other: int, multiplier: int, right: int, zero_point: int
) -> None:
    one = settled(multiplier, -right, Interval(min(value, other), max(value, other)), zero_point=zero_point)
    ends = {rescale(each, multiplier, -right) + zero_point for each in (value, other)}
    assert (one is not None) == (len(ends) == 1)
    if one is not None:
        # Sums do not count: whatever is in their place.
        assert {short(each, one) for each in (-5, 0, 7)} == ends


def by_table(value: int, one: Record, zero_point: int) -> int:
    """What two shifts compute, of which a table says the first but for its last bit."""
    high = (2 * value * one.multiplier + 2**31 >> 32) + (value >> 31 if one.signed else 0)
    return (high >> one.right - 1) + 1 + 2 * zero_point >> 1


@given(values, st.integers(0, 2**20), multipliers, st.integers(16, 31), zero_points, st.booleans())
@example(-(2**30), 0, 2**31 - 8, 25, -128, True)
@example(2**30 - 64, 63, 1282601889, 28, -128, False)
def test_tables_say_what_all_values_give(
    least: int, spread: int, multiplier: int, right: int, zero_point: int, limited: bool
) -> None:
    value = Interval(least, least + spread)
    one = settled(multiplier, -right, value, zero_point=zero_point, limited=limited)
    assume(one is not None)
    assert one is not None
    result, in_table = one.nudge >> 1, settled_in_table(one, value, zero_point=zero_point)
    # Results of eight bits and sums of a few thousand products always fit.
    assert in_table is not None or abs(result - zero_point) * (2 * spread + 4) > 2**28
    if in_table is not None:
        assert in_table.right > 0
        moved = {each + in_table.moved for each in (*value, least + spread // 2)}
        assert {by_table(each, in_table, zero_point) for each in moved} == {result}


def test_moved_values_all_give_the_result() -> None:
    for spread, signed, zero_point in itertools.product(range(70), (False, True), (-3, 0, 4)):
        value = Interval(1000, 1000 + spread)
        one = settled_in_table(Record(0, 1 + 2 * 5, 1, signed), value, zero_point=zero_point)
        assert one is not None
        results = {by_table(each + one.moved, one, zero_point) for each in range(value.least, value.most + 1)}
        assert results == {5}


def test_limits_make_one_result_of_several() -> None:
    relu = Interval(-128, 127)
    assert settled(2**30, -1, Interval(-9000, -4000), zero_point=-128) is None
    dead = settled(2**30, -1, Interval(-9000, -4000), zero_point=-128, limits=relu)
    assert dead is not None
    assert short(-4000, dead) == -128
    assert settled(2**30, -1, Interval(-9000, 4000), zero_point=-128, limits=relu) is None


def test_small_values_and_halves_exhaustively() -> None:
    """Multipliers of few bits make every kind of half in both roundings."""
    for right, bits in itertools.product(range(8), (30, 29, 28, 27)):
        for multiplier in (1 << bits, (1 << bits) + 1, 3 << (bits - 2), INT32_MAX):
            plain = record(multiplier, -right, Interval(-300, 300))
            limited = record(multiplier, -right, Interval(-300, 300), zero_point=-7, limited=True)
            assert plain is not None
            assert limited is not None
            for value in range(-300, 301):
                expected = rescale(value, multiplier, -right)
                assert short(value, plain) == expected
                assert max(short(value, limited), -7) == max(expected - 7, -7)


@given(st.lists(values, min_size=2, max_size=2), multipliers, st.integers(-31, 0), zero_points)
def test_a_range_is_taken_only_if_both_of_its_ends_are(
    ends: list[int], multiplier: int, shift: int, zero_point: int
) -> None:
    whole = record(multiplier, shift, Interval(min(ends), max(ends)), zero_point=zero_point)
    single = [record(multiplier, shift, Interval(end, end), zero_point=zero_point) for end in ends]
    assert (whole is None) == (None in single)


def test_what_is_not_taken() -> None:
    usual = Interval(-1000, 1000)
    assert record(2**30, -1, usual) is not None
    # Twice the value leaves 32 bits, from the first value that does.
    assert record(2**30, -1, Interval(-LARGEST, LARGEST - 1)) is not None
    assert record(2**30, -1, Interval(0, LARGEST)) is None
    assert record(2**30, -1, Interval(-LARGEST - 1, 0)) is None
    # A shift to the left, and a negative multiplier, which no scale has.
    assert record(2**30, 1, usual) is None
    assert record(-1, -1, usual) is None
    # The zero point before the shift leaves 32 bits.
    assert record(2**30, -24, usual, zero_point=-128) is not None
    assert record(2**30, -24, usual, zero_point=-129) is None
    # A factor of zero is one with any shift.
    assert record(0, 0, usual) == Record(0, 1, 1, signed=True)


@given(values, multipliers, st.integers(0, 31), zero_points)
@example(-1, 2**30, 1, 0)
def test_a_single_rounding_is_exact(value: int, multiplier: int, right: int, zero_point: int) -> None:
    one = single_record(multiplier, -right, Interval(value, value), zero_point=zero_point)
    assume(one is not None)
    assert one is not None
    assert short(value, one) == rescale_single(value, multiplier, -right) + zero_point


def test_onnx_rounding_is_exact_where_it_is_proved_for_a_range() -> None:
    """A small range proves factors that all accumulators do not: every sum of it is compared."""
    rng, proved, of_all, limits = np.random.default_rng(5), 0, 0, Interval(-128, 127)
    for _ in range(60):
        fraction, shift = math.frexp(float(np.float32(rng.uniform(1, 2) * 2.0 ** rng.integers(-12, -5))))
        multiplier, low = int(fraction * 2**31), int(rng.integers(-9000, 0))
        value = Interval(low, low + 9000)
        one = real_record(multiplier, shift, value, zero_point=-7, limits=limits)
        whole = real_record(multiplier, shift, Interval(-LARGEST, LARGEST - 1), zero_point=-7, limits=limits)
        of_all += whole is not None
        if one is None:
            continue
        proved += 1
        for each in range(value.least, value.most + 1):
            wanted = rescale_real(each, multiplier, shift) - 7
            assert min(max(short(each, one), -128), 127) == min(max(wanted, -128), 127)
    assert of_all < proved
    assert proved > 40
    assert real_record(2**30, 0, Interval(-9, 9), zero_point=0, limits=limits) is None, "ties go to even"
