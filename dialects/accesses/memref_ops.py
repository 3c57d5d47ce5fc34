"""Accesses of upstream's `memref`, and of what leaves a function."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType

from .access import Access, answers_for


@answers_for(memref.LoadOp)
def _load(op: memref.LoadOp) -> Sequence[Access]:
    return (Access.element(op.memref, op.indices, is_write=False),)


@answers_for(memref.StoreOp)
def _store(op: memref.StoreOp) -> Sequence[Access]:
    return (Access.element(op.memref, op.indices, is_write=True),)


@answers_for(memref.CopyOp)
def _copy(op: memref.CopyOp) -> Sequence[Access]:
    return Access(op.source, is_write=False), Access(op.destination, is_write=True)


@answers_for(memref.DeallocOp)
def _dealloc(_: memref.DeallocOp) -> Sequence[Access]:
    """Touches no byte: C has no heap."""
    return ()


@answers_for(memref.DimOp)
def _dim(_: memref.DimOp) -> Sequence[Access]:
    """Asks for the shape, not for elements."""
    return ()


@answers_for(memref.RankOp)
def _rank(_: memref.RankOp) -> Sequence[Access]:
    """Likewise."""
    return ()


@answers_for(func.ReturnOp)
def _return(op: func.ReturnOp) -> Sequence[Access]:
    """The caller reads what it is given."""
    return [Access(value, is_write=False) for value in op.operands if isinstance(value.type, MemRefType)]
