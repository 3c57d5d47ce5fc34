"""Aligned arrays: the macro that every C and C++ compiler has a word for."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

ALIGNMENT = "alignment"
"""Attribute of `emitc.variable` and `emitc.global`: what the address must be a multiple of, in bytes.

Upstream's `emitc` has no alignment: `mlir-translate` leaves it out.
"""

MACRO = """\
#ifndef STILLPOOL_ALIGNED
/* Put before the declaration of an array to align it to n bytes. */
#if defined(__GNUC__) || defined(__clang__) || defined(__ICCARM__)
#define STILLPOOL_ALIGNED(n) __attribute__((aligned(n)))
#elif defined(_MSC_VER)
#define STILLPOOL_ALIGNED(n) __declspec(align(n))
#elif defined(__cplusplus)
#define STILLPOOL_ALIGNED(n) alignas(n)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define STILLPOOL_ALIGNED(n) _Alignas(n)
#else
#define STILLPOOL_ALIGNED(n)
#endif
#endif
"""


def alignment(op: Operation) -> int | None:
    """The alignment that an operation asks for what it declares, if any."""
    value = op.attributes.get(ALIGNMENT)
    return value.value.data if isinstance(value, IntegerAttr) else None


def specifier(op: Operation) -> str:
    """Text before the declaration."""
    asked = alignment(op)
    return "" if asked is None else f"STILLPOOL_ALIGNED({asked}) "
