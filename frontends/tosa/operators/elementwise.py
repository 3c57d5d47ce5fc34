"""Functions of single elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects import tosa as upstream
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, f32, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.nn.activation import ClampOp, TableOp
from ....dialects.nn.attributes import ClampAttr, RescaleAttr
from ....dialects.nn.element_functions import Binary, BinaryOp, CompareOp, Predicate, Unary, UnaryOp
from ....dialects.nn.elementwise import AddOp, DivOp, MulOp, SubOp
from ....dialects.nn.integers import integer_range
from ....dialects.nn.quantise import CastOp, RescaleOp
from ....dialects.nn.quantised import UI8
from ....dialects.nn.select import SelectOp
from ....dialects.tosa import elementwise as tosa
from ...reasons import Unsupported
from ..constants import stored_element, type_of, typed
from ..node import Node
from ..registry import imports

NARROW = (i8, i16)
_UNARY: Mapping[type[Operation], Unary] = {
    tosa.CeilOp: Unary.CEIL,
    tosa.ClzOp: Unary.CLZ,
    upstream.CosOp: Unary.COS,
    tosa.ErfOp: Unary.ERF,
    tosa.ExpOp: Unary.EXP,
    tosa.FloorOp: Unary.FLOOR,
    tosa.LogOp: Unary.LOG,
    tosa.LogicalNotOp: Unary.LOGICAL_NOT,
    tosa.RsqrtOp: Unary.RSQRT,
    tosa.SigmoidOp: Unary.LOGISTIC,
    upstream.SinOp: Unary.SIN,
    tosa.TanhOp: Unary.TANH,
}


def element_of(value: SSAValue) -> Attribute:
    """The element type."""
    return type_of(value).get_element_type()


def recast(node: Node, value: SSAValue, element: Attribute) -> SSAValue:
    """Convert numbers to elements of another type."""
    if element_of(value) == element:
        return value
    return node.emit(CastOp(value, typed(element, type_of(value).get_shape())))


def broadcast(node: Node, values: Sequence[SSAValue]) -> list[int]:
    """The shape of a result; extents of 1 broadcast, ranks are equal."""
    shapes = [type_of(value).get_shape() for value in values]
    if len({len(shape) for shape in shapes}) > 1:
        raise node.malformed(f"its operands have the shapes {', '.join(str(list(shape)) for shape in shapes)}")
    return [int(extent) for extent in np.broadcast_shapes(*shapes)]


@imports(*_UNARY)
def unary(op: Any, node: Node) -> SSAValue:
    """Functions that `nn.unary` has."""
    value = node.value(op.input1)
    return node.emit(UnaryOp(_UNARY[type(op)], value, type_of(value)))


@imports(tosa.AbsOp)
def magnitude(op: tosa.AbsOp, node: Node) -> SSAValue:
    """Take the magnitude of int32 and floats."""
    value = node.value(op.input1)
    return node.emit(UnaryOp(Unary.ABS, value, type_of(value)))


@imports(tosa.BitwiseNotOp)
def bitwise_not(op: tosa.BitwiseNotOp, node: Node) -> SSAValue:
    """The exclusive or with all bits."""
    value = node.value(op.input1)
    ones = node.literal(np.full([1] * len(type_of(value).get_shape()), -1), element_of(value))
    return node.emit(BinaryOp(Binary.BITWISE_XOR, value, ones, type_of(value)))


@imports(upstream.ReciprocalOp)
def reciprocal(op: upstream.ReciprocalOp, node: Node) -> SSAValue:
    """One over an element."""
    value = node.value(op.input1)
    one = node.literal(np.ones([1] * len(type_of(value).get_shape()), np.float32), f32)
    return node.emit(DivOp(one, value, output_type=type_of(value)))


@imports(tosa.NegateOp)
def negate(op: tosa.NegateOp, node: Node) -> SSAValue:
    """Negate: floats by the sign; integers within the range of the type, zero points around it."""
    value = node.value(op.input1)
    element = element_of(value)
    zero_points = [node.number(operand, "a zero point") for operand in (op.input1_zp, op.output_zp)]
    if element in (f32, i32):
        if any(zero_points):
            raise Unsupported(f"zero points of {element} cannot be compiled")
        return node.emit(UnaryOp(Unary.NEG, value, type_of(value)))
    if element == i8:
        lower, upper = integer_range(element)
        numbers = np.clip(zero_points[1] + zero_points[0] - np.arange(lower, upper + 1), lower, upper)
        return node.emit(TableOp(value, [int(number) for number in numbers], type_of(value)))
    wide = node.literal(np.full([1] * len(type_of(value).get_shape()), sum(zero_points)), i32)
    made = node.emit(SubOp(wide, recast(node, value, i32), output_type=typed(i32, type_of(value).get_shape())))
    return _saturated(node, made, element)


def _saturated(node: Node, value: SSAValue, element: Attribute) -> SSAValue:
    return node.emit(
        RescaleOp(
            value,
            zero_points=(0, 0),
            rescale=RescaleAttr.get([1 << 30], [1]),
            clamp=ClampAttr.get(*integer_range(element)),
            output_type=typed(element, type_of(value).get_shape()),
        )
    )


@imports(upstream.AddOp, upstream.SubOp)
def arithmetic(op: upstream.AddOp | upstream.SubOp, node: Node) -> SSAValue:
    """Add or subtract int32 and floats."""
    return _arithmetic(op, node, AddOp if isinstance(op, upstream.AddOp) else SubOp)


def _arithmetic(op: Any, node: Node, kind: Callable[..., Operation]) -> SSAValue:
    values = [node.value(op.input1), node.value(op.input2)]
    element = element_of(values[0])
    if element not in (i32, i64, f32):
        raise Unsupported(f"arithmetic of {element} cannot be compiled")
    return node.emit(kind(*values, output_type=typed(element, broadcast(node, values))))


@imports(tosa.IntDivOp)
def quotient(op: tosa.IntDivOp, node: Node) -> SSAValue:
    """Rounded toward zero."""
    return _arithmetic(op, node, DivOp)


@imports(tosa.MulOp)
def product(op: tosa.MulOp, node: Node) -> SSAValue:
    """Multiply: floats as they are; integers in 32 bits, with a shift in 64 on the way."""
    values = [node.value(op.input1), node.value(op.input2)]
    shape, element = broadcast(node, values), element_of(values[0])
    shift = node.number(op.shift, "the shift")
    if not isinstance(element, IntegerType):
        return node.emit(MulOp(*values, output_type=typed(element, shape)))
    if not 0 <= shift <= 63 or (shift and element != i32):
        raise node.malformed(f"a shift of {shift} does not fit elements of type {element}")
    word = i64 if shift else i32
    operands = [recast(node, value, word) for value in values]
    made = node.emit(MulOp(*operands, output_type=typed(word, shape)))
    if not shift:
        return made
    by = node.literal(np.full([1] * len(shape), shift), i64)
    return recast(node, node.emit(BinaryOp(Binary.ROUNDING_SHIFT_RIGHT, made, by, typed(i64, shape))), i32)


_BINARY: Mapping[type[Operation], Binary] = {
    tosa.BitwiseAndOp: Binary.BITWISE_AND,
    tosa.BitwiseOrOp: Binary.BITWISE_OR,
    tosa.BitwiseXorOp: Binary.BITWISE_XOR,
    tosa.LogicalAndOp: Binary.LOGICAL_AND,
    tosa.LogicalOrOp: Binary.LOGICAL_OR,
    tosa.MaximumOp: Binary.MAXIMUM,
    tosa.MinimumOp: Binary.MINIMUM,
    tosa.PowOp: Binary.POW,
}


@imports(*_BINARY)
def binary(op: Any, node: Node) -> SSAValue:
    """Functions that `nn.binary` has."""
    values = [node.value(op.input1), node.value(op.input2)]
    made = typed(element_of(values[0]), broadcast(node, values))
    return node.emit(BinaryOp(_BINARY[type(op)], *values, output_type=made))


@imports(tosa.LogicalXorOp)
def logical_xor(op: tosa.LogicalXorOp, node: Node) -> SSAValue:
    """Whether they differ."""
    values = [node.value(op.input1), node.value(op.input2)]
    return node.emit(CompareOp(Predicate.NOT_EQUAL, *values, output_type=typed(i1, broadcast(node, values))))


@imports(tosa.ArithmeticRightShiftOp, tosa.LogicalLeftShiftOp, tosa.LogicalRightShiftOp)
def shift(op: tosa.ArithmeticRightShiftOp | tosa.LogicalLeftShiftOp | tosa.LogicalRightShiftOp, node: Node) -> SSAValue:
    """In 32 bits; what has fewer is brought there and back."""
    values = [node.value(op.input1), node.value(op.input2)]
    shape, element = broadcast(node, values), element_of(values[0])
    match op:
        case tosa.ArithmeticRightShiftOp():
            kind = Binary.ROUNDING_SHIFT_RIGHT if op.round.value.data else Binary.SHIFT_RIGHT
        case tosa.LogicalLeftShiftOp():
            kind = Binary.SHIFT_LEFT
        case _:
            kind = Binary.SHIFT_RIGHT_UNSIGNED
    if element in NARROW and kind is Binary.SHIFT_RIGHT_UNSIGNED:
        raise Unsupported(f"a shift of {element} without a sign cannot be compiled")
    operands = [recast(node, value, i32) for value in values]
    return recast(node, node.emit(BinaryOp(kind, *operands, output_type=typed(i32, shape))), element)


_PREDICATES: Mapping[type[Operation], Predicate] = {
    tosa.EqualOp: Predicate.EQUAL,
    tosa.GreaterOp: Predicate.GREATER,
    tosa.GreaterEqualOp: Predicate.GREATER_EQUAL,
}


@imports(*_PREDICATES)
def compare(op: Any, node: Node) -> SSAValue:
    """Integers without scales."""
    values = [node.value(op.input1), node.value(op.input2)]
    if element_of(values[0]) in NARROW:
        values = [recast(node, value, i32) for value in values]
    return node.emit(CompareOp(_PREDICATES[type(op)], *values, output_type=typed(i1, broadcast(node, values))))


@imports(tosa.SelectOp)
def select(op: tosa.SelectOp, node: Node) -> SSAValue:
    """One of two elements."""
    values = [node.value(operand) for operand in (op.input1, op.input2, op.input3)]
    return node.emit(SelectOp(*values, output_type=typed(element_of(values[1]), broadcast(node, values))))


@imports(upstream.ClampOp)
def clamp(op: upstream.ClampOp, node: Node) -> SSAValue:
    """Nothing where the bounds are the range of the type."""
    value = node.value(op.input)
    element = element_of(value)
    lower, upper = _bound(op.min_val), _bound(op.max_val)
    if lower > upper:
        raise node.malformed(f"the bounds {lower} and {upper} leave nothing")
    if not isinstance(element, IntegerType):
        return node.emit(ClampOp(value, ClampAttr.get(float(lower), float(upper)), type_of(value)))
    if element == UI8:
        lower, upper = (bound & 0xFF if isinstance(bound, int) and bound < 0 else bound for bound in (lower, upper))
    least, most = integer_range(element)
    if lower <= least and upper >= most:
        return value
    bounds = max(int(lower), least), min(int(upper), most)
    if element != i32:
        return node.emit(ClampOp(value, ClampAttr.get(*bounds), type_of(value)))
    for bound, kind in zip(bounds, (Binary.MAXIMUM, Binary.MINIMUM), strict=True):
        limit = node.literal(np.full([1] * len(type_of(value).get_shape()), bound), i32)
        value = node.emit(BinaryOp(kind, value, limit, type_of(value)))
    return value


def _bound(attribute: Attribute) -> int | float:
    if isinstance(attribute, FloatAttr):
        return float(attribute.value.data)
    assert isinstance(attribute, IntegerAttr), "bounds are numbers"
    return int(attribute.value.data)


@imports(tosa.CastOp)
def cast(op: tosa.CastOp, node: Node) -> SSAValue:
    """Floats are rounded to the nearest integer, halves to even."""
    value = node.value(op.input1)
    given: Any = op.output.type
    element = stored_element(given.get_element_type())
    if element_of(value) == f32 and isinstance(element, IntegerType) and element != i1:
        value = node.emit(UnaryOp(Unary.ROUND_EVEN, value, type_of(value)))
    return recast(node, value, element)


@imports(tosa.TableOp)
def table(op: tosa.TableOp, node: Node) -> SSAValue:
    """A constant table."""
    value, entries = node.value(op.input1), node.array(op.table, "the table").reshape(-1)
    element = element_of(value)
    expected = 513 if element == i16 else 256
    if len(entries) != expected:
        raise node.malformed(f"the table has {len(entries)} entries, expected {expected}")
    made = typed(i32 if element == i16 else element, type_of(value).get_shape())
    return node.emit(TableOp(value, [int(entry) for entry in entries], made))
