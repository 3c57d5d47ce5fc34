"""Memory spaces of memrefs: the name of a pool."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, NoneAttr, StringAttr, SymbolRefAttr
from xdsl.utils.exceptions import PassFailedException

from .structure import buffer_name


def pool_of_space(buffer: memref.AllocOp | memref.GlobalOp) -> str | None:
    """The pool that the buffer's memory space names: "dtcm" or @dtcm; None if it lies in the default space.

    Raises:
        PassFailedException: the memory space is a number other than 0, or another attribute.
    """
    type = buffer.type if isinstance(buffer, memref.GlobalOp) else buffer.memref.type
    assert isinstance(type, MemRefType), "buffers are memrefs"
    match space := type.memory_space:
        case NoneAttr():
            return None
        case IntegerAttr() if space.value.data == 0:
            return None
        case StringAttr():
            return space.data
        case SymbolRefAttr():
            return space.string_value()
        case _:
            raise PassFailedException(
                f"buffer '{buffer_name(buffer)}' has memory space {space}, which names no pool: write the memory space "
                'as the name of a pool, "dtcm" for @dtcm, or say pool.candidates = [@dtcm]'
            )
