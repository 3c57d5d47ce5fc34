"""Which bytes a window over four channels reads, where the processor takes all of its taps in one operation."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType, NoneAttr

from ....dialects.simd import BYTES
from ....dialects.simd.taps import CLIPPED, MOST_TAPS, Taps
from ....dialects.task import JoinOp, NestOp
from ....dialects.task.domain import row_major
from ....dialects.task.syntax import Access


def taps_of(
    nest: NestOp, access: Access, folds: Sequence[Sequence[int]], inside: Sequence[bool], zero_point: int
) -> tuple[Taps, int] | None:
    """The taps of a window, and the number of that from which their places count.

    Args:
        nest: the nest.
        access: what reads the bytes.
        folds: the fold points, in the order of the packed constant.
        inside: whether each is not clipped.
        zero_point: what is taken for those that are.

    Returns:
        None if no single operation reads them.
    """
    type, first_fold = access.buffer.type, len(nest.space.data)
    assert isinstance(type, MemRefType), "operands are memrefs"
    if isinstance(access.buffer.owner, JoinOp) or not isinstance(type.layout, NoneAttr) or len(folds) > MOST_TAPS:
        return None
    forms = [nest.form(index) for index in access.indices]
    offsets = [
        [sum(form.coefficient(first_fold + d) * i for d, i in enumerate(fold)) for form in forms] for fold in folds
    ]
    present = [offset for offset, is_in in zip(offsets, inside, strict=True) if is_in]
    if not present:
        return None
    least, most = ([bound(each) for each in zip(*present, strict=True)] for bound in (min, max))
    if least not in present:
        # What slides backwards along one dimension has no first point.
        return None
    strides = row_major(type.get_shape())
    places = [
        sum((n - first) * stride for n, first, stride in zip(offset, least, strides, strict=True)) if is_in else CLIPPED
        for offset, is_in in zip(offsets, inside, strict=True)
    ]
    box = [high - low + 1 for high, low in zip(most, least, strict=True)]
    taps = Taps(tuple(places), zero_point, (*box[:-1], BYTES))
    return taps, next(n for n, offset in enumerate(offsets) if inside[n] and offset == least)
