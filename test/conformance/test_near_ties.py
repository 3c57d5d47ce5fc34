"""Results whose rounding is near a tie, where another factor in the last place shows.

Products and quotients of bytes are of every operand by every other; sums of products start from biases near ties.
"""

from __future__ import annotations

import importlib.util
from dataclasses import replace

import numpy as np
import pytest
from case import Case, activation, agree, float32
from dense_specs import BatchMatmul
from host_batch import run_batch
from tflite_build import Tensor, one_operator, options
from tflm_oracle import run_oracle

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

SCALES = {
    "DIV": ((4.0, 0.20239698886871338, 4.940784931182861), (2.184882640838623, 0.2617674767971039, 3.873997211456299)),
    "MUL": ((0.2599930763244629, 0.25901004672050476, 1.0774531364440918), (0.0251483284, 1.6928033829, 0.0851423517)),
    "PRELU": ((1.6862849, 0.13766535, 0.928572), (0.6659634, 0.02189009, 0.029156)),
}
"""Of both operands and the result: factors that are a power of two in float32, and hardly one in double."""
POINTS = (106, 130, 128)
"""Zero points, from the least byte on."""


def every_pair(operator: str, dtype: str, oracle: str, scales: tuple[float, float, float]) -> Case:
    """All bytes with all others, but for divisors of zero."""
    least = -128 if dtype == "int8" else 0
    points = [least + point for point in POINTS]
    first = second = np.arange(least, least + 256)
    if operator == "DIV":
        second = second[second != points[1]]
    lhs, rhs = (one.astype(dtype) for one in np.meshgrid(first, second, indexing="ij"))
    shapes = lhs.shape, (1, len(second)) if operator == "PRELU" else rhs.shape, lhs.shape
    tensors = [activation(dtype, *each) for each in zip(shapes, scales, points, strict=True)]
    if operator == "PRELU":
        # Slopes are constants, which all rows share.
        tensors[1] = replace(tensors[1], data=rhs[:1])
        return Case(one_operator(operator, None, tensors[:2], tensors[2]), (lhs[None],), oracle=oracle)
    made = options(operator.title(), fusedActivationFunction=0)
    return Case(one_operator(operator, made, tensors[:2], tensors[2]), (lhs[None], rhs[None]), oracle=oracle)


@pytest.mark.parametrize(("dtype", "oracle"), [("int8", "tflm"), ("uint8", "litert")])
def test_all_pairs_agree(dtype: str, oracle: str) -> None:
    """A factor of uint8 is formed in float32 by the reference, which only shows near ties; and a quotient by what is
    below zero, of a power of two, was shifted too far.
    """
    cases = [every_pair(operator, dtype, oracle, scales) for operator, each in SCALES.items() for scales in each]
    results = zip(cases, run_batch(cases), run_oracle(cases), strict=True)
    wrong = [f"case {number}: {why}" for number, one in enumerate(results) if (why := agree(*one))]
    assert not wrong, "\n".join(wrong)


SUMS = {
    "FULLY_CONNECTED": ("FullyConnected", (1, 2), lambda channels: (channels, 2), 0),
    "CONV_2D": ("Conv2D", (1, 1, 1, 2), lambda channels: (channels, 1, 1, 2), 0),
    "DEPTHWISE_CONV_2D": ("DepthwiseConv2D", (1, 1, 1, 0), lambda channels: (1, 1, 1, channels), 3),
}
"""Options, shape of the input (0 for as many channels as there are results), that of the filter, and its axis."""
STRIDES = {"strideH": 1, "strideW": 1}
MULTIPLIED = STRIDES | {"depthMultiplier": 1}


def biases_near_ties(operator: str, dtype: str, oracle: str, seed: int) -> Case:
    """Sums of nothing but biases that are a little more or less than a half once they are rescaled."""
    rng = np.random.default_rng(seed)
    data, weight = (float32(scale) for scale in rng.uniform(1e-4, 1e-3, 2))
    most, steps = {"int8": (120, 1e6), "uint8": (250, 1e6), "int16": (30_000, 1e4)}[dtype]
    result = float32(data * weight * steps * rng.uniform(0.5, 2))
    ties = (np.arange(1, most, 1 + most // 100) + 0.5) * result / (data * weight)
    bias = (np.round(ties)[:, None] + np.array([-7, -1, 0, 1, 7])).reshape(-1)
    given, shape, filter_shape, axis = SUMS[operator]
    shape = tuple(extent or bias.size for extent in shape)
    types = dtype if dtype == "uint8" else "int8", "int64" if dtype == "int16" else "int32"
    weights = np.zeros(filter_shape(bias.size), types[0])
    tensors = (
        activation(dtype, shape, data),
        Tensor(weights.shape, types[0], (weight,), (0,), axis, weights),
        Tensor(bias.shape, types[1], (float32(data * weight),), (0,), 0, bias.astype(types[1])),
    )
    made = options(given, **{"Conv2D": STRIDES, "DepthwiseConv2D": MULTIPLIED}.get(given, {}))
    target = activation(dtype, (*shape[:-1], bias.size), result)
    return Case(one_operator(operator, made, tensors, target), (np.zeros((1, *shape), dtype),), oracle=oracle)


@pytest.mark.parametrize("operator", SUMS)
@pytest.mark.parametrize(("dtype", "oracle"), [("int8", "tflm"), ("int16", "tflm"), ("uint8", "litert")])
def test_sums_agree(operator: str, dtype: str, oracle: str) -> None:
    """The factor of matrices follows from a product of scales in double, that of windows of uint8 from a float32."""
    cases = [biases_near_ties(operator, dtype, oracle, seed) for seed in range(8)]
    results = zip(cases, run_batch(cases), run_oracle(cases), strict=True)
    wrong = [f"seed {seed}: {why}" for seed, one in enumerate(results) if (why := agree(*one))]
    assert not wrong, "\n".join(wrong)


def test_products_of_matrices_agree() -> None:
    """Of 16 bits, where half of a factor is cut off: a unit in its last place is one in ten results."""
    matrix = ((), ()), 1, 17, 4, (True, True), False
    scales = ((0.4865958690643311, 0.024556104093790054), (0.3, 0.7), (0.012345679, 0.9876543))
    cases = [BatchMatmul("int16", *matrix, each, (0, 0, 0), 3.0, seed).case() for seed, each in enumerate(scales)]
    results = zip(cases, run_batch(cases), run_oracle(cases), strict=True)
    assert [agree(*one) for one in results] == [None] * len(cases)
