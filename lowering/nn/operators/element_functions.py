"""Functions of single elements: `nn.unary`, `nn.binary`, `nn.compare`.

Source: the reference kernels of TensorFlow Lite for the single operators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects import math
from xdsl.dialects.arith import (
    ExtFOp,
    FPToSIOp,
    NegfOp,
    ShRUIOp,
    SIToFPOp,
    TruncFOp,
)
from xdsl.dialects.builtin import Float32Type, IntegerType, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Operation, SSAValue

from ....dialects.fx import ops as fx
from ....dialects.nn import BinaryOp, CompareOp, UnaryOp
from ....dialects.nn.element_functions import Binary, Predicate, Unary
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.quantisation import Steps
from ....dialects.nn.quantised import UI8
from ....dialects.upstream.arith import RemFOp
from ..conversion import saturated
from ..division import floor_divide, floor_remainder
from ..kernel import Kernel
from ..pointwise import lower_binary, lower_unary
from ..registry import lowers
from ..requantise import Factor, steps

Scalar1 = Callable[[Kernel, SSAValue], SSAValue]
Scalar2 = Callable[[Kernel, SSAValue, SSAValue], SSAValue]

ELEMENTS = (i1, i8, UI8, i16, i32, i64, f32)

COMPARISON_SHIFT = 8
"""Head room that quantised operands of a comparison get."""


def _library(kind: Callable[[SSAValue], Operation]) -> Scalar1:
    return lambda k, x: k.emit(kind(x))


def _elu(k: Kernel, x: SSAValue) -> SSAValue:
    return k.select(k.comparef("olt", x, k.floating(0.0)), k.emit(math.ExpM1Op(x)), x)


def _gelu(k: Kernel, x: SSAValue) -> SSAValue:
    tail = k.emit(math.ErfOp(k.mulf(x, 0.5**0.5)))
    return k.mulf(k.mulf(x, 0.5), k.addf(k.floating(1.0), tail))


def _gelu_tanh(k: Kernel, x: SSAValue) -> SSAValue:
    cube = k.mulf(k.mulf(k.mulf(x, 0.044715), x), x)
    # sqrt(2 / pi)
    inner = k.mulf(k.addf(x, cube), 0.7978845608028654)
    return k.mulf(k.mulf(x, 0.5), k.addf(k.floating(1.0), k.emit(math.TanhOp(inner))))


def _hard_swish(k: Kernel, x: SSAValue) -> SSAValue:
    zero, six = k.floating(0.0), k.floating(6.0)
    moved = k.addf(x, k.floating(3.0))
    above = k.select(k.comparef("olt", zero, moved), moved, zero)
    return k.divf(k.mulf(x, k.select(k.comparef("olt", above, six), above, six)), 6.0)


def _logistic(k: Kernel, x: SSAValue) -> SSAValue:
    """1 from where float32 has nothing else, the exponential where it has the same value."""
    high, low = k.floating(16.619047164916992), k.floating(-9.0)
    one = k.floating(1.0)
    middle = k.divf(one, k.addf(one, k.exp(k.emit(NegfOp(x)))))
    below = k.select(k.comparef("olt", x, low), k.exp(x), middle)
    return k.select(k.comparef("ogt", x, high), one, below)


def _sign(k: Kernel, x: SSAValue) -> SSAValue:
    if isinstance(x.type, Float32Type):
        zero = k.floating(0.0)
        negative = k.select(k.comparef("olt", x, zero), k.floating(-1.0), zero)
        return k.select(k.comparef("ogt", x, zero), k.floating(1.0), negative)
    negative = k.select(k.compare("slt", x, 0), -1, 0, type=x.type)
    return k.select(k.compare("sgt", x, 0), 1, negative)


def _negate(k: Kernel, x: SSAValue) -> SSAValue:
    if isinstance(x.type, Float32Type):
        return k.emit(NegfOp(x))
    return k.sub(0, x, wraps=True)


def _magnitude(k: Kernel, x: SSAValue) -> SSAValue:
    if isinstance(x.type, Float32Type):
        return k.emit(math.AbsFOp(x))
    return k.select(k.compare("slt", x, 0), _negate(k, x), x)


_UNARY: Mapping[Unary, Scalar1] = {
    Unary.ABS: _magnitude,
    Unary.ACOS: _library(math.AcosOp),
    Unary.ACOSH: _library(math.AcoshOp),
    Unary.ASIN: _library(math.AsinOp),
    Unary.ASINH: _library(math.AsinhOp),
    Unary.ATAN: _library(math.AtanOp),
    Unary.ATANH: _library(math.AtanhOp),
    Unary.CEIL: _library(math.CeilOp),
    Unary.CLZ: _library(fx.CountLeadingZerosOp),
    Unary.COS: _library(math.CosOp),
    Unary.COSH: _library(math.CoshOp),
    Unary.ELU: _elu,
    Unary.ERF: _library(math.ErfOp),
    Unary.EXP: _library(math.ExpOp),
    Unary.FLOOR: _library(math.FloorOp),
    Unary.GELU: _gelu,
    Unary.GELU_TANH: _gelu_tanh,
    Unary.HARD_SWISH: _hard_swish,
    Unary.LOG: _library(math.LogOp),
    Unary.LOGICAL_NOT: lambda k, x: k.bit_xor(x, 1),
    Unary.LOGISTIC: _logistic,
    Unary.NEG: _negate,
    Unary.ROUND_EVEN: _library(math.RoundEvenOp),
    Unary.RSQRT: lambda k, x: k.divf(k.floating(1.0), k.emit(math.SqrtOp(x))),
    Unary.SIGN: _sign,
    Unary.SIN: _library(math.SinOp),
    Unary.SINH: _library(math.SinhOp),
    Unary.SQRT: _library(math.SqrtOp),
    Unary.SQUARE: lambda k, x: k.mulf(x, x),
    Unary.TAN: _library(math.TanOp),
    Unary.TANH: _library(math.TanhOp),
}


@lowers(UnaryOp, ELEMENTS)
def lower_unary_function(op: UnaryOp, k: Kernel) -> None:
    """One loop."""
    function = _UNARY[op.function.data]
    lower_unary(op, op.input, op.output, k, lambda op, k, x: function(k, x))


def _extremum(predicate: str) -> Scalar2:
    def lower(k: Kernel, a: SSAValue, b: SSAValue) -> SSAValue:
        if isinstance(a.type, Float32Type):
            return k.select(k.comparef(f"o{predicate}", a, b), a, b)
        return k.select(k.compare(f"s{predicate}", a, b), a, b)

    return lower


def _in_words(function: Scalar2) -> Scalar2:
    """Narrow integers are computed as i32: the function needs more room on its way."""

    def lower(k: Kernel, a: SSAValue, b: SSAValue) -> SSAValue:
        return k.narrow(function(k, k.extend(a), k.extend(b)), a.type) if a.type in (i8, i16) else function(k, a, b)

    return lower


def _floor_div(k: Kernel, a: SSAValue, b: SSAValue) -> SSAValue:
    """Floats are divided as doubles, as the reference does."""
    if isinstance(a.type, Float32Type):
        lhs, rhs = (k.emit(ExtFOp(value, f64)) for value in (a, b))
        return k.emit(TruncFOp(k.emit(math.FloorOp(k.divf(lhs, rhs))), f32))
    return floor_divide(k, a, b)


def _floor_mod(k: Kernel, a: SSAValue, b: SSAValue) -> SSAValue:
    if not isinstance(a.type, Float32Type):
        return floor_remainder(k, a, b)
    rest, zero = k.emit(RemFOp(a, b)), k.floating(0.0)
    signs = k.bit_xor(k.comparef("olt", rest, zero), k.comparef("olt", b, zero))
    opposed = k.bit_and(signs, k.comparef("une", rest, zero))
    return k.select(opposed, k.addf(rest, b), rest)


def _pow(k: Kernel, a: SSAValue, b: SSAValue) -> SSAValue:
    """Integers go through doubles, as in the reference; results that leave int32 saturate."""
    if isinstance(a.type, Float32Type):
        return k.emit(math.PowFOp(a, b))
    base, exponent = (k.emit(SIToFPOp(value, f64)) for value in (a, b))
    return k.emit(FPToSIOp(saturated(k, k.emit(math.PowFOp(base, exponent)), i32), i32))


def _shift(shift: Scalar2) -> Scalar2:
    """A shift that is defined for every second element."""

    def lower(k: Kernel, a: SSAValue, b: SSAValue) -> SSAValue:
        assert isinstance(a.type, IntegerType), "verified: shifts are of integers"
        return shift(k, a, k.bit_and(b, a.type.width.data - 1))

    return lower


def _rounding_shift(k: Kernel, a: SSAValue, b: SSAValue) -> SSAValue:
    """The last bit that is lost is added: nothing overflows."""
    some = k.compare("sgt", b, 0)
    before = k.select(some, k.sub(b, 1), b)
    lost = k.select(some, k.bit_and(k.shift_right(a, before), 1), k.value(0, a.type))
    return k.value(k.add(k.shift_right(a, b), lost), a.type)


_BINARY: Mapping[Binary, Scalar2] = {
    Binary.ATAN2: lambda k, a, b: k.emit(math.Atan2Op(a, b)),
    Binary.BITWISE_AND: lambda k, a, b: k.bit_and(a, b),
    Binary.BITWISE_OR: lambda k, a, b: k.bit_or(a, b),
    Binary.BITWISE_XOR: lambda k, a, b: k.bit_xor(a, b),
    Binary.FLOOR_DIV: _in_words(_floor_div),
    Binary.FLOOR_MOD: _in_words(_floor_mod),
    Binary.LOGICAL_AND: lambda k, a, b: k.bit_and(a, b),
    Binary.LOGICAL_OR: lambda k, a, b: k.bit_or(a, b),
    Binary.MAXIMUM: _extremum("gt"),
    Binary.MINIMUM: _extremum("lt"),
    Binary.POW: _in_words(_pow),
    Binary.ROUNDING_SHIFT_RIGHT: _shift(_rounding_shift),
    Binary.SHIFT_LEFT: _shift(lambda k, a, b: k.shift_left(a, b)),
    Binary.SHIFT_RIGHT: _shift(lambda k, a, b: k.shift_right(a, b)),
    Binary.SHIFT_RIGHT_UNSIGNED: _shift(lambda k, a, b: k.emit(ShRUIOp(a, b))),
}


@lowers(BinaryOp, ELEMENTS)
def lower_binary_function(op: BinaryOp, k: Kernel) -> None:
    """One loop."""
    function = _BINARY[op.function.data]
    lower_binary(op, k, lambda op, k, a, b: function(k, a, b))


_PREDICATES: Mapping[Predicate, tuple[str, str]] = {
    Predicate.EQUAL: ("eq", "oeq"),
    Predicate.GREATER: ("sgt", "ogt"),
    Predicate.GREATER_EQUAL: ("sge", "oge"),
    Predicate.LESS: ("slt", "olt"),
    Predicate.LESS_EQUAL: ("sle", "ole"),
    Predicate.NOT_EQUAL: ("ne", "une"),
}
"""Predicates of `arith.cmpi` and `arith.cmpf`."""


@lowers(CompareOp, ELEMENTS)
def lower_compare(op: CompareOp, k: Kernel) -> None:
    """Quantised operands are brought to reals first."""
    whole, real = _PREDICATES[op.predicate.data]

    def scalar(op: CompareOp, k: Kernel, a: SSAValue, b: SSAValue) -> SSAValue:
        if op.quantised is not None:
            a, b = (_to_real(op, op.quantised, k, number, value) for number, value in enumerate((a, b)))
        is_float = isinstance(a.type, Float32Type)
        return k.extend_unsigned(k.comparef(real, a, b) if is_float else k.compare(whole, a, b), i8)

    lower_binary(op, k, scalar)


def _to_real(op: CompareOp, quantised: Steps, k: Kernel, number: int, value: SSAValue) -> SSAValue:
    zero_point, headroom = quantised.zero_points[number], 1 << COMPARISON_SHIFT
    shifted = steps(k, value, element_type_of(op.lhs), zero_point, headroom)
    return Factor.of(k, quantised.rescale, number).apply(k, *shifted)[0]
