"""`external.operator`: a function around the call, in which its scratch is planned with everything else."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, IntegerType, Signedness, f32, i1, i8, i16, i32, i64
from xdsl.dialects.memref import AllocOp

from ....dialects.custom_types import TYPES
from ....dialects.external import CallOp, OperatorOp
from ....dialects.nn.interfaces import element_type_of
from ..kernel import Kernel
from ..registry import lowers
from .custom import type_name

LEAST_ALIGNMENT = 8
"""Least alignment of scratch memory: functions put numbers of any type there."""


@lowers(OperatorOp, (f32, i1, i8, IntegerType(8, Signedness.UNSIGNED), i16, i32, i64))
def lower_external(op: OperatorOp, k: Kernel) -> None:
    """One call with all buffers."""
    names = [name.data for name in op.names]
    inputs = [k.input(value, name) for name, value in zip(names, op.inputs, strict=False)]
    outputs = [k.output(value, name) for name, value in zip(names[len(inputs) :], op.outputs, strict=True)]
    types = [TYPES.index(type_name(element_type_of(value))) for value in (*op.inputs, *op.outputs)]
    wishes = op.wishes
    scratch = None
    if wishes.scratch:
        scratch = k.scratch([wishes.scratch], i8, f"{op.function.data}_scratch")
        assert isinstance(scratch.owner, AllocOp), "scratch is a buffer"
        scratch.owner.properties["alignment"] = IntegerAttr(max(wishes.alignment, LEAST_ALIGNMENT), i64)
    k.builder.insert(CallOp(op, inputs, outputs, scratch, types))
