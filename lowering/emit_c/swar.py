"""Sums of two channels in one word in C: a loop, and the same in assembly for Armv6-M.

Compilers keep half of its eight registers in memory, which takes about twice the instructions.
"""

from __future__ import annotations

from ...dialects.simd.instruction import function_of
from ...dialects.simd.tiles import SWAR_POINTS, SwarProductsOp
from ..kernels.armv6m.swar_products import swar_products
from ..kernels.thumb import Variable, statement
from .c_function import Bodies, Extension, Function, Kernels, Meant

_WINDOWS = 4
"""Of two numbers each, in one pass of the long loop."""

_MACRO = """\
#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1 && defined(__GNUC__) && defined(__OPTIMIZE__) && \\
  !defined(__PIC__) && !defined(__ARM_RWPI) && !defined(STILLPOOL_PORTABLE)
#define STILLPOOL_ARMV6M
#endif"""
"""Armv6-M has the 16-bit instructions alone; compilers need registers of their own without optimisation."""
_COMMENT = """\
Tile: 4 channels. Each word holds weights of two channels, lower + 65536 * upper, so that one product adds to both.
 * Order: two numbers; of them the words of the first two channels, then of the others. Two products fit 16 bits."""


def _bodies() -> Bodies:
    inputs = [
        Variable("number", "const int32_t *", "numbers"),
        Variable("word", "const int32_t *", "words"),
        Variable("end", "const int32_t *", "numbers + count"),
        Variable("sum", "int32_t *", "sums"),
        Variable("last", "const int32_t *", f"numbers + count % {SWAR_POINTS * _WINDOWS}"),
    ]
    return Bodies(statement(swar_products(_WINDOWS), inputs), _COMMENT)


def _products(op: SwarProductsOp) -> Function:
    return Meant(function_of(op), op, Extension("STILLPOOL_ARMV6M"), _bodies)


KERNELS = Kernels({SwarProductsOp: _products}, [_MACRO])
