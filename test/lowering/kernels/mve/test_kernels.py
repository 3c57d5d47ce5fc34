"""Kernels of MVE, interpreted, against numpy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.interpreters.utils.ptr import RawPtr

from stillpool.lowering.kernels.mve import instructions as mve
from stillpool.lowering.kernels.mve.interpreter import interpret
from stillpool.lowering.kernels.mve.kernels import (
    Lanewise,
    lanewise,
    rounding_shift_right,
    shift_right,
    sum_products,
    sum_window,
)

CHANNELS = 4
Wide = NDArray[np.int64]


def pointer(bytes: NDArray[np.int8]) -> RawPtr:
    """To a memory of these bytes alone, so that nothing else is read."""
    return RawPtr(bytearray(bytes.tobytes()))


def wrapped(numbers: Wide) -> NDArray[np.int32]:
    return numbers.astype(np.int32)


@pytest.mark.parametrize("count", [1, 15, 16, 20, 32, 47])
def test_sums_of_products(count: int) -> None:
    rng, blocks = np.random.default_rng(count), -(-count // 16)
    x = rng.integers(-128, 128, count).astype(np.int8)
    weights = np.zeros((CHANNELS, 16 * blocks), np.int8)
    weights[:, :count] = rng.integers(-128, 128, (CHANNELS, count))
    sums = rng.integers(-(1 << 31), 1 << 31, CHANNELS)
    packed = weights.reshape(CHANNELS, blocks, 16).transpose(1, 0, 2)
    (found,) = interpret(sum_products(), pointer(x), count, pointer(packed), *map(int, sums))
    np.testing.assert_array_equal(found, wrapped(sums + weights[:, :count].astype(np.int64) @ x))


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 3), (3, 1), (2, 4), (3, 3)])
def test_sums_of_windows(rows: int, columns: int) -> None:
    rng, row, column = np.random.default_rng(rows), 50, 9
    # A box that begins at the first point of the window, and ends with its last one.
    x = rng.integers(-128, 128, (rows - 1) * row + (columns - 1) * column + CHANNELS).astype(np.int8)
    weights = rng.integers(-128, 128, (rows * columns, CHANNELS)).astype(np.int8)
    start = rng.integers(-(1 << 31), 1 << 31, CHANNELS)
    points = [x[r * row + c * column :][:CHANNELS] for r in range(rows) for c in range(columns)]
    products = sum(point.astype(np.int64) * weight for point, weight in zip(points, weights, strict=True))
    (found,) = interpret(sum_window(rows, columns), pointer(x), row, column, pointer(weights), wrapped(start))
    np.testing.assert_array_equal(found, wrapped(start + products))


EXTREMES = np.array([-(1 << 31), -(1 << 31) + 1, -1, 0, 1, (1 << 31) - 1, 1 << 30, -(1 << 30)])


def rounded(numbers: Wide, shifts: Wide) -> Wide:
    """Halves away from zero."""
    return np.sign(numbers) * ((np.abs(numbers) + (1 << shifts >> 1)) >> shifts)


@pytest.mark.parametrize(
    ("computed", "expected"),
    [
        (mve.vaddq_s32, lambda a, b: a + b),
        (mve.vsubq_s32, lambda a, b: a - b),
        (mve.vmulq_s32, lambda a, b: a * b),
        (mve.vmaxq_s32, lambda a, b: np.where(a > b, a, b)),
        (mve.vminq_s32, lambda a, b: np.where(a < b, a, b)),
        (mve.vrmulhq_s32, lambda a, b: (a * b + 2147483648) >> 32),
        (mve.vqrdmulhq_s32, lambda a, b: np.minimum((a * b + 1073741824) >> 31, 2147483647)),
    ],
)
def test_lanes_of_two_vectors(computed: Lanewise, expected: Callable[[Wide, Wide], Wide]) -> None:
    rng = np.random.default_rng(1)
    pairs = [*rng.integers(-(1 << 31), 1 << 31, (64, 2)), *np.stack(np.meshgrid(EXTREMES, EXTREMES), -1).reshape(-1, 2)]
    for lhs, rhs in np.reshape(pairs, (-1, CHANNELS, 2)).transpose(0, 2, 1):
        (found,) = interpret(lanewise(computed), wrapped(lhs), wrapped(rhs))
        np.testing.assert_array_equal(found, wrapped(expected(lhs, rhs)))


@pytest.mark.parametrize(
    ("computed", "expected"),
    [
        (mve.vshlq_s32, lambda a, b: a << b),
        (shift_right, lambda a, b: a >> b),
        (rounding_shift_right, rounded),
    ],
)
def test_shifts(computed: Lanewise, expected: Callable[[Wide, Wide], Wide]) -> None:
    rng = np.random.default_rng(2)
    for shift in range(32):
        numbers = np.concatenate([EXTREMES, rng.integers(-(1 << 31), 1 << 31, 8), rng.integers(-9, 9, 8)])
        for lhs in numbers.reshape(-1, CHANNELS):
            rhs = np.full(CHANNELS, shift)
            (found,) = interpret(lanewise(computed), wrapped(lhs), wrapped(rhs))
            np.testing.assert_array_equal(found, wrapped(expected(lhs, rhs)))


def test_what_lies_beyond_is_not_read() -> None:
    bytes = pointer(np.zeros(16, np.int8))
    with pytest.raises(ValueError, match="buffer is smaller"):
        interpret(sum_window(1, 1), bytes + 13, 0, 0, bytes, np.zeros(CHANNELS, np.int32))
