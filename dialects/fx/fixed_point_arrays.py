"""`fixed_point.py` for arrays of int64: the ends of ranges of many channels at once.

Each function also says where the result is what the emitted code computes: it works in words that may wrap.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from .fixed_point import INT32_MAX, INT32_MIN, REAL_LIMIT

Integers: TypeAlias = npt.NDArray[np.int64]
Truths: TypeAlias = npt.NDArray[np.bool_]

WIDEST = 1 << 47
"""Magnitudes below this are multiplied with 16 bits inside int64."""


def within_int32(values: Integers) -> Truths:
    """Which values fit an int32."""
    return (values >= INT32_MIN) & (values <= INT32_MAX)


def rescale(values: Integers, multipliers: Integers, shifts: Integers) -> tuple[Integers, Truths]:
    """`fixed_point.rescale`; wrong where the value leaves int32 when shifted left."""
    shifted = values << np.maximum(shifts, 0)
    known = within_int32(values) & within_int32(shifted)
    high = (np.where(known, shifted, 0) * multipliers + (1 << 30)) >> 31
    right = np.maximum(-shifts, 0)
    half = (np.int64(1) << right) >> 1
    magnitude = np.right_shift(np.abs(high) + half, right, dtype=np.int64)
    return np.where(high < 0, -magnitude, magnitude), known


def rescale_single(values: Integers, multipliers: Integers, shifts: Integers) -> tuple[Integers, Truths]:
    """`fixed_point.rescale_single`; wrong where value or result leave int32."""
    known, right = within_int32(values), 31 - shifts
    found = (np.where(known, values, 0) * multipliers + (np.int64(1) << (right - 1))) >> right
    return found, known & within_int32(found)


def rescale_wide(values: Integers, multipliers: Integers, shifts: Integers) -> tuple[Integers, Truths]:
    """Rescale 64-bit accumulators, with multipliers of 16 bits; wrong where the product leaves int64, the result int32.

    Source: TensorFlow Lite `MultiplyByQuantizedMultiplier(int64_t, ...)`.
    """
    known, right = np.abs(values) < WIDEST, 15 - shifts
    short = np.where(multipliers >= 0x7FFF0000, 0x7FFF, (multipliers + (1 << 15)) >> 16)
    found = (np.where(known, values, 0) * short + (np.int64(1) << (right - 1))) >> right
    return found, known & within_int32(found)


def rescale_real(values: Integers, multipliers: Integers, shifts: Integers) -> tuple[Integers, Truths]:
    """`fixed_point.rescale_real`; wrong where the value leaves int32."""
    factors = np.ldexp(multipliers.astype(np.float64), shifts - 31).astype(np.float32)
    products = np.rint(values.astype(np.float32) * factors).astype(np.float64)
    return np.clip(products, -REAL_LIMIT, REAL_LIMIT).astype(np.int64), within_int32(values)
