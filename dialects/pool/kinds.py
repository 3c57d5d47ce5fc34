"""Kinds of buffers: the attribute `#pool.kind<...>`."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


class BufferKind(StrEnum):
    """Kind of a buffer, as reports and the manifest call it."""

    ACTIVATION = "activation"
    """A tensor that one operator makes and another reads."""
    SCRATCH = "scratch"
    """Working memory inside one operator."""
    INPUT = "input"
    """Written by the application before a run."""
    OUTPUT = "output"
    """Read by the application after a run."""
    STATE = "state"
    """Kept from one run to the next."""
    POISON = "poison"
    """Bytes that nobody owns, in a build for finding mistakes."""


@irdl_attr_definition
class BufferKindAttr(EnumAttribute[BufferKind]):
    """Kind of a buffer: `pool.kind = #pool.kind<state>` on a `memref.alloc`."""

    name = "pool.kind"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> BufferKind:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(BufferKind)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)
