"""Branches of which compilers are told that their condition mostly holds: they make the other one small, not fast."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from ...dialects import emitc
from ...dialects.operations import operations
from ..builder.loops import LIKELY
from .builder import Builder

MACRO = "STILLPOOL_LIKELY"
_DEFINITION = f"""\
#ifndef {MACRO}
#if defined(__GNUC__) || defined(__clang__)
#define {MACRO}(condition) __builtin_expect((condition) ? 1 : 0, 1)
#else
#define {MACRO}(condition) (condition)
#endif
#endif"""


def expected(op: scf.IfOp, condition: SSAValue, build: Builder) -> SSAValue:
    """The condition of a branch as it is tested."""
    return build.call(MACRO, [condition], i1) if LIKELY in op.attributes else condition


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The macro, if one of the branches needs it."""
    is_used = any(isinstance(op, scf.IfOp) and LIKELY in op.attributes for op in operations(module))
    return [emitc.VerbatimOp(_DEFINITION)] if is_used else []
