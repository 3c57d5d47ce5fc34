"""Which bytes a window over four channels reads, where the processor takes all of its taps in one operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import SSAValue

from ....dialects.simd.windows import CLIPPED, Taps
from ....dialects.simd.words import BYTES
from ....dialects.strides import row_major
from ....dialects.task import JoinOp, NestOp
from ....dialects.task.products import Factor
from ....dialects.task.syntax import Access
from ...kernels.armv7em.windows import MOST_MEMREFS, sum_taps
from ...kernels.thumb import fits


@dataclass(frozen=True)
class Window:
    """Window that is read."""

    taps: Taps
    first: int
    """The number of the tap from which their places count."""
    beside: tuple[SSAValue, ...]
    """Further memrefs that it reads at the same places as that of the first tap."""


def taps_of(
    nest: NestOp, access: Access, folds: Sequence[Sequence[int]], inside: Sequence[bool], factor: Factor
) -> Window | None:
    """The taps of a window.

    Args:
        nest: the nest.
        access: what reads the bytes.
        folds: the fold points, in the order of the packed constant.
        inside: whether each is not clipped.
        factor: the bytes; its zero point is taken for those that are.

    Returns:
        None if no single operation reads them.
    """
    offsets, rows = np.array(folds) @ np.array([nest.steps_along(access, d) for d in nest.folds]), [0] * len(folds)
    read, is_in = access.buffer, np.array(inside)
    if isinstance(join := read.owner, JoinOp):
        axis = join.axis.value.data
        form = nest.form(access.indices[axis])
        if not _has_rows(join) or any(d not in nest.folds for d in form.positions()):
            return None
        read, rows = join.parts[0], (form.constant + offsets[:, axis]).tolist()
        offsets[:, axis] = 0
    type = Access(read, access.indices).type
    if not is_in.any() or not isinstance(type.layout, NoneAttr):
        return None
    least, most = offsets[is_in].min(axis=0), offsets[is_in].max(axis=0)
    present, firsts = (np.flatnonzero(each).tolist() for each in (is_in, is_in & (offsets == least).all(axis=1)))
    if not firsts:
        # What slides backwards along one dimension has no first point.
        return None
    used = list(dict.fromkeys(rows[n] for n in (firsts[0], *present)))
    if len(used) > MOST_MEMREFS:
        return None
    places = np.where(is_in, (offsets - least) @ np.array(row_major(type.get_shape())), CLIPPED)
    owners = tuple(used.index(row) if one else 0 for row, one in zip(rows, inside, strict=True))
    several = owners if len(used) > 1 else None
    box = (*(most - least + 1).tolist()[:-1], BYTES)
    taps = Taps(tuple(places.tolist()), factor.zero_point, box, several, unsigned=not factor.signed)
    # The loop of windows over channels, whose weights come in fewer loads, fits where this does.
    if not fits(sum_taps(taps, len(used))):
        return None
    beside = tuple(join.part_at(row)[0] for row in used[1:]) if isinstance(join, JoinOp) else ()
    return Window(taps, firsts[0], beside)


def _has_rows(join: JoinOp) -> bool:
    """Whether what is joined are rows of one kind, of which each is one index."""
    types, axis = {part.type for part in join.parts}, join.axis.value.data
    return len(types) == 1 and all(isinstance(type, MemRefType) and type.get_shape()[axis] == 1 for type in types)
