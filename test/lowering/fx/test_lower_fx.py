"""The functions of `lower-fx` against gemmlowp's definitions on Python integers, over the whole range of int32."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from stillpool.dialects.fx.fixed_point import rescale, rescale_real, rounding_doubling_high_mul, rounding_shift_right

Run = Callable[..., Any]
"""Calls a function of the module."""

CORNERS = [-(2**31), -(2**31) + 1, -(2**30), -3, -2, -1, 0, 1, 2, 3, 2**30 - 1, 2**30, 2**31 - 2, 2**31 - 1]

MODULE = """
func.func @rescale(%v: i32, %m: i32, %s: i32) -> i32 { %r = fx.rescale %v, %m, %s func.return %r : i32 }
func.func @right(%v: i32, %m: i32, %s: i32) -> i32 { %r = fx.rescale %v, %m, %s right_only func.return %r : i32 }
func.func @high_mul(%a: i32, %b: i32) -> i32 { %r = fx.rounding_doubling_high_mul %a, %b func.return %r : i32 }
func.func @shift(%v: i32, %n: i32) -> i32 { %r = fx.rounding_shift_right %v, %n func.return %r : i32 }
func.func @wide(%v: i64, %m: i32, %s: i32) -> i32 { %r = fx.rescale_wide %v, %m, %s func.return %r : i32 }
func.func @log(%v: i32) -> i32 { %r = fx.log %v func.return %r : i32 }
func.func @root(%v: i32) -> i32 { %r = fx.inverse_sqrt %v func.return %r : i32 }
func.func @real(%v: i32, %m: i32, %s: i32) -> i32 { %r = fx.rescale_real %v, %m, %s func.return %r : i32 }
func.func @zeros(%v: i32) -> i32 { %r = fx.count_leading_zeros %v func.return %r : i32 }
func.func @reciprocal(%v: i32) -> i32 { %r = fx.one_over_one_plus %v func.return %r : i32 }
"""


@pytest.fixture
def run(lower: Callable[[str], Any]) -> Run:
    evaluator = lower(MODULE)
    return lambda name, *args: evaluator.call(name, *args)[0]


def values(count: int, seed: int) -> list[int]:
    generator = random.Random(seed)
    spread = [generator.randint(-(1 << bits), (1 << bits) - 1) for bits in range(1, 32) for _ in range(count)]
    return CORNERS + spread


def test_high_mul(run: Run):
    for a in values(3, seed=1):
        for b in CORNERS:
            assert run("high_mul", a, b) == rounding_doubling_high_mul(a, b)


def test_high_mul_rounds_as_gemmlowp_defines_it(run: Run):
    """Nudge by 2**30, or 1 - 2**30 below zero, then a division that truncates."""
    for a in values(3, seed=2):
        product = a * 1518500249
        nudged = product + (2**30 if product >= 0 else 1 - 2**30)
        assert run("high_mul", a, 1518500249) == (nudged // 2**31 if nudged >= 0 else -(-nudged // 2**31))


def test_shift_right_rounds_halves_away_from_zero(run: Run):
    for value in values(2, seed=3):
        for amount in (0, 1, 2, 7, 15, 30, 31):
            exact = Fraction(value, 2**amount)
            away = int(abs(exact) + Fraction(1, 2)) * (1 if value >= 0 else -1)
            assert run("shift", value, amount) == away == rounding_shift_right(value, amount)


@pytest.mark.parametrize("shift", [-31, -30, -8, -1, 0])
def test_rescale_to_the_right(run: Run, shift: int):
    for value in values(3, seed=4):
        for multiplier in (0, 2**30, 1518500249, 2**31 - 1):
            expected = rescale(value, multiplier, shift)
            assert run("rescale", value, multiplier, shift) == expected
            assert run("right", value, multiplier, shift) == expected


@pytest.mark.parametrize("shift", [1, 4, 30])
def test_rescale_to_the_left(run: Run, shift: int):
    for value in values(3, seed=5):
        if abs(value) << shift < 2**31:
            assert run("rescale", value, 1518500249, shift) == rescale(value, 1518500249, shift)


def test_a_left_shift_that_overflows_wraps(run: Run):
    assert run("rescale", 2**30, 2**30, 2) == 0


@pytest.mark.parametrize("shift", [1, 8, 15, 23, 46])
def test_rescale_of_wide_values_rounds_halves_up(run: Run, shift: int):
    generator = random.Random(7)
    for bits in range(1, 48):
        for multiplier in (0, 1, 2**14, 0x7FFF):
            value = generator.randint(-(1 << bits), (1 << bits) - 1)
            exact = math.floor(Fraction(value * multiplier, 2**shift) + Fraction(1, 2))
            if abs(exact) < 2**31:
                assert run("wide", value, multiplier, shift) == exact


def test_log_is_close_to_the_real_one(run: Run):
    """From 1 to 4096 in Q12.19, within a few steps of Q5.26."""
    one = 1 << 19
    for value in (one, one + 1, 741455, 741456, 2 * one, 3 * one, 100 * one, 2**31 - 1):
        assert abs(run("log", value) / 2**26 - math.log(value / one)) < 2**-21


def test_inverse_sqrt_is_close_to_the_real_one(run: Run):
    for value in (2**27, 2**27 + 1, 2**28, 2**28 + 12345, 2**29 - 1):
        assert run("root", value) == pytest.approx(2**42 / math.sqrt(value), rel=2e-5)


def test_leading_zeros(run: Run):
    for value in values(5, seed=6):
        assert run("zeros", value) == 32 - (value % 2**32).bit_length()


def test_reciprocal_is_close_to_exact(run: Run):
    for value in values(20, seed=7):
        if value >= 0:
            exact = 2**31 / (1 + value / 2**31)
            assert abs(run("reciprocal", value) - exact) < 16
    assert run("reciprocal", 0) == 2**31 - 1


def test_real_rescaling_rounds_as_float32_does(run: Run):
    generator = random.Random(11)
    for value in values(6, seed=12):
        multiplier, shift = generator.randrange(1 << 23, 1 << 24) << 7, generator.randint(-31, 8)
        assert run("real", value, multiplier, shift) == rescale_real(value, multiplier, shift), (
            value,
            multiplier,
            shift,
        )


def test_real_rescaling_rounds_halves_to_even(run: Run):
    for value in range(-9, 10):
        assert run("real", value, 1 << 30, 0) == round(value / 2)
    # The exact product is above a half, its float32 is that half.
    assert run("real", 16777215, 0x800001 << 7, -23) == rescale_real(16777215, 0x800001 << 7, -23)
    assert run("real", 5, 0, 0) == 0


def test_real_rescaling_near_halves(run: Run):
    """Accumulators around those whose products lie nearest to a half, where float32's roundings decide."""
    generator = random.Random(14)
    for _ in range(60):
        multiplier, shift = generator.randrange(1 << 23, 1 << 24) << 7, generator.randint(-17, 0)
        factor = multiplier * 2.0 ** (shift - 31)
        for result in (generator.randint(-260, 260), 127, -128):
            middle = round((result + 0.5) / factor)
            for value in (middle - 1, middle, middle + 1):
                if -(2**31) <= value < 2**31:
                    assert run("real", value, multiplier, shift) == rescale_real(value, multiplier, shift)
