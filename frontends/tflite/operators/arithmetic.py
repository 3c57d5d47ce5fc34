"""Arithmetic of two operands with broadcasting: ADD, SUB, MUL, DIV, SQUARED_DIFFERENCE, PRELU."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.attributes import ClampAttr, RescaleAttr
from ....dialects.nn.elementwise import AddNOp, AddOp, Arithmetic, DivOp, MulOp, PreluOp, SquaredDifferenceOp, SubOp
from ....dialects.nn.integers import integer_range
from ..activation import fused_clamp
from ..node import Node, Unsupported, tensor_type
from ..quantisation import rescale_add, rescale_div, rescale_mul, rescale_prelu, rescale_squared_difference
from ..scales import per_tensor
from ..schema import Tensor
from .registry import operator

SCALED = ("INT8", "UINT8", "INT16")
TYPES = ("FLOAT32", *SCALED, "INT32", "INT64")

LEFT_SHIFTS = {"INT8": 20, "UINT8": 20, "INT16": 15}
"""Head room that ADD and SUB give quantised operands before they rescale them."""

SQUARE_LEFT_SHIFTS = {"INT8": 7, "INT16": 0}
"""Head room of SQUARED_DIFFERENCE."""


def _emit(
    node: Node,
    kind: type[Arithmetic],
    clamp: ClampAttr | None,
    factors: RescaleAttr | None = None,
    left_shift: int | None = None,
) -> Operation:
    """Emit the operator; with `factors` it is quantised."""
    tensors = node.input(0), node.input(1), node.output
    zero_points = None if factors is None else [per_tensor(node, tensor)[1] for tensor in tensors]
    return node.emit(
        kind(
            node.value(tensors[0]),
            node.value(tensors[1]),
            output_type=tensor_type(tensors[2]),
            zero_points=zero_points,
            left_shift=left_shift,
            rescale=factors,
            clamp=clamp,
        )
    )


def _checked(node: Node, types: tuple[str, ...]) -> str:
    """The element type that both operands and the result have."""
    tensors = node.input(0), node.input(1), node.output
    node.check_same_type(tensors, types)
    return node.output.element_type.name


def _scales(node: Node) -> tuple[float, float, float]:
    lhs, rhs, output = (per_tensor(node, tensor)[0] for tensor in (node.input(0), node.input(1), node.output))
    return lhs, rhs, output


def _full_range(tensor: Tensor) -> ClampAttr:
    assert tensor.element_type.ir is not None, "quantised tensors have an IR type"
    return ClampAttr.get(*integer_range(tensor.element_type.ir))


def _sum(node: Node, kind: type[Arithmetic]) -> Operation:
    name, clamp = _checked(node, TYPES), fused_clamp(node)
    if kind is AddOp and name == "INT32":
        # TFLite Micro reads no activation here; those of SUB and MUL it does.
        clamp = None
    if name not in SCALED:
        return _emit(node, kind, clamp)
    shift = LEFT_SHIFTS[name]
    return _emit(node, kind, clamp, rescale_add(*_scales(node), shift), shift)


@operator("ADD", inputs=2, types=TYPES)
def add(node: Node) -> Operation:
    """Sum with broadcasting."""
    return _sum(node, AddOp)


@operator("SUB", inputs=2, types=TYPES)
def sub(node: Node) -> Operation:
    """Difference with broadcasting."""
    return _sum(node, SubOp)


@operator("MUL", inputs=2, types=TYPES)
def mul(node: Node) -> Operation:
    """Product with broadcasting."""
    name, clamp = _checked(node, TYPES), fused_clamp(node)
    factor = rescale_mul(*_scales(node), single=name == "UINT8") if name in SCALED else None
    return _emit(node, MulOp, clamp, factor)


@operator("DIV", inputs=2, types=("FLOAT32", "INT8", "UINT8", "INT32"))
def div(node: Node) -> Operation:
    """Quotient with broadcasting."""
    name, clamp = _checked(node, ("FLOAT32", "INT8", "UINT8", "INT32")), fused_clamp(node)
    factor = rescale_div(*_scales(node), single=name == "UINT8") if name in SCALED else None
    return _emit(node, DivOp, clamp, factor)


@operator("SQUARED_DIFFERENCE", inputs=2, types=("FLOAT32", "INT8", "INT16", "INT32"))
def squared_difference(node: Node) -> Operation:
    """Square of the difference with broadcasting."""
    name = _checked(node, ("FLOAT32", "INT8", "INT16", "INT32"))
    if name not in SQUARE_LEFT_SHIFTS:
        return _emit(node, SquaredDifferenceOp, None)
    shift = SQUARE_LEFT_SHIFTS[name]
    factors = rescale_squared_difference(*_scales(node), shift)
    return _emit(node, SquaredDifferenceOp, _full_range(node.output), factors, shift)


@operator("PRELU", inputs=2, types=("FLOAT32", "INT8", "UINT8", "INT16"))
def prelu(node: Node) -> Operation:
    """Slopes for negative elements, with broadcasting; INT16 has INT8 slopes."""
    data, slope, output = node.input(0), node.input(1), node.output
    rows = ("FLOAT32 FLOAT32 FLOAT32", "INT8 INT8 INT8", "UINT8 UINT8 UINT8", "INT16 INT8 INT16")
    node.check_types((data, slope, output), supported=rows)
    if data.shape != output.shape:
        raise Unsupported(f"slopes of shape {list(slope.shape)} that make the result larger cannot be compiled")
    if output.element_type.name == "FLOAT32":
        return _emit(node, PreluOp, None)
    factors = rescale_prelu(*_scales(node), single=output.element_type.name == "UINT8")
    return _emit(node, PreluOp, _full_range(output), factors)


@operator("ADD_N", inputs=(2, 1 << 16), types=("FLOAT32", "INT8"))
def add_n(node: Node) -> Operation:
    """Sum of tensors of one shape and scale."""
    inputs = [node.input(position) for position in range(len(node.operator.inputs))]
    node.check_same_type((*inputs, node.output), ("FLOAT32", "INT8"))
    values, type_ = [node.value(tensor) for tensor in inputs], tensor_type(node.output)
    if any(tensor.shape != node.output.shape for tensor in inputs):
        raise node.malformed("the inputs and the output have several shapes")
    if node.output.element_type.name == "FLOAT32":
        return node.emit(AddNOp(values, type_))
    pairs = {per_tensor(node, tensor) for tensor in inputs}
    if len(pairs) > 1:
        raise node.malformed("the inputs have several scales or zero points")
    (scale, zero_point), (output_scale, output_zero_point) = pairs.pop(), per_tensor(node, node.output)
    shift = LEFT_SHIFTS["INT8"]
    factors = rescale_add(scale, scale, output_scale, shift)
    return node.emit(
        AddNOp(
            values,
            type_,
            zero_points=(zero_point, output_zero_point),
            left_shift=shift,
            rescale=RescaleAttr.get(factors.multipliers[1:], factors.shifts[1:]),
            clamp=_full_range(node.output),
        )
    )
