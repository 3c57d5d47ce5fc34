"""The operations of upstream's `emitc` dialect (LLVM 22) that xDSL lacks, added to xDSL's `EmitC` in place.

A dialect of the same name cannot be registered beside xDSL's, so its list of operations is extended. That list is
private to xDSL; this module is the only place that touches it, and an operation that xDSL has gained is left alone.
"""

from __future__ import annotations

from xdsl.dialects.emitc import EmitC
from xdsl.ir import Operation

from . import arithmetic, control_flow, expressions, function_ops, translation_unit, variables
from . import types as types
from .arithmetic import (
    BitwiseAndOp,
    BitwiseLeftShiftOp,
    BitwiseNotOp,
    BitwiseOrOp,
    BitwiseRightShiftOp,
    BitwiseXorOp,
    CastOp,
    CmpOp,
    ConditionalOp,
    DivOp,
    LogicalAndOp,
    LogicalNotOp,
    LogicalOrOp,
    MulOp,
    RemOp,
    SubOp,
    UnaryMinusOp,
    UnaryPlusOp,
)
from .control_flow import DoOp, ForOp, IfOp, SwitchOp, YieldOp
from .expressions import ExpressionOp
from .function_ops import CallOp, DeclareFuncOp, FuncOp, ReturnOp
from .translation_unit import ClassOp, FieldOp, FileOp, GetFieldOp, GlobalOp, IncludeOp, VerbatimOp
from .variables import (
    AddressOfOp,
    AssignOp,
    ConstantOp,
    DereferenceOp,
    GetGlobalOp,
    LiteralOp,
    LoadOp,
    MemberOfPtrOp,
    MemberOp,
    SubscriptOp,
    VariableOp,
)

__all__ = [
    "ADDED",
    "AddressOfOp",
    "AssignOp",
    "BitwiseAndOp",
    "BitwiseLeftShiftOp",
    "BitwiseNotOp",
    "BitwiseOrOp",
    "BitwiseRightShiftOp",
    "BitwiseXorOp",
    "CallOp",
    "CastOp",
    "ClassOp",
    "CmpOp",
    "ConditionalOp",
    "ConstantOp",
    "DeclareFuncOp",
    "DereferenceOp",
    "DivOp",
    "DoOp",
    "ExpressionOp",
    "FieldOp",
    "FileOp",
    "ForOp",
    "FuncOp",
    "GetFieldOp",
    "GetGlobalOp",
    "GlobalOp",
    "IfOp",
    "IncludeOp",
    "LiteralOp",
    "LoadOp",
    "LogicalAndOp",
    "LogicalNotOp",
    "LogicalOrOp",
    "MemberOfPtrOp",
    "MemberOp",
    "MulOp",
    "RemOp",
    "ReturnOp",
    "SubOp",
    "SubscriptOp",
    "SwitchOp",
    "UnaryMinusOp",
    "UnaryPlusOp",
    "VariableOp",
    "VerbatimOp",
    "YieldOp",
]

ADDED: tuple[type[Operation], ...] = (
    *arithmetic.OPS,
    *variables.OPS,
    *control_flow.OPS,
    *expressions.OPS,
    *function_ops.OPS,
    *translation_unit.OPS,
)
"""The operations of this package."""


def _extend() -> None:
    present = {op.name for op in EmitC.operations}
    EmitC._operations.extend(op for op in ADDED if op.name not in present)  # pyright: ignore


_extend()
