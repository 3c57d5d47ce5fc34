"""Products and quotients of bytes: every operand by every other, at scales where roundings are near ties."""

from __future__ import annotations

import importlib.util
from dataclasses import replace

import numpy as np
import pytest
from case import Case, activation, agree
from host_batch import run_batch
from tflite_build import one_operator, options
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
