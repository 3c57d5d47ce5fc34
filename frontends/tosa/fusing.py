"""Arithmetic between RESCALEs as one operation on quantised elements.

TOSA adds, multiplies and sums in 32 bits: operands are rescaled to that, the result is rescaled back. Where `nn` has
one operation for all of it, tensors of 32 bits never exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i8, i16, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.nn.attributes import ClampAttr, RescaleAttr, ints
from ...dialects.nn.elementwise import AddOp, MulOp, SubOp
from ...dialects.nn.integers import integer_range
from ...dialects.nn.interfaces import element_type_of, shape_of
from ...dialects.nn.quantise import RescaleOp
from ...dialects.nn.reduction import ReduceSumOp
from ...dialects.nn.rounding import Rounding
from .constants import typed
from .node import Node

HALF = 1 << 30


@dataclass(frozen=True)
class _Steps:
    """Where an operand of 32 bits comes from: `rescale((x - zero_point) << shift)`, exact without a factor."""

    source: SSAValue
    zero_point: int
    shift: int
    factor: tuple[int, int, Rounding] | None


def fused(
    node: Node, value: SSAValue, zero_points: tuple[int, int], factors: RescaleAttr, element: Attribute
) -> SSAValue | None:
    """The operation on quantised elements of which a RESCALE is the end; None if it is not one."""
    owner = value.owner
    if element not in (i8, i16) or zero_points[0] or not isinstance(owner, Operation):
        return None
    clamp = ClampAttr.get(*integer_range(element))
    to = (zero_points[1], factors, clamp, element)
    match owner:
        case AddOp() | SubOp() if owner.rescale is None:
            return _sum(node, owner, *to)
        case MulOp() if owner.rescale is None:
            return _product(node, owner, *to)
        case ReduceSumOp() if owner.rescale is None:
            return _total(node, owner, *to)
        case _:
            return None


def _steps(value: SSAValue, element: Attribute) -> _Steps | None:
    """How an operand of 32 bits was made of quantised elements."""
    owner = value.owner
    if not isinstance(owner, RescaleOp) or element_type_of(value) != i32:
        return None
    before, after = ints(owner.zero_points)
    if after:
        return None
    factor = owner.rescale.multipliers[0], owner.rescale.shifts[0], owner.rescale.rounding
    exact = _power_of_two(factor)
    if element_type_of(owner.input) == element:
        if exact is not None:
            return _Steps(owner.input, before, exact, None)
        return _Steps(owner.input, before, 0, factor)
    inner = None if before else _steps(owner.input, element)
    if inner is None or inner.factor is not None:
        return None
    return _Steps(inner.source, inner.zero_point, inner.shift, factor)


def _power_of_two(factor: tuple[int, int, Rounding]) -> int | None:
    """The shift to the left that a factor is; None if it is another one."""
    multiplier, shift, _ = factor
    return shift - 1 if multiplier == HALF and shift >= 1 else None


def _sum(
    node: Node, owner: AddOp | SubOp, zero_point: int, factors: RescaleAttr, clamp: ClampAttr, element: Attribute
) -> SSAValue | None:
    found = [_steps(operand, element) for operand in owner.operands]
    if any(steps is None for steps in found):
        return None
    operands = [steps for steps in found if steps is not None]
    room = max(steps.shift for steps in operands)
    if any(steps.factor is not None and steps.shift != room for steps in operands):
        return None
    # Where nothing is rounded, a factor takes away the head room that the other operand needs.
    scales = [steps.factor or (HALF, 1 + steps.shift - room, None) for steps in operands]
    scales.append((factors.multipliers[0], factors.shifts[0], factors.rounding))
    rounding = _common(scales)
    least, most = integer_range(element)
    bits = room + max(0, *(shift for _, shift, _ in scales[:2]))
    if rounding is None or (most - least) << bits >= 1 << 31:
        return None
    return node.emit(
        type(owner)(
            operands[0].source,
            operands[1].source,
            zero_points=[*(steps.zero_point for steps in operands), zero_point],
            left_shift=room,
            rescale=RescaleAttr.get([m for m, _, _ in scales], [s for _, s, _ in scales], rounding),
            clamp=clamp,
            output_type=typed(element, shape_of(owner.output)),
        )
    )


def _common(factors: Sequence[tuple[int, int, Rounding | None]]) -> Rounding | None:
    """The rounding that gives what each has; None if there is none. What is not shifted to the right has any."""
    needed = {rounding for _, shift, rounding in factors if shift < 0 and rounding is not None}
    if len(needed) > 1:
        return None
    return needed.pop() if needed else Rounding.DOUBLE


def _product(
    node: Node, owner: MulOp, zero_point: int, factors: RescaleAttr, clamp: ClampAttr, element: Attribute
) -> SSAValue | None:
    found = [_steps(operand, element) for operand in owner.operands]
    operands = [steps for steps in found if steps is not None and steps.factor is None and steps.shift == 0]
    if len(operands) < 2:
        return None
    return node.emit(
        MulOp(
            operands[0].source,
            operands[1].source,
            zero_points=[*(steps.zero_point for steps in operands), zero_point],
            rescale=factors,
            clamp=clamp,
            output_type=typed(element, shape_of(owner.output)),
        )
    )


def _total(
    node: Node, owner: ReduceSumOp, zero_point: int, factors: RescaleAttr, clamp: ClampAttr, element: Attribute
) -> SSAValue | None:
    axes: set[int] = set()
    source: SSAValue = owner.output
    while isinstance(source.owner, ReduceSumOp) and source.owner.rescale is None:
        axes |= set(ints(source.owner.axes))
        source = source.owner.input
    steps = _steps(source, element)
    if steps is None or steps.factor is not None or steps.shift:
        return None
    return node.emit(
        ReduceSumOp(
            steps.source,
            sorted(axes),
            typed(element, shape_of(owner.output)),
            zero_points=[steps.zero_point, zero_point],
            rescale=factors,
            clamp=clamp,
        )
    )
