"""Operations that only the regions of a task hold: `task.yield`, `task.index`, `task.taps`."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import Pure

from ..terminator import ValuesTerminator


@irdl_op_definition
class YieldOp(ValuesTerminator):
    """Ends a region of a task with what it computes. Example: `task.yield %acc : i32`."""

    name = "task.yield"
    values = var_operand_def()


@irdl_op_definition
class IndexOp(IRDLOperation):
    """The place of the current point along a dimension, or a named index. Example: `%i = task.index "ox"`."""

    name = "task.index"
    dim = prop_def(StringAttr)
    result = result_def(IndexType())
    traits = traits_def(Pure())
    assembly_format = "$dim attr-dict"

    def __init__(self, dim: str):
        super().__init__(properties={"dim": StringAttr(dim)}, result_types=[IndexType()])


@irdl_op_definition
class TapsOp(IRDLOperation):
    """Number of the fold's points that clipping leaves in. Example: `%n = task.taps`."""

    name = "task.taps"
    result = result_def(IndexType())
    traits = traits_def(Pure())
    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__(result_types=[IndexType()])
