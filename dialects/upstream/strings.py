"""String literals that do not end: xDSL 0.74 looks for their end in a time that grows exponentially with their length.

Its regular expression nests two repetitions, `(?:[^"]+|...)*`, so that a text without a closing quotation mark can be
divided in 2^n ways, and it tries them all: forty characters after a stray quotation mark take hours. Repetitions that
give nothing back (`++`) find the same strings in one pass.
"""

from __future__ import annotations

import re

from xdsl.utils.mlir_lexer import MLIRLexer

from .patch import Patch, superseded

_NESTED = r'[^"\\\n\v\f]+|'


def _is_needed() -> bool:
    return _NESTED in MLIRLexer._unescaped_characters_regex.pattern  # pyright: ignore[reportPrivateUsage]


def _add() -> None:
    pattern = MLIRLexer._unescaped_characters_regex.pattern  # pyright: ignore[reportPrivateUsage]
    linear = re.compile(pattern.replace(_NESTED, _NESTED.replace("+|", "++|")))
    MLIRLexer._unescaped_characters_regex = linear  # pyright: ignore[reportPrivateUsage]


PATCHES: tuple[Patch, ...] = (Patch("string literals: one pass", _is_needed, _add),)

SUPERSEDED = superseded(PATCHES)
