"""Operations that work on each element by itself: all of `arith` and `math`, and constants."""

from __future__ import annotations

from typing import Any

from xdsl.builder import Builder
from xdsl.dialects import arith, math, ub, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from .elements import Elements, Handlers, count, element, is_vector, zero


def lower_elementwise(op: Operation, elements: Elements, build: Builder) -> None:
    """One scalar operation per element, with the same attributes; a scalar operand goes to all of them."""
    total = max(count(value.type) for value in (*op.operands, *op.results))
    operands = [elements[operand] for operand in op.operands]
    made: list[Operation] = []
    for number in range(total):
        scalar = op.create(
            operands=[values[number % len(values)] for values in operands],
            result_types=[element(result.type) for result in op.results],
            attributes=op.attributes,
            properties=op.properties,
        )
        scalar.location = op.location
        made.append(build.insert(scalar))
    for index, result in enumerate(op.results):
        elements[result] = [scalar.results[index] for scalar in made]


def is_elementwise(op: Operation) -> bool:
    """Whether an operation's elements do not depend on each other."""
    return isinstance(op, tuple(ELEMENTWISE))


def _constant(op: arith.ConstantOp, elements: Elements, build: Builder) -> None:
    value = op.value
    if not isinstance(value, DenseIntOrFPElementsAttr):
        raise PassFailedException(f"'{op.name}' op of {op.result.type} has no elements")
    seen: dict[Any, SSAValue] = {}
    for attribute in value.iter_attrs():
        if attribute not in seen:
            seen[attribute] = build.insert(arith.ConstantOp(attribute)).result
    elements[op.result] = [seen[attribute] for attribute in value.iter_attrs()]


def _poison(op: ub.PoisonOp, elements: Elements, build: Builder) -> None:
    """Poison may be any value; it is zero here."""
    value = zero(build, element(op.result.type))
    if is_vector(op.result.type):
        elements[op.result] = [value] * count(op.result.type)
    else:
        op.result.replace_all_uses_with(value)


def _fma(op: vector.FMAOp, elements: Elements, build: Builder) -> None:
    operands = zip(elements[op.lhs], elements[op.rhs], elements[op.acc], strict=True)
    elements[op.res] = [build.insert(math.FmaOp(*three)).result for three in operands]


ELEMENTWISE = (*arith.Arith.operations, *math.Math.operations)
"""The operations that `lower_elementwise` takes; constants have a handler."""

HANDLERS: Handlers = {arith.ConstantOp: _constant, ub.PoisonOp: _poison, vector.FMAOp: _fma}
