"""The attribute of `func.func` that MLIR's inliner reads."""

from __future__ import annotations

from .key import FLAG, Key

NO_INLINE = Key("no_inline", FLAG)
"""Compilers must not put the function into its callers."""
