"""Syntax that `mlir-opt` (LLVM 22) prints and xDSL lacks, added to xDSL's own operations in place.

A dialect of the same name cannot be registered beside xDSL's, so its classes are extended: custom formats get parsers,
a few operations properties or operand types, two dialects an operation each. Each dialect's additions have a module,
which adds them when it is imported; the universe sees to that before the dialect is loaded. What concerns the text of
any module is added here. What xDSL has gained is left alone, and `everything.SUPERSEDED` names it, so that it can be
deleted here. Printing stays xDSL's, which `mlir-opt` reads, except where that would lose something.
"""

from __future__ import annotations

from . import literals as literals
from . import strings as strings

EXTENDED = ("affine", "arith", "memref", "scf", "vector")
"""Dialects for which a module of that name has additions."""
