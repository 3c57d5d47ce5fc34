"""Fixed-point parameters against exact rational arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import ai_edge_litert.schema_py_generated as schema
import numpy as np
import pytest
import shared_models
from hypothesis import given
from hypothesis import strategies as st

from stillpool.dialects.nn.conv import Convolution
from stillpool.frontends.tflite import import_tflite
from stillpool.frontends.tflite.quantisation import (
    QuantisationError,
    quantize_multiplier,
    quantize_real,
    rescale_add,
    rescale_per_channel,
    round_half_away,
    softmax_parameters,
)

FACTORS = st.floats(2.0**-31, 2.0**29)
SCALES = st.floats(2.0**-10, 2.0**4, width=32)
NEAR = st.floats(2.0**-4, 2.0**4, width=32)
"""Scales so near to each other that no factor becomes 0."""


def exact(multiplier: int, shift: int) -> Fraction:
    """What a factor in fixed point stands for."""
    return Fraction(multiplier) * Fraction(2) ** (shift - 31)


@given(FACTORS)
def test_multiplier_is_the_nearest_of_31_bits(factor: float) -> None:
    multiplier, shift = quantize_multiplier(factor)
    assert 2**30 <= multiplier < 2**31
    assert abs(exact(multiplier, shift) - Fraction(factor)) <= Fraction(2) ** (shift - 32)


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        (1.0, (2**30, 1)),
        (0.5, (2**30, 0)),
        (0.0, (0, 0)),
        (2.0**-32, (2**30, -31)),
        (2.0**-33, (0, 0)),
        # 2**30 + 0.5 in 31 bits: the half goes away from zero.
        ((2**30 + 0.5) / 2**31, (2**30 + 1, 0)),
        # Rounds up to 2**31, which is written as 2**30 with one more shift.
        (1 - 2.0**-33, (2**30, 1)),
    ],
)
def test_multiplier_at_the_edges(factor: float, expected: tuple[int, int]) -> None:
    assert quantize_multiplier(factor) == expected


def test_multiplier_refuses_what_no_shift_holds() -> None:
    assert quantize_multiplier(2.0**30 - 1)[1] == 30
    with pytest.raises(QuantisationError, match=r"more than 2\*\*30"):
        quantize_multiplier(2.0**30)


@given(st.floats(-(2.0**52), 2.0**52))
def test_rounding_is_half_away(value: float) -> None:
    expected = math.floor(abs(Fraction(value)) + Fraction(1, 2))
    assert round_half_away(value) == (expected if value >= 0 else -expected)


@given(NEAR, NEAR, NEAR)
def test_add_factors_multiply_back_to_the_scales(lhs: float, rhs: float, output: float) -> None:
    rescale = rescale_add(lhs, rhs, output, 20)
    factors = [exact(m, s) for m, s in zip(rescale.multipliers, rescale.shifts, strict=True)]
    for factor, scale in zip(factors, (lhs, rhs), strict=False):
        wanted = Fraction(scale) / Fraction(output)
        assert abs(factor * factors[2] * 2**20 / wanted - 1) < Fraction(1, 2**28)


def test_add_refuses_an_output_scale_far_below_the_operands() -> None:
    with pytest.raises(QuantisationError, match="too small beside"):
        rescale_add(16.0, 1.0, 2.0**-16, 20)


def test_products_of_scales_are_not_rounded_to_float32() -> None:
    # The product needs 26 bits: float32 drops the last, and the factor has 31.
    rescale = rescale_per_channel(1 + 2.0**-12, [1 + 2.0**-13], 1.0)
    assert exact(rescale.multipliers[0], rescale.shifts[0]) == 1 + Fraction(1, 2**12) + Fraction(1, 2**13) + Fraction(
        1, 2**25
    )


@given(SCALES)
def test_softmax_counts_differences_up_to_31(scale: float) -> None:
    rescale, least = softmax_parameters(scale, 1.0)
    factor = exact(rescale.multipliers[0], rescale.shifts[0])
    if least == 0:
        assert scale >= 15.9
        return
    # `least` steps stay inside the 5 integer bits, whatever the mantissa of the factor.
    assert -least * factor < 32 * 2**26
    assert -least == 31 * 2**26 // 2 ** rescale.shifts[0]


@given(st.floats(2.0**-20, 2.0**10, width=32), st.sampled_from((-1.0, 0.0, 1.0, 6.0)))
def test_activation_bounds_divide_in_float32(scale: float, bound: float) -> None:
    quotient = Fraction(float(np.float32(bound) / np.float32(scale)))
    steps = math.floor(abs(quotient) + Fraction(1, 2))
    assert quantize_real(bound, scale, -3) == -3 + (steps if bound >= 0 else -steps)


@pytest.mark.parametrize("name", ["kws_int8", "resnet8_int8", "person_detect"])
def test_convolutions_of_real_models_have_the_products_of_their_scales(name: str) -> None:
    data = shared_models.named(name)
    graph = schema.ModelT.InitFromObj(schema.Model.GetRootAs(data, 0)).subgraphs[0]
    checked = 0
    for op in import_tflite(data, name).walk():
        if not isinstance(op, Convolution):
            continue
        operator = graph.operators[op.attributes["nn.origin"].index.data]
        source, kernel = (graph.tensors[index].quantization for index in operator.inputs[:2])
        target = graph.tensors[operator.outputs[0]].quantization
        assert op.rescale is not None
        pairs = zip(op.rescale.multipliers, op.rescale.shifts, kernel.scale, strict=True)
        for multiplier, shift, scale in pairs:
            wanted = Fraction(float(source.scale[0])) * Fraction(float(scale)) / Fraction(float(target.scale[0]))
            # Two double operations, then 31 bits.
            assert abs(exact(multiplier, shift) / wanted - 1) < Fraction(1, 2**30)
        assert op.quantised is not None
        assert op.quantised.input_zero_point == source.zeroPoint[0]
        assert op.quantised.output_zero_point == target.zeroPoint[0]
        checked += 1
    assert checked == sum(len(operator.inputs) == 3 for operator in graph.operators) - (name != "person_detect")
