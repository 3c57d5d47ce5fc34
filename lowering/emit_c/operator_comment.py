"""Comment on an operator's call, for reviewers: which one it is, shapes, and where its tensors lie."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ...dialects import nn_keys
from ...dialects.pool import keys
from .places import argument_attributes, place_of


def operator_comment(call: func.CallOp, reads: Sequence[bool]) -> str | None:
    """A line about the call of an operator of a model; None for other calls.

    Args:
        call: before it is lowered.
        reads: whether the called function only reads what an operand points to, for each operand.
    """
    origin = nn_keys.ORIGIN.get(call.attributes)
    if origin is None:
        return None
    row = nn_keys.ROW.get(call.attributes)
    told = [(_told(operand), only_read) for operand, only_read in zip(call.arguments, reads, strict=True)]
    inputs = ", ".join(text for text, only_read in told if text and only_read)
    outputs = ", ".join(text for text, only_read in told if text and not only_read)
    which = f"{origin.opcode.data} {origin.index.data}{'' if row is None else f', row {row}'}"
    return f"{which}: {inputs}{' ' if inputs else ''}-> {outputs}"


def _told(operand: SSAValue) -> str | None:
    """The shape and place of a tensor; None for constants of their own and for pools, which are scratch memory."""
    if not isinstance(operand.type, MemRefType):
        return None
    shape = "x".join(map(str, operand.type.get_shape())) or "scalar"
    place = place_of(operand)
    if place is None:
        return shape
    if isinstance(place.root.owner, memref.GetGlobalOp):
        return None
    attributes = argument_attributes(place.root)
    if (pool := keys.POOL.get(attributes)) is not None:
        return None if operand is place.root else f"{shape} at {pool} + {place.begin}"
    name = nn_keys.NAME.get(attributes)
    return shape if name is None else f"{shape} in {name}"
