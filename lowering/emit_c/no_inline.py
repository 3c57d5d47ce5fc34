"""Functions that compilers must not put into their callers."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.func_keys import NO_INLINE

_SPECIFIER = "STILLPOOL_NO_INLINE"
_DEFINITION = f"""\
#ifndef {_SPECIFIER}
#if defined(__GNUC__) || defined(__clang__)
#define {_SPECIFIER} __attribute__((noinline))
#else
#define {_SPECIFIER}
#endif
#endif"""


def specifiers(op: Operation) -> tuple[str, ...]:
    """Return the specifiers in front of a function that is not inlined."""
    return (_SPECIFIER,) if NO_INLINE.within(op.attributes) else ()


def definitions(functions: Iterable[Operation]) -> list[emitc.VerbatimOp]:
    """The macro, if one of the functions needs it."""
    return [emitc.VerbatimOp(_DEFINITION)] if any(map(specifiers, functions)) else []
