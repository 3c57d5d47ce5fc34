"""The pass `usmp-align`: buffers and constants get an alignment, and buffers whole cache lines.

For devices that read and write memory past the processor's cache: a line that a buffer shares with another one could be
written back over what the device has put there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool import keys
from ....errors import close_names
from ..analysis.structure import allocs, buffer_name, constants


@dataclass(frozen=True)
class UsmpAlignPass(ModulePass):
    """Align buffers by name; their bytes are rounded up to whole lines, which they share with no other buffer."""

    name: ClassVar[str] = "usmp-align"

    alignments: tuple[str, ...]
    """`PATTERN=N`: buffers and constants whose name matches (`*`, `?`, `[...]`) begin at multiples of N, a power of
    two."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for text in self.alignments:
            pattern, _, number = text.rpartition("=")
            if not number.isdecimal() or not (alignment := int(number)) or alignment & (alignment - 1) or not pattern:
                raise PassFailedException(f"alignment '{text}' is not PATTERN=N with N a power of two")
            everything = [*allocs(op), *constants(op)]
            matching = [buffer for buffer in everything if fnmatchcase(buffer_name(buffer), pattern)]
            if not matching:
                names = sorted({buffer_name(buffer) for buffer in everything})
                close = [f"'{name}'" for name in close_names(pattern, names)]
                like = f"; close are {', '.join(close)}" if close else ""
                raise PassFailedException(f"alignment '{text}' matches none of the {len(names)} buffers{like}")
            for buffer in matching:
                align(buffer, alignment)


def align(buffer: memref.AllocOp | memref.GlobalOp, alignment: int) -> None:
    """Let a buffer begin at multiples of `alignment`, and own all lines of so many bytes that it touches."""
    if alignment == 1:
        return
    known = 1 if buffer.alignment is None else buffer.alignment.value.data
    buffer.properties["alignment"] = IntegerAttr(max(known, alignment), i64)
    if isinstance(buffer, memref.AllocOp):
        keys.LINE.put(buffer.attributes, max(keys.LINE.get(buffer.attributes) or 1, alignment))
