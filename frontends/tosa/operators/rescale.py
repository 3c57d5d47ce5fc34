"""RESCALE, and what it becomes with the operations before it."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerType, i8, i16, i32
from xdsl.dialects.tosa import RescaleOp as TosaRescaleOp
from xdsl.dialects.tosa import RoundingMode
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.nn.attributes import ClampAttr, RescaleAttr
from ....dialects.nn.integers import integer_range
from ....dialects.nn.quantise import RescaleOp
from ....dialects.nn.quantised import UI8
from ....dialects.nn.rounding import Rounding
from ....dialects.nn.shape import ReshapeOp
from ....dialects.tosa.movement import ReshapeOp as TosaReshapeOp
from ...reasons import Unsupported
from ..constants import stored_element, type_of, typed
from ..fusing import fused
from ..node import Node
from ..registry import imports
from .sums import Requantised, Sums, is_sums, summed

SAME = RescaleAttr.get([1 << 30], [1])
_ROUNDINGS = {
    RoundingMode.SINGLE_ROUND: Rounding.SINGLE,
    RoundingMode.DOUBLE_ROUND: Rounding.DOUBLE,
    # Any rounding will do.
    RoundingMode.INEXACT_ROUND: Rounding.SINGLE,
}


@imports(TosaRescaleOp)
def rescale(op: TosaRescaleOp, node: Node) -> SSAValue:
    """Integers of another scale; of sums of products the end of one operation."""
    given: Any = op.input.type
    source = given.get_element_type()
    unsigned_input, unsigned = (bool(flag.value.data) for flag in (op.input_unsigned, op.output_unsigned))
    element = _result_element(op, unsigned=unsigned)
    zero_points = (
        node.number(op.input_zp, "the input's zero point", unsigned=unsigned_input),
        node.number(op.output_zp, "the output's zero point", unsigned=unsigned),
    )
    wide = isinstance(source, IntegerType) and source.width.data == 48
    factors = _factors(op, node, wide=wide)
    if op.input in node.block.deferred:
        return _of_sums(op, node, element, zero_points, factors, wide=wide)
    value = node.value(op.input)
    if (type_of(value).get_element_type() == UI8) != unsigned_input and type_of(value).get_element_type() in (i8, UI8):
        raise Unsupported("bytes that are read both with and without a sign cannot be compiled")
    if factors.is_per_channel:
        raise Unsupported("factors for each channel belong behind a convolution")
    if factors.rounding is Rounding.DOUBLE and factors.shifts[0] >= 0:
        # Nothing is shifted to the right twice; the single rounding has room for every product.
        factors = RescaleAttr.get(factors.multipliers, factors.shifts, Rounding.SINGLE)
    joined = fused(node, value, zero_points, factors, element)
    if joined is not None:
        return joined
    return node.emit(
        RescaleOp(
            value,
            zero_points=zero_points,
            rescale=factors,
            clamp=ClampAttr.get(*integer_range(element)),
            output_type=typed(element, type_of(value).get_shape()),
        )
    )


def _result_element(op: TosaRescaleOp, *, unsigned: bool) -> Attribute:
    given: Any = op.output.type
    element = stored_element(given.get_element_type())
    if not isinstance(element, IntegerType) or element not in (i8, UI8, i16, i32):
        raise Unsupported(f"results of type {given.get_element_type()} cannot be compiled")
    if not unsigned:
        return element if element != UI8 else i8
    if element.width.data != 8:
        raise Unsupported("results of 16 bits without a sign cannot be compiled")
    return UI8


def _factors(op: TosaRescaleOp, node: Node, *, wide: bool) -> RescaleAttr:
    multipliers = node.array(op.multiplier, "the multiplier").reshape(-1)
    shifts = node.array(op.shift, "the shift").reshape(-1)
    per_channel = bool(op.per_channel.value.data)
    if len(multipliers) != len(shifts) or (len(multipliers) > 1) > per_channel:
        raise node.malformed(f"it has {len(multipliers)} multipliers and {len(shifts)} shifts")
    if min(multipliers, default=0) < 0 or min(shifts, default=0) < 2 or max(shifts, default=0) > 62:
        raise node.malformed("multipliers must not be negative, shifts must lie in [2, 62]")
    if len(set(zip(multipliers.tolist(), shifts.tolist(), strict=True))) == 1:
        multipliers, shifts = multipliers[:1], shifts[:1]
    if wide:
        # Sums of 48 bits are multiplied by 16, as TensorFlow Lite does with the upper half of its multiplier.
        if op.scale32.value.data or min(shifts) < 1:
            raise node.malformed("sums of 48 bits have multipliers of 16")
        return RescaleAttr.get([int(m) << 16 for m in multipliers], [15 - int(s) for s in shifts])
    rounding = _ROUNDINGS[op.rounding_mode.data]
    if not op.scale32.value.data:
        rounding = Rounding.SINGLE
    return RescaleAttr.get([int(m) for m in multipliers], [31 - int(s) for s in shifts], rounding)


def _of_sums(
    op: TosaRescaleOp, node: Node, element: Attribute, zero_points: tuple[int, int], factors: RescaleAttr, *, wide: bool
) -> SSAValue:
    """One operation of the sums and this; a reshaping between comes behind."""
    moved: list[SSAValue] = []
    source = op.input
    while isinstance(source.owner, TosaReshapeOp):
        moved.append(source)
        source = source.owner.input1
    owner = source.owner
    assert isinstance(owner, Operation), "arguments are not deferred"
    assert is_sums(owner), "what is deferred are sums and reshapings of them"
    kept = i8 if element == UI8 else element
    if kept != (i16 if wide else i8):
        raise Unsupported(f"sums of {48 if wide else 32} bits that become {element} cannot be compiled")
    if zero_points[0]:
        raise node.malformed(f"sums have no zero point, it has {zero_points[0]}")
    if moved and factors.is_per_channel:
        raise Unsupported("factors for each channel behind a reshaping cannot be compiled")
    shift = 128 if element == UI8 else 0
    to = Requantised(kept, zero_points[1] - shift, factors, ClampAttr.get(*integer_range(kept)), wide)
    made = summed(cast(Sums, owner), Node(node.block, node.block.numbers[owner], owner, node.name), to)
    node.block.shapes[source] = made
    if moved:
        made = node.emit(ReshapeOp(made, typed(kept, _declared(op, made))))
    node.block.shapes |= dict.fromkeys(moved, made)
    if element != UI8:
        return made
    return node.emit(
        RescaleOp(
            made,
            zero_points=(-128, 0),
            rescale=SAME,
            clamp=ClampAttr.get(0, 255),
            output_type=typed(UI8, type_of(made).get_shape()),
        )
    )


def _declared(op: TosaRescaleOp, made: SSAValue) -> list[int]:
    """The shape that the file says, an open extent by what remains."""
    given: Any = op.output.type
    shape = [max(int(extent), -1) for extent in given.get_shape()]
    if shape.count(-1) == 1:
        rest = int(np.prod([extent for extent in shape if extent != -1]))
        shape[shape.index(-1)] = int(np.prod(type_of(made).get_shape())) // max(rest, 1)
    return shape
