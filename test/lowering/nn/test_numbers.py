"""Lowered operators, run by the checked evaluator, against NumPy written from the operators' numeric rules.

The references pad the input for real and slice windows; the lowering clips tap ranges instead. Bit-exactness with
TensorFlow Lite Micro on whole models is the subject of the conformance tests.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from stillpool.dialects.fx.fixed_point import (
    INT32_MAX,
    one_over_one_plus,
    rescale,
    rounding_doubling_high_mul,
    rounding_shift_right,
)
from stillpool.lowering.nn.exponentials import exponentials
from stillpool.lowering.nn.sigmoid16 import HALF, SIGMOID

RNG_SEEDS = range(6)


def tensor(array: np.ndarray) -> str:
    element = "f32" if array.dtype == np.float32 else f"i{array.itemsize * 8}"
    return f"tensor<{'x'.join([*map(str, array.shape), element])}>"


def dense(name: str, array: np.ndarray) -> str:
    values = "[]" if not array.size else str(array.tolist())
    return f"%{name} = nn.constant dense<{values}> : {tensor(array)}\n"


def run(lower, body: str, inputs: dict[str, np.ndarray], result: str, expected: np.ndarray) -> np.ndarray:
    """Run `body`, which defines %result, on the inputs."""
    arguments = ", ".join(f"%{name}: {tensor(array)}" for name, array in inputs.items())
    evaluator = lower(
        f"func.func @m({arguments}) -> {tensor(expected)} {{\n{body}\nfunc.return %{result} : {tensor(expected)}\n}}"
    )
    output = np.full(expected.shape, 99, expected.dtype)
    evaluator.call("m", *inputs.values(), output)
    return output


def windows(x, kernel, strides, pads, dilations, fill):
    """Yields (n, oy, ox, window [kh, kw, c], inside [kh, kw]) of NHWC `x`."""
    top, bottom, left, right = pads
    widths = ((0, 0), (top, bottom), (left, right), (0, 0))
    padded = np.pad(x, widths, constant_values=fill)
    inside = np.pad(np.ones(x.shape[:3], bool), widths[:3])
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    heights = range(0, padded.shape[1] - reach[0] + 1, strides[0])
    for n, (oy, y), (ox, left_edge) in itertools.product(
        range(x.shape[0]), enumerate(heights), enumerate(range(0, padded.shape[2] - reach[1] + 1, strides[1]))
    ):
        at = (n, slice(y, y + reach[0], dilations[0]), slice(left_edge, left_edge + reach[1], dilations[1]))
        yield n, oy, ox, padded[at], inside[at]


def out_extent(extent, kernel, stride, dilation, before, after):
    return (extent + before + after - (kernel - 1) * dilation - 1) // stride + 1


class Case:
    """A random window on a random input."""

    def __init__(self, seed: int, *, dilated: bool = True, pad_below_kernel: bool = False):
        rng = self.rng = np.random.default_rng(seed)
        self.kernel = rng.integers(1, 4, 2).tolist()
        self.strides = rng.integers(1, 4, 2).tolist()
        self.dilations = rng.integers(1, 3, 2).tolist() if dilated else [1, 1]
        limits = [k - 1 if pad_below_kernel else 2 for k in np.repeat(self.kernel, 2)]
        self.pads = [int(rng.integers(0, limit + 1)) for limit in limits]
        batch, channels = int(rng.integers(1, 3)), 2 * int(rng.integers(1, 3))
        reach = [(k - 1) * d + 1 for k, d in zip(self.kernel, self.dilations, strict=True)]
        self.shape = (batch, reach[0] + int(rng.integers(0, 4)), reach[1] + int(rng.integers(0, 4)), channels)
        self.spatial = tuple(
            out_extent(
                self.shape[1 + d], self.kernel[d], self.strides[d], self.dilations[d], *self.pads[2 * d : 2 * d + 2]
            )
            for d in (0, 1)
        )

    def quantised(self, shape) -> np.ndarray:
        return self.rng.integers(-128, 128, shape).astype(np.int8)

    def real(self, shape) -> np.ndarray:
        return self.rng.normal(size=shape).astype(np.float32)

    @property
    def window(self) -> str:
        return f"strides {self.strides} pads {self.pads}"


def requantise(acc, multipliers, shifts, zero_point, clamp):
    scaled = [
        rescale(int(a), multipliers[i % len(multipliers)], shifts[i % len(shifts)])
        for i, a in enumerate(acc.reshape(-1))
    ]
    return np.clip(np.array(scaled).reshape(acc.shape) + zero_point, *clamp).astype(np.int8)


def factors(rng, count):
    return [int(m) for m in rng.integers(2**30, 2**31, count)], [int(s) for s in rng.integers(-12, -4, count)]


@pytest.mark.parametrize("kind", ["conv2d", "grouped", "depthwise_conv2d", "multiplied"])
@pytest.mark.parametrize("seed", RNG_SEEDS)
def test_int8_convolutions(lower, seed, kind):
    case = Case(seed)
    rng, channels = case.rng, case.shape[3]
    depthwise = kind in ("depthwise_conv2d", "multiplied")
    outputs = channels * (2 if kind == "multiplied" else 1) if depthwise else 4
    depth = channels // 2 if kind == "grouped" else channels
    x, w = (
        case.quantised(case.shape),
        case.quantised((1, *case.kernel, outputs) if depthwise else (outputs, *case.kernel, depth)),
    )
    bias = rng.integers(-5000, 5000, outputs).astype(np.int32) if seed % 2 else None
    zero_points = [int(rng.integers(-128, 128)), int(rng.choice([0, 3])), int(rng.integers(-128, 128))]
    multipliers, shifts = factors(rng, outputs if seed % 3 else 1)
    clamp = (-128, 127) if seed % 2 else (-100, 50)

    acc = np.zeros((case.shape[0], *case.spatial, outputs), np.int64)
    centred = w.astype(np.int64) - zero_points[1]
    for n, oy, ox, window, _ in windows(x, case.kernel, case.strides, case.pads, case.dilations, zero_points[0]):
        taps = window.astype(np.int64) - zero_points[0]
        for oc in range(outputs):
            if depthwise:
                acc[n, oy, ox, oc] = (taps[..., oc * channels // outputs] * centred[0, ..., oc]).sum()
            else:
                first = oc * (channels // depth) // outputs * depth
                acc[n, oy, ox, oc] = (taps[..., first : first + depth] * centred[oc]).sum()
    expected = requantise(acc + (0 if bias is None else bias), multipliers, shifts, zero_points[2], clamp)

    op = "depthwise_conv2d" if depthwise else "conv2d"
    operands = "%x, %w" + ("" if bias is None else ", %b")
    types = ", ".join([tensor(x), tensor(w), *([] if bias is None else [tensor(bias)])])
    body = dense("w", w) + ("" if bias is None else dense("b", bias))
    body += (
        f"%y = nn.{op} {operands} {case.window} dilations {case.dilations} zero_points {zero_points}"
        f" rescale <{multipliers}, {shifts}> clamp <{clamp[0]}, {clamp[1]}> : ({types}) -> {tensor(expected)}"
    )
    np.testing.assert_array_equal(run(lower, body, {"x": x}, "y", expected), expected)


@pytest.mark.parametrize("seed", RNG_SEEDS)
def test_float_convolution(lower, seed):
    case = Case(seed)
    x, w = case.real(case.shape), case.real((3, *case.kernel, case.shape[3]))
    bias = case.real(3)
    expected = np.zeros((case.shape[0], *case.spatial, 3), np.float32)
    for n, oy, ox, window, _ in windows(x, case.kernel, case.strides, case.pads, case.dilations, 0):
        expected[n, oy, ox] = np.clip(np.tensordot(w, window, 3) + bias, 0, 6)
    body = dense("w", w) + dense("b", bias)
    body += (
        f"%y = nn.conv2d %x, %w, %b {case.window} dilations {case.dilations} clamp <0.0, 6.0>"
        f" : ({tensor(x)}, {tensor(w)}, {tensor(bias)}) -> {tensor(expected)}"
    )
    np.testing.assert_allclose(run(lower, body, {"x": x}, "y", expected), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("seed", RNG_SEEDS)
def test_fully_connected(lower, seed):
    case = Case(seed)
    rng = case.rng
    x, w = case.quantised((1 + seed % 3, 7)), case.quantised((5, 7))
    bias = (
        rng.integers(-(2**31), 2**31, 5).astype(np.int32) if seed == 0 else rng.integers(-999, 999, 5).astype(np.int32)
    )
    multipliers, shifts = factors(rng, 5 if seed % 2 else 1)
    acc = (x.astype(np.int64) + 5) @ w.T.astype(np.int64) + bias
    acc = (acc + 2**31) % 2**32 - 2**31
    expected = requantise(acc, multipliers, shifts, 7, (-128, 127))
    body = dense("w", w) + dense("b", bias)
    body += (
        f"%y = nn.fully_connected %x, %w, %b zero_points [-5, 0, 7] rescale <{multipliers}, {shifts}>"
        f" clamp <-128, 127> : ({tensor(x)}, {tensor(w)}, {tensor(bias)}) -> {tensor(expected)}"
    )
    np.testing.assert_array_equal(run(lower, body, {"x": x}, "y", expected), expected)


@pytest.mark.parametrize("quantised", [True, False])
@pytest.mark.parametrize("kind", ["average", "max"])
@pytest.mark.parametrize("seed", RNG_SEEDS)
def test_pools(lower, seed, kind, quantised):
    case = Case(seed, dilated=False, pad_below_kernel=True)
    x = (case.quantised if quantised else case.real)(case.shape)
    expected = np.zeros((case.shape[0], *case.spatial, case.shape[3]), x.dtype)
    for n, oy, ox, window, inside in windows(x, case.kernel, case.strides, case.pads, [1, 1], 0):
        taps = window[inside].astype(np.int64 if quantised else np.float32)
        if kind == "max":
            value = taps.max(0)
        elif quantised:
            total, count = taps.sum(0), len(taps)
            value = np.where(total > 0, (total + count // 2) // count, -((-total + count // 2) // count))
        else:
            value = taps.sum(0) / np.float32(len(taps))
        expected[n, oy, ox] = np.clip(value, *((-20, 100) if quantised else (-0.5, np.inf)))
    clamp = "<-20, 100>" if quantised else "<-0.5, inf>"
    body = (
        f"%y = nn.{kind}_pool2d %x kernel {case.kernel} {case.window} clamp {clamp}"
        f" : ({tensor(x)}) -> {tensor(expected)}"
    )
    np.testing.assert_allclose(run(lower, body, {"x": x}, "y", expected), expected, rtol=0 if quantised else 1e-6)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((2, 3, 4), (2, 3, 4)),
        ((2, 3, 4), (4,)),
        ((3, 1), (2, 1, 5)),
        ((1, 2, 2), (1,)),
        ((2, 1, 3, 1), (4, 1, 2)),
        ((1,), (1,)),
        ((2,), ()),
    ],
)
def test_add_broadcasts(lower, left, right):
    rng = np.random.default_rng(7)
    a, b = (rng.normal(size=shape).astype(np.float32) for shape in (left, right))
    a_int, b_int = (rng.integers(-128, 128, shape).astype(np.int8) for shape in (left, right))
    total = np.asarray(np.maximum(a + b, np.float32(-1)))
    body = f"%y = nn.add %a, %b clamp <-1.0, inf> : ({tensor(a)}, {tensor(b)}) -> {tensor(total)}"
    np.testing.assert_array_equal(run(lower, body, {"a": a, "b": b}, "y", total), total)

    multipliers, shifts, zero_points = [1 << 30, 1900000000, 1234567890], [0, -1, -18], [-4, 9, 2]
    scaled = [
        np.vectorize(lambda v, i=i, zp=zp: rescale((int(v) - zp) << 20, multipliers[i], shifts[i]), otypes=[np.int64])(
            array
        )
        for i, (array, zp) in enumerate(zip((a_int, b_int), zero_points, strict=False))
    ]
    expected = requantise(np.asarray(scaled[0] + scaled[1]), multipliers[2:], shifts[2:], 2, (-128, 127))
    body = (
        f"%y = nn.add %a, %b zero_points {zero_points} left_shift 20 rescale <{multipliers}, {shifts}>"
        f" clamp <-128, 127> : ({tensor(a_int)}, {tensor(b_int)}) -> {tensor(expected)}"
    )
    np.testing.assert_array_equal(run(lower, body, {"a": a_int, "b": b_int}, "y", expected), expected)


def test_quantize_saturates_and_rounds_halves_away(lower):
    x = np.array([0.0, 0.25, -0.25, 0.75, 1e30, -1e30, np.inf, -np.inf, np.nan, 63.0, -64.9], np.float32)
    expected = np.array([3, 4, 2, 5, 127, -128, 127, -128, -128, 127, -127], np.int8)
    body = f"%y = nn.quantize %x scale 0.5 zero_point 3 : ({tensor(x)}) -> {tensor(expected)}"
    np.testing.assert_array_equal(run(lower, body, {"x": x}, "y", expected), expected)


def test_dequantize(lower):
    x = np.arange(-128, 128, dtype=np.int8)
    expected = (x.astype(np.float32) + np.float32(7)) * np.float32(0.1)
    body = f"%y = nn.dequantize %x scale 0.1 zero_point -7 : ({tensor(x)}) -> {tensor(expected)}"
    np.testing.assert_array_equal(run(lower, body, {"x": x}, "y", expected), expected)


def test_rescale(lower):
    x = np.arange(-128, 128, dtype=np.int8)
    expected = requantise(x.astype(np.int64) - 4, [1500000000], [1], -20, (-128, 127))
    body = (
        "%y = nn.rescale %x zero_points [4, -20] rescale <[1500000000], [1]> clamp <-128, 127>"
        f" : ({tensor(x)}) -> {tensor(expected)}"
    )
    np.testing.assert_array_equal(run(lower, body, {"x": x}, "y", expected), expected)


@pytest.mark.parametrize("shape", [(1, 10), (2, 3, 4), (1, 1), (5,)])
def test_softmax(lower, shape):
    x = np.random.default_rng(3).normal(size=shape).astype(np.float32)
    exponentials = np.exp((x - x.max(-1, keepdims=True)) * 0.5)
    expected = (exponentials / exponentials.sum(-1, keepdims=True)).astype(np.float32)
    body = f"%y = nn.softmax %x beta 0.5 : ({tensor(x)}) -> {tensor(x)}"
    np.testing.assert_allclose(run(lower, body, {"x": x}, "y", expected), expected, rtol=1e-5)


def quantised_softmax(lower, x: np.ndarray, scale: float) -> np.ndarray:
    """Softmax of int8 `x`; the input scale is `scale`, a power of two from 1/1024 to 1."""
    shift = 27 + int(np.log2(scale))
    least = -int(31 * 2**26 / 2**shift)
    body = f"%y = nn.softmax %x rescale <[{2**30}], [{shift}]> diff_min {least} : ({tensor(x)}) -> {tensor(x)}"
    return run(lower, body, {"x": x}, "y", x)


@pytest.mark.parametrize("scale", [2.0**-10, 2.0**-4, 1.0])
def test_quantised_softmax_is_within_one_step(lower, scale):
    x = np.random.default_rng(4).integers(-128, 128, (3, 12)).astype(np.int8)
    exponentials = np.exp((x - x.max(-1, keepdims=True).astype(np.float64)) * scale)
    exact = exponentials / exponentials.sum(-1, keepdims=True) * 256 - 128
    assert np.abs(quantised_softmax(lower, x, scale) - np.minimum(exact, 127)).max() <= 0.51


@pytest.mark.parametrize(("depth", "scale"), [(1, 1.0), (3, 2.0**-10), (40, 0.25), (300, 2.0**-10), (600, 2.0**-6)])
def test_quantised_softmax_is_gemmlowps(lower, depth, scale):
    """Bit by bit what the definition says, in the wide form that the lowering shortens."""
    x = np.random.default_rng(depth).integers(-128, 128, (4, depth)).astype(np.int8)
    x[0] = x[0, 0]
    shift = 27 + int(np.log2(scale))
    table = exponentials(2**30, shift, -int(31 * 2**26 / 2**shift))
    expected = np.empty_like(x)
    for row, result in zip(x.astype(int), expected, strict=True):
        values = [table[min(difference, len(table) - 1)] for difference in (row.max() - row).tolist()]
        total = sum(rounding_shift_right(value, 12) for value in values)
        zeros = 32 - total.bit_length()
        reciprocal = one_over_one_plus(((total << zeros) - 2**31) & INT32_MAX)
        quotients = [rounding_doubling_high_mul(reciprocal, value) for value in values]
        result[:] = [min(rounding_shift_right(one, 35 - zeros) - 128, 127) for one in quotients]
    np.testing.assert_array_equal(quantised_softmax(lower, x, scale), expected)


@pytest.mark.parametrize("depth", [511, 512, 5000])
def test_quantised_softmax_of_many_equal_values(lower, depth):
    """Quotients of less than half a step; from 512 on the reference kernel aborts, ours gives the lowest value."""
    x = np.full((1, depth), 5, np.int8)
    expected = np.full_like(x, -127 if depth < 512 else -128)
    np.testing.assert_array_equal(quantised_softmax(lower, x, 0.0625), expected)


def test_logistic_of_16_bits_fits_15() -> None:
    """At all places between all entries of the table, and mirrored; what lies beyond it is the last of these."""
    entries = np.array(SIGMOID) - HALF
    part = np.arange(512)
    result = entries[:-1, None] * 512 + part * np.diff(entries)[:, None]
    for one in (result, ~result):
        steps = (one + HALF * 512 + 512) >> 10
        assert steps.min() >= 0
        assert steps.max() <= 0x7FFF
