"""What the definitions of operators in ONNX's text are made of."""

from __future__ import annotations

import numpy as np

from ..reasons import Unsupported
from .node import Node

MOST = 128
"""Parts that a definition may have: a damaged file names any number."""
LARGEST = 4096
"""Numbers that a definition may have along an axis."""


def real(node: Node, name: str, otherwise: float, factor: float = 1.0) -> str:
    """An attribute times a factor as the parser of ONNX's text reads it."""
    value = np.float32(float(node.attributes.get(name, otherwise)) * factor)
    if not np.isfinite(value):
        raise node.malformed(f"{name} is {value}")
    return repr(float(value))


def few(count: int, most: int = MOST) -> int:
    """A number of parts of a definition."""
    if count > most:
        raise Unsupported(f"{count} parts of one operator cannot be compiled")
    return count
