"""All of `arith`."""

from __future__ import annotations

from . import arith_cast, arith_compare, arith_float, arith_integer
from .lowering import Patterns

PATTERNS: Patterns = {
    **arith_cast.PATTERNS,
    **arith_compare.PATTERNS,
    **arith_float.PATTERNS,
    **arith_integer.PATTERNS,
}
