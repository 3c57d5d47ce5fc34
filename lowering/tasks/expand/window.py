"""Bytes that one point of a nest reads: runs of them, in rows and columns."""

from __future__ import annotations

from math import prod

from ....dialects.simd.dots import Runs
from ....dialects.task import NestOp
from ....dialects.task.join import decided_dims
from ....dialects.task.lanes import run_of
from ....dialects.task.syntax import Access
from ..lanes.window import rows_and_columns

_LEAST_RUN = 8
"""Bytes side by side from which on they are read where they lie."""


def window_of(nest: NestOp, access: Access) -> Runs | None:
    """The bytes of a point that an access reads, where nothing is clipped; None if they had better be copied first."""
    folds = range(len(nest.space.data), len(nest.extents))
    if not decided_dims(nest, access).isdisjoint(folds):
        return None
    outer = len(folds) - run_of(nest, access)
    count, found = prod(nest.extents[d] for d in folds[outer:]), rows_and_columns(nest, access, folds[:outer])
    if found is None:
        return None
    extents, steps = found
    if min(steps) < 0 or (prod(extents) > 1 and count < _LEAST_RUN):
        return None
    return Runs(extents, steps, count)
