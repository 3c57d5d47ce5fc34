"""Inputs and outputs that are used in parts: some bytes may belong to others while more of them are still to be read,
or others were written already.

The pieces are those that the program itself names: the bytes between all places where views of the buffer begin or end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.pool.extent import buffer_bytes
from ....dialects.pool.kinds import BufferKind
from .places import Place
from .reference import CONSTANT, Reference


class Pieces:
    """The numbers of pieces; their places are added to the list of all places."""

    def __init__(self, numbers: Mapping[Operation, int], places: list[Place]):
        self.of: dict[int, list[int]] = {}
        """For each buffer that has pieces, and each view of some of them, which these are."""
        self._places = places
        self._windows: dict[tuple[int, int, int], int] = {}
        for op, number in numbers.items():
            if number == CONSTANT or not _may_be_divided(place := places[number]):
                continue
            size = place.end - place.first
            seen = [(begin, end) for begin, end in _views(op.results[0]) if 0 <= begin <= end <= size]
            ends = sorted({0, size, *(at for view in seen for at in view)})
            if len(ends) > 2:
                self.of[number] = [self._add(number, begin, end) for begin, end in pairwise(ends)]

    def window(self, reference: Reference | None, type: Attribute) -> Reference | None:
        """Reference of an argument; a part of a buffer with pieces has a number of its own, which has those."""
        if reference is None or reference.start is None or reference.number not in self.of:
            return reference
        if not isinstance(type, MemRefType) or not isinstance(type.layout, NoneAttr):
            return reference
        begin, end = reference.start, reference.start + buffer_bytes(type)
        place = self._places[reference.number]
        if (begin, end) == (0, place.end - place.first):
            return reference
        key = reference.number, begin, end
        if key not in self._windows:
            first, last = place.first + begin, place.first + end
            pieces = [
                p for p in self.of[reference.number] if self._places[p].first < last and first < self._places[p].end
            ]
            self._windows[key] = self._add(*key)
            self.of[self._windows[key]] = pieces
        return Reference(self._windows[key], 0)

    def _add(self, number: int, begin: int, end: int) -> int:
        whole = self._places[number]
        self._places.append(replace(whole, first=whole.first + begin, end=whole.first + end))
        return len(self._places) - 1


def _may_be_divided(place: Place) -> bool:
    return (
        place.kind in (BufferKind.INPUT, BufferKind.OUTPUT)
        and not place.is_kept
        and place.slot is None
        and place.shared is None
    )


def _views(value: SSAValue) -> Iterator[tuple[int, int]]:
    """Bytes from where to where views of a buffer name."""
    for use in value.uses:
        match op := use.operation:
            case memref.ReinterpretCastOp() if [int(n) for n in op.static_offsets.get_values()] == [0]:
                yield from _views(op.result)
            case memref.ViewOp():
                shift = op.byte_shift.owner
                number = shift.value if isinstance(shift, arith.ConstantOp) else None
                if isinstance(number, IntegerAttr):
                    yield number.value.data, number.value.data + buffer_bytes(op.result.type)
            case _:
                pass
