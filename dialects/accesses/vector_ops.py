"""Accesses of upstream's `vector`: rows of elements, some of which a mask or the end of the memref may leave out."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import vector
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr

from .access import Access, answers_for


@answers_for(vector.LoadOp)
def _load(op: vector.LoadOp) -> Sequence[Access]:
    return (_row(op.base, op.indices, op.result.type, is_write=False),)


@answers_for(vector.StoreOp)
def _store(op: vector.StoreOp) -> Sequence[Access]:
    return (_row(op.base, op.indices, op.vector.type, is_write=True),)


@answers_for(vector.MaskedLoadOp)
def _masked_load(op: vector.MaskedLoadOp) -> Sequence[Access]:
    return (_row(op.base, op.indices, op.result.type, is_write=False, is_sure=False),)


@answers_for(vector.MaskedStoreOp)
def _masked_store(op: vector.MaskedStoreOp) -> Sequence[Access]:
    return (_row(op.base, op.indices, op.value_to_store.type, is_write=True, is_sure=False),)


@answers_for(vector.TransferReadOp)
def _transfer_read(op: vector.TransferReadOp) -> Sequence[Access]:
    return _transfer(op, op.result.type, is_write=False)


@answers_for(vector.TransferWriteOp)
def _transfer_write(op: vector.TransferWriteOp) -> Sequence[Access]:
    return _transfer(op, op.vector.type, is_write=True)


def _row(
    base: SSAValue, indices: Sequence[SSAValue], type: Attribute, *, is_write: bool, is_sure: bool = True
) -> Access:
    """Along the last dimensions of the memref."""
    assert isinstance(type, VectorType), "vectors are loaded and stored"
    extents = type.get_shape()
    return Access(base, is_write, tuple(indices), (*(1,) * (len(indices) - len(extents)), *extents), is_sure)


def _transfer(
    op: vector.TransferReadOp | vector.TransferWriteOp, type: Attribute, *, is_write: bool
) -> Sequence[Access]:
    """Along the dimensions that the map names."""
    if not isinstance(op.source.type, MemRefType):
        return ()
    assert isinstance(type, VectorType), "vectors are transferred"
    shape = [1] * len(op.indices)
    for dimension, extent in zip(op.permutation_map.data.results, type.get_shape(), strict=True):
        if isinstance(dimension, AffineDimExpr):
            shape[dimension.position] = extent
    is_sure = op.mask is None and all(bool(flag.value.data) for flag in op.in_bounds)
    is_in_rows = op.permutation_map.data.is_minor_identity()
    return (Access(op.source, is_write, tuple(op.indices), tuple(shape), is_sure, is_in_rows),)
