"""Constants that are read along another dimension than their last, turned so that lanes lie side by side."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.ir import SSAValue

from ....dialects.task import NestOp
from ....dialects.task.lanes import lane_axis
from ..dual.constants import Constants

_ELEMENTS = {8: np.int8, 16: np.int16, 32: np.int32}


def axes_to_turn(nest: NestOp, dim: int, groups: tuple[str, ...]) -> Mapping[SSAValue, int]:
    """The dimension that must be the last, of each operand of which it is another one.

    Args:
        nest: the nest.
        dim: the dimension of the space whose points are lanes.
        groups: what it reads.

    Raises:
        ValueError: an operand has no such dimension, or several.
    """
    found: dict[SSAValue, int] = {}
    last: set[SSAValue] = set()
    for group in groups:
        for access in nest.accesses(group):
            axis = lane_axis(nest, access, dim)
            if axis is not None and axis != len(access.indices) - 1:
                found.setdefault(access.buffer, axis)
            else:
                last.add(access.buffer)
            if found.get(access.buffer, axis) != axis or (access.buffer in found and access.buffer in last):
                raise ValueError(f"lanes: {access.buffer.type} is read along several dimensions")
    return found


def may_turn(nest: NestOp, operand: SSAValue, constants: Constants) -> bool:
    """Whether an operand is a constant that this nest alone reads."""
    return constants.uses(operand) is not None and all(use.operation is nest for use in operand.uses)


def turn(nest: NestOp, dim: int, groups: tuple[str, ...], constants: Constants) -> Mapping[SSAValue, int]:
    """Turn constants; returns for each the dimension that has become the last.

    Raises:
        ValueError: what would have to be turned is no constant that the nest alone reads.
    """
    found: dict[SSAValue, int] = {}
    for operand, axis in axes_to_turn(nest, dim, groups).items():
        if not may_turn(nest, operand, constants):
            raise ValueError(f"lanes: {operand.type} is no constant of this nest alone, whose elements could be turned")
        at = next(n for n, each in enumerate(nest.operands) if each is operand)
        uses, type = constants.uses(operand), operand.type
        assert uses is not None and isinstance(type, MemRefType), "a constant"
        element = type.element_type
        assert isinstance(element, IntegerType), "verified"
        dtype = _ELEMENTS[element.width.data]
        turned = [np.ascontiguousarray(np.moveaxis(constants.numbers(use), axis, -1)).astype(dtype) for use in uses]
        constants.replace(operand, uses, turned)
        found[nest.operands[at]] = axis
    return found
