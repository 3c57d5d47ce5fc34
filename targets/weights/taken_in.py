"""Arrays of constants from a module of C, as bytes of one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

from ...dialects.emitc import GlobalOp
from ..c.alignment import alignment
from ..c.literals import dense_array
from ..c.types import declaration
from .assembly import Array


@dataclass(frozen=True)
class Taken:
    """Constants in one file."""

    data: bytes
    arrays: tuple[Array, ...]
    """Where they are, in its order."""
    alignment: int
    """Alignment of the file's address in bytes, which aligns all of them."""


def taken_in(constants: Sequence[GlobalOp]) -> Taken:
    """The constants one behind the other, each at a multiple of its alignment; bytes between them are 0."""
    data, arrays = bytearray(), list[Array]()
    for constant in constants:
        value = constant.initial_value
        assert isinstance(value, DenseIntOrFPElementsAttr), "a constant has a value"
        array = dense_array(value)
        content, aligned = array.tobytes(), max(alignment(constant) or 1, array.itemsize)
        data += bytes(-len(data) % aligned)
        name = constant.sym_name.data
        arrays.append(Array(name, f"const {declaration(constant.type, name)}", len(data), len(content), aligned))
        data += content
    return Taken(bytes(data), tuple(arrays), max((array.alignment for array in arrays), default=1))
