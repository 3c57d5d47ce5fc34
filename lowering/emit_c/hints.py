"""What compilers are told that C cannot say, in macros that mean nothing to others than GCC and clang.

Functions must not be put into their callers. Branches have a condition that mostly holds: compilers make the other one
small, not fast. Pointers are such that nobody must know where they point: what lies in the first 4 KB of a pool is
within reach of the pool's own pointer for single words on Arm, but not for two at a time (LDRD reaches 1 KB), and GCC
then loads scratch memory word by word. `sum_walks` says what that is good for where loops add up floats.
"""

from __future__ import annotations

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import ModuleOp, i1, i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ...dialects import emitc, func_keys, task_keys
from ...dialects.operations import all_of
from ..builder import loops
from .builder import Builder
from .sum_walks import walking_loads

_NO_INLINE, _LIKELY, _OPAQUE = "STILLPOOL_NO_INLINE", "STILLPOOL_LIKELY", "STILLPOOL_OPAQUE"
_MEANINGS = {
    _NO_INLINE: ("", " __attribute__((noinline))", ""),
    _LIKELY: ("(condition)", " __builtin_expect((condition) ? 1 : 0, 1)", " (condition)"),
    _OPAQUE: ("(pointer)", ' __asm__("" : "+r"(pointer))', " ((void)0)"),
}
"""Parameters of each macro, what GCC and clang are told, and what others are."""
_REACH = 4096
"""Bytes that an instruction reaches from a pointer."""


def definitions(module: ModuleOp) -> list[emitc.VerbatimOp]:
    """The macros that functions, branches, views and loops of a module need."""
    used = {
        _NO_INLINE: any(map(specifiers, module.ops)),
        _LIKELY: any(map(_is_likely, all_of(module, scf.IfOp))),
        _OPAQUE: any(map(_is_near, all_of(module, memref.ViewOp)))
        or any(map(walking_loads, all_of(module, scf.ForOp))),
    }
    return [emitc.VerbatimOp(_definition(macro)) for macro, is_used in used.items() if is_used]


def _definition(macro: str) -> str:
    parameters, told, otherwise = _MEANINGS[macro]
    return f"""\
#ifndef {macro}
#if defined(__GNUC__) || defined(__clang__)
#define {macro}{parameters}{told}
#else
#define {macro}{parameters}{otherwise}
#endif
#endif"""


def specifiers(op: Operation) -> tuple[str, ...]:
    """Return the specifiers in front of a function that is not inlined."""
    return (_NO_INLINE,) if func_keys.NO_INLINE.within(op.attributes) else ()


def _is_likely(op: scf.IfOp) -> bool:
    return loops.LIKELY in op.attributes


def expected(op: scf.IfOp, condition: SSAValue, build: Builder) -> SSAValue:
    """The condition of a branch as it is tested."""
    return build.call(_LIKELY, [condition], i1) if _is_likely(op) else condition


def _is_near(op: memref.ViewOp) -> bool:
    """Whether it is scratch of 32 bits near the beginning of a pool, in a function with a schedule."""
    if not isinstance(op.source, BlockArgument):
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
    build.add(EmitC_CallOpaqueOp(_OPAQUE, [pointer], []))
