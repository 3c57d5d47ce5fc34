"""Alignments that buffers ask of the pools that they may lie in."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, i64
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool import keys
from ....dialects.pool.declare import DeclareOp
from ..analysis.structure import alignment_of, allocs, buffer_name, constants, pools


def is_enough(pool: DeclareOp, buffer: memref.AllocOp | memref.GlobalOp) -> bool:
    """Whether a pool has the buffer's alignment, or may take it."""
    return pool.align is None or pool.alignment >= _alignment(buffer)


def align_pools(module: ModuleOp, least: int) -> None:
    """Give pools that declare no alignment the largest of the buffers that may lie in them, and no less than `least`.

    Raises:
        PassFailedException: a pool declares less than a buffer asks for that may lie in it.
    """
    declared = pools(module)
    needed = dict.fromkeys(declared, 1)
    for buffer in [*allocs(module), *constants(module)]:
        for name in keys.CANDIDATES.get(buffer.attributes) or ():
            pool, alignment = declared[name], _alignment(buffer)
            if not is_enough(pool, buffer):
                raise PassFailedException(
                    f"buffer '{buffer_name(buffer)}' asks for {alignment} bytes of alignment, and pool @{name} is "
                    f"declared with {pool.alignment}: declare it with align {alignment}, or without align"
                )
            needed[name] = max(needed[name], alignment)
    for name, pool in declared.items():
        wanted = max(needed[name], least)
        if pool.align is None and wanted != pool.alignment:
            pool.properties["align"] = IntegerAttr(wanted, i64)


def _alignment(buffer: memref.AllocOp | memref.GlobalOp) -> int:
    type = buffer.type if isinstance(buffer, memref.GlobalOp) else buffer.memref.type
    assert isinstance(type, MemRefType), "buffers are memrefs"
    return alignment_of(buffer, type)
