"""Inputs of a model that are indices: random ones must keep to what makes sense."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from ...dialects import nn_keys
from ...dialects.nn.interfaces import TakesIndices, View
from ...dialects.nn.movement import Movement
from ...dialects.nn.quantise import CastOp


def index_limits(argument: SSAValue) -> dict[str, Attribute]:
    """The attribute `nn.limits` of an argument that is used as indices: the least and the largest of them.

    Its elements may be moved and cast before: models take indices as floats too.
    """
    bounds: list[int] = []
    waiting = [argument]
    while waiting:
        value = waiting.pop()
        for use in value.uses:
            match use.operation:
                case TakesIndices() if use.operation.index_bound()[0] is value:
                    bounds.append(use.operation.index_bound()[1])
                case View() | Movement() | CastOp():
                    waiting += use.operation.results
                case _:
                    pass
    return nn_keys.LIMITS.item([0, min(bounds) - 1]) if bounds else {}
