"""Syntax that `mlir-opt` (LLVM 22) prints and xDSL lacks, added to xDSL's own operations in place.

A dialect of the same name cannot be registered beside xDSL's, so its classes are extended: custom formats get parsers,
a few operations properties or operand types, two dialects an operation each. What xDSL has gained is left alone, and
`SUPERSEDED` names it, so that it can be deleted here. Printing stays xDSL's, which `mlir-opt` reads, except where that
would lose something.
"""

from __future__ import annotations

from . import affine, arith, literals, memref, scf, strings, vector
from .patch import Patch

__all__ = ["PATCHES", "SUPERSEDED"]

PATCHES: tuple[Patch, ...] = tuple(
    patch for family in (affine, arith, literals, memref, scf, strings, vector) for patch in family.PATCHES
)
"""All of them, whether needed or not."""

SUPERSEDED: tuple[str, ...] = tuple(patch.what for patch in PATCHES if not patch.apply())
"""Operations that xDSL can read by itself by now."""
