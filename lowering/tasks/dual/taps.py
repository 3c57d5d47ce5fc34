"""Which bytes a window over four channels reads, where the processor takes all of its taps in one operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    forms = [nest.form(index) for index in access.indices]
    points = [dict(zip(nest.folds, fold, strict=True)) for fold in folds]
    offsets = [[sum(form.coefficient(d) * i for d, i in point.items()) for form in forms] for point in points]
    read, rows = access.buffer, [0] * len(folds)
    if isinstance(join := read.owner, JoinOp):
        axis = join.axis.value.data
        if not _has_rows(join) or any(d not in nest.folds for d in forms[axis].positions()):
            return None
        read, rows = join.parts[0], [forms[axis].constant + offset[axis] for offset in offsets]
        offsets = [[*offset[:axis], 0, *offset[axis + 1 :]] for offset in offsets]
    present = [n for n, is_in in enumerate(inside) if is_in]
    type = Access(read, access.indices).type
    if not present or not isinstance(type.layout, NoneAttr):
        return None
    least, most = ([bound(each) for each in zip(*(offsets[n] for n in present), strict=True)] for bound in (min, max))
    first = next((n for n in present if offsets[n] == least), None)
    if first is None:
        # What slides backwards along one dimension has no first point.
        return None
    used = list(dict.fromkeys([rows[first], *(rows[n] for n in present)]))
    if len(used) > MOST_MEMREFS:
        return None
    strides = row_major(type.get_shape())
    places = [
        sum((n - begin) * stride for n, begin, stride in zip(offset, least, strides, strict=True)) if is_in else CLIPPED
        for offset, is_in in zip(offsets, inside, strict=True)
    ]
    box = [high - low + 1 for high, low in zip(most, least, strict=True)]
    owners = [used.index(row) if is_in else 0 for row, is_in in zip(rows, inside, strict=True)]
    several = tuple(owners) if len(used) > 1 else ()
    taps = Taps(tuple(places), factor.zero_point, (*box[:-1], BYTES), several or None, unsigned=not factor.signed)
    # The loop of windows over channels, whose weights come in fewer loads, fits where this does.
    if not fits(sum_taps(taps, len(used))):
        return None
    beside = tuple(join.part_at(row)[0] for row in used[1:]) if isinstance(join, JoinOp) else ()
    return Window(taps, first, beside)


def _has_rows(join: JoinOp) -> bool:
    """Whether what is joined are rows of one kind, of which each is one index."""
    types, axis = {part.type for part in join.parts}, join.axis.value.data
    return len(types) == 1 and all(isinstance(type, MemRefType) and type.get_shape()[axis] == 1 for type in types)
