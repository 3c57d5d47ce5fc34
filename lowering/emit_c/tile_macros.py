"""Macros that tell whether functions over whole tiles are assembly, for all families of them."""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects import emitc
from . import dual_products, tile_bytes, unpack_points, window_loops

_MACROS = """\
#if defined(__ARM_FEATURE_SIMD32) && defined(__ARM_FEATURE_UNALIGNED) && defined(__thumb2__) && defined(__GNUC__) && \\
  defined(__OPTIMIZE__) && !defined(__ARM_BIG_ENDIAN) && !defined(__PIC__) && !defined(__ARM_RWPI) && \\
  !defined(STILLPOOL_PORTABLE)
#define STILLPOOL_TILE static inline __attribute__((always_inline))
#define STILLPOOL_TILE_ASSEMBLY
#else
#define STILLPOOL_TILE static inline
#endif"""
"""Without optimisation, and where r9 is the data's, compilers do not give away as many registers. Words of bytes are
read wherever they lie."""


def names(module: Operation) -> list[str]:
    """No function has one of them as its name."""
    return []


def definitions(module: Operation) -> list[emitc.VerbatimOp]:
    """The macros, in front of all that uses them."""
    families = (dual_products, tile_bytes, unpack_points, window_loops)
    return [emitc.VerbatimOp(_MACROS)] if any(family.KERNELS.names(module) for family in families) else []
