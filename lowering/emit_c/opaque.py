"""Pointers of which compilers must not know where they point.

What lies in the first 4 KB of a pool is within reach of the pool's own pointer for single words on Arm, but not for two
at a time (LDRD reaches 1 KB): GCC then loads scratch memory word by word.
`sum_walks` says what it is good for where loops add up floats.
"""

from __future__ import annotations

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ...dialects import emitc, task_keys
from ...dialects.operations import all_of, operations
from .builder import Builder
from .sum_walks import walking_loads

MACRO = "STILLPOOL_OPAQUE"
_DEFINITION = f"""\
#ifndef {MACRO}
#if defined(__GNUC__) || defined(__clang__)
#define {MACRO}(pointer) __asm__("" : "+r"(pointer))
#else
#define {MACRO}(pointer) ((void)0)
#endif
#endif"""

_REACH = 4096
"""Bytes that an instruction reaches from a pointer."""


def _is_near(op: Operation) -> bool:
    """Whether it is scratch of 32 bits near the beginning of a pool, in a function with a schedule."""
    if not isinstance(op, memref.ViewOp) or not isinstance(op.source, BlockArgument):
        return False
    function, number = op.source.block.parent_op(), const_evaluate_operand(op.byte_shift)
    is_scheduled = isinstance(function, func.FuncOp) and task_keys.SCHEDULED.within(function.attributes)
    if not is_scheduled or number is None or not 0 < number < _REACH:
        return False
    return op.result.type.element_type == i32


def hide(op: memref.ViewOp, pointer: SSAValue, build: Builder) -> None:
    """Hide where the pointer of a view comes from, if that makes a difference."""
    if _is_near(op):
        hide_from_compilers(pointer, build)


def hide_from_compilers(pointer: SSAValue, build: Builder) -> None:
    """Hide where a pointer comes from."""
    build.add(EmitC_CallOpaqueOp(MACRO, [pointer], []))


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The macro, if a view or a loop needs it."""
    is_used = any(map(_is_near, operations(module))) or any(map(walking_loads, all_of(module, scf.ForOp)))
    return [emitc.VerbatimOp(_DEFINITION)] if is_used else []
