"""Bytes that one point of a nest reads: runs of them, in rows and columns."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import MemRefType

from ....dialects.simd.dots import Runs
from ....dialects.strides import row_major
from ....dialects.task import NestOp
from ....dialects.task.join import decided_dims
from ....dialects.task.lanes import run_of
from ....dialects.task.syntax import Access

_LEAST_RUN = 8
"""Bytes side by side from which on they are read where they lie."""


def window_of(nest: NestOp, access: Access) -> Runs | None:
    """The bytes of a point that an access reads, where nothing is clipped; None if they had better be copied first."""
    type, first_fold = access.buffer.type, len(nest.space.data)
    assert isinstance(type, MemRefType), "operands are memrefs"
    folds, run = nest.extents[first_fold:], run_of(nest, access)
    count = prod(folds[len(folds) - run :])
    if decided_dims(nest, access) & {*range(first_fold, len(nest.extents))}:
        return None
    strides, wide = row_major(type.get_shape()), list[tuple[int, int]]()
    for dim, extent in enumerate(folds[: len(folds) - run], first_fold):
        factors = [nest.form(index).coefficient(dim) for index in access.indices]
        step = sum(factor * stride for factor, stride in zip(factors, strides, strict=True))
        if extent > 1:
            wide.append((extent, step))
    if len(wide) > 2 or any(step < 0 for _, step in wide) or (wide and count < _LEAST_RUN):
        return None
    (rows, row), (columns, column) = [(1, 0)] * (2 - len(wide)) + wide
    return Runs((rows, columns), (row, column), count)
