"""Conversions between numbers that are defined for every value."""

from __future__ import annotations

from xdsl.dialects.arith import FPToSIOp, SIToFPOp, TruncIOp
from xdsl.dialects.builtin import AnyFloat, Float32Type, Float64Type, IntegerType, f32, i1, i8
from xdsl.ir import Attribute, SSAValue

from ...dialects.nn.integers import integer_range
from ..builder import Loops


def saturated(k: Loops, value: SSAValue, element: Attribute) -> SSAValue:
    """A float in the range of an integer type, so that its conversion is defined; NaN is the lowest value."""
    type_ = value.type
    assert isinstance(type_, Float32Type | Float64Type), "only floats need it"
    least, most = integer_range(element)
    lower, upper = k.floating(float(least), type_), k.floating(_largest_below(most, type_), type_)
    value = k.select(k.comparef("ogt", value, lower), value, lower)
    return k.select(k.comparef("olt", value, upper), value, upper)


def _largest_below(bound: int, type_: AnyFloat) -> float:
    """The largest float of this type that is not above an integer."""
    digits = 24 if isinstance(type_, Float32Type) else 53
    drop = max(bound.bit_length() - digits, 0)
    return float(bound >> drop << drop)


def convert(k: Loops, value: SSAValue, source: Attribute, target: Attribute) -> SSAValue:
    """An element as loaded by a kernel (unsigned ones and truth values widened to i32) in another element type.

    The result is what a kernel stores: for unsigned elements and truth values their low bits count.
    """
    if isinstance(target, IntegerType) and target == i1:
        if isinstance(source, Float32Type):
            truth = k.comparef("une", value, k.floating(0.0))
        else:
            truth = k.compare("ne", value, 0)
        return k.extend_unsigned(truth, i8)
    if isinstance(target, Float32Type):
        return value if isinstance(source, Float32Type) else k.emit(SIToFPOp(value, f32))
    assert isinstance(target, IntegerType), "elements are integers or float32"
    signless = IntegerType(target.width.data)
    if isinstance(source, Float32Type):
        wide = IntegerType(max(target.width.data, 32))
        return k.narrow(k.emit(FPToSIOp(saturated(k, value, target), wide)), signless)
    assert isinstance(value.type, IntegerType), "elements are integers or float32"
    if value.type.width.data > target.width.data:
        return k.emit(TruncIOp(value, signless))
    return k.extend(value, signless)
