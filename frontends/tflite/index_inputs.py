"""Inputs of a model that are indices: random ones must keep to what makes sense."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from ...dialects import nn_keys
from ...dialects.nn.interfaces import TakesIndices, View


def index_limits(argument: SSAValue) -> dict[str, Attribute]:
    """The attribute `nn.limits` of an argument that is used as indices: the least and the largest of them."""
    bounds: list[int] = []
    waiting = [argument]
    while waiting:
        value = waiting.pop()
        for use in value.uses:
            match use.operation:
                case View():
                    waiting += use.operation.results
                case TakesIndices():
                    operand, bound = use.operation.index_bound()
                    bounds += [bound] if operand is value else []
                case _:
                    pass
    return nn_keys.LIMITS.item([0, min(bounds) - 1]) if bounds else {}
