"""Dense literals of floats given as bits: `dense<0xFF800000> : vector<4xf32>` is minus infinity.

xDSL 0.74 reads the bits as the number 4286578688, without a word.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, Float32Type
from xdsl.parser import AttrParser, Parser
from xdsl.utils.lexer import Input, Span

from .patch import Patch, superseded

_TEXT = "0xFF800000"
_Element: Any = AttrParser._TensorLiteralElement  # pyright: ignore[reportPrivateUsage]


def _is_needed() -> bool:
    read = _Element(False, int(_TEXT, 16), Span(0, len(_TEXT), Input(_TEXT, "")))
    return read.to_type(Parser(Context(), _TEXT), Float32Type()) != -math.inf


def _add() -> None:
    to_type: Callable[..., Any] = _Element.to_type

    def of_bits(self: Any, parser: AttrParser, type: Any) -> Any:
        if isinstance(type, AnyFloat) and self.span.text[:2].lower() == "0x":
            if self.value >= 1 << 8 * type.size:
                parser.raise_error(f"{self.span.text} has more bits than {type}", self.span)
            return type.unpack(self.value.to_bytes(type.size, "little"), 1)[0]
        return to_type(self, parser, type)

    _Element.to_type = of_bits


PATCHES: tuple[Patch, ...] = (Patch("dense literals: floats as bits", _is_needed, _add),)

SUPERSEDED = superseded(PATCHES)
