"""Inputs of a model that are indices or divisors: random ones must keep to what makes sense."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerType
from xdsl.ir import Attribute, SSAValue

from ..dialects import nn_keys
from ..dialects.nn.element_functions import Binary, BinaryOp
from ..dialects.nn.elementwise import DivOp
from ..dialects.nn.integers import integer_range
from ..dialects.nn.interfaces import TakesIndices, View, element_type_of
from ..dialects.nn.movement import Movement
from ..dialects.nn.quantise import CastOp


def with_limits(interface: ArrayAttr[DictionaryAttr], arguments: Sequence[SSAValue]) -> ArrayAttr[DictionaryAttr]:
    """Attributes of arguments, with `nn.limits` where they are used so."""
    return ArrayAttr(
        DictionaryAttr({**entry.data, **index_limits(argument)})
        for entry, argument in zip(interface, arguments, strict=True)
    )


def index_limits(argument: SSAValue) -> dict[str, Attribute]:
    """The attribute `nn.limits` of an argument that is used as indices or as integers to divide by: the least and the
    largest of them.

    Its elements may be moved and cast before: models take indices as floats too. An operation on the way may bear the
    attribute itself, where an importer knows what the elements are for.
    """
    bounds: list[tuple[int, int]] = []
    waiting = [argument]
    while waiting:
        value = waiting.pop()
        for use in value.uses:
            known = nn_keys.LIMITS.get(use.operation.attributes)
            match use.operation:
                case _ if known is not None:
                    bounds.append((known[0], known[1]))
                case TakesIndices() if use.operation.index_bound()[0] is value:
                    bounds.append((0, use.operation.index_bound()[1] - 1))
                case DivOp(rhs=divisor) | BinaryOp(rhs=divisor) if divisor is value:
                    bounds += _divisors(use.operation)
                case View() | Movement() | CastOp():
                    waiting += use.operation.results
                case _:
                    pass
    least, most = max((low for low, _ in bounds), default=0), min((high for _, high in bounds), default=-1)
    return nn_keys.LIMITS.item([least, most]) if least <= most else {}


def _divisors(op: DivOp | BinaryOp) -> list[tuple[int, int]]:
    """The larger of both sides of 0 among the integers that an operation divides by: interpreters refuse 0 itself."""
    element = element_type_of(op.rhs)
    is_division = isinstance(op, DivOp) or op.function.data in (Binary.FLOOR_DIV, Binary.FLOOR_MOD)
    if not is_division or not isinstance(element, IntegerType):
        return []
    quantised = op.quantised if isinstance(op, DivOp) else None
    zero = 0 if quantised is None else quantised.zero_points[1]
    least, most = integer_range(element)
    # Of sides that are about as large the upper one.
    return [(zero + 1, most)] if 2 * zero <= least + most + 1 else [(least, zero - 1)]
