"""Whether a function moves elements as `pool.parts` of a call of it says: each of its stores looked at, point by point.

A call may become views only if that changes nothing but copies: all that it stores is an element of a part where the
whole has it, or the other way round, and it moves every element of every part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool.attributes import PartAttr
from ..check.points import Array, Points, Untimed

ARITHMETIC = f"{arith.Arith.name}."
"""What the names of operations that compute begin with."""

MOST_MOVES = 1 << 23
"""Elements that a function may move at most: more are not looked at."""


class Unproved(Exception):
    """The function does more than to move elements, or what cannot be followed."""


@dataclass
class _Claim:
    """One part, as the call has it."""

    part: int
    places: Array
    """For each element of the part, in its order, which element of the whole it is said to be."""
    is_moved: NDArray[np.bool_]
    """For each element of the part whether a store of it was seen."""

    @staticmethod
    def of(part: PartAttr) -> _Claim:
        places = np.full((), part.offset.data, np.int64)
        for extent, stride in zip(part.shape.get_values(), part.strides.get_values(), strict=True):
            places = places[..., np.newaxis] + np.arange(extent) * stride
        return _Claim(part.part.data, places.reshape(-1), np.zeros(places.size, np.bool_))


def moves_as_said(call: func.CallOp, parts: Sequence[PartAttr], function: func.FuncOp) -> bool:
    """Whether the call does no more, and no less, than to move the elements of its parts to or from their whole.

    False where that cannot be shown.

    Raises:
        PassFailedException: a part is false: its elements go elsewhere, come from elsewhere, or are not moved at all.
    """
    try:
        _Moves(call, parts, function).prove()
    except (Unproved, Untimed):
        return False
    return True


class _Moves:
    """What the stores of a function move, held against the parts of a call."""

    def __init__(self, call: func.CallOp, parts: Sequence[PartAttr], function: func.FuncOp):
        given = [call.operands[part.part.data] for part in parts]
        whole = {part.whole.data for part in parts}
        if function.is_declaration or call.results or len(whole) != 1 or call.operands[min(whole)] in given:
            raise Unproved
        if sum(prod(part.shape.get_values()) for part in parts) > MOST_MOVES:
            raise Unproved
        self._function = function
        self._whole = min(whole)
        self._given = given
        self._claims = [_Claim.of(part) for part in parts]

    def prove(self) -> None:
        """Look at every operation, then at what no store moved."""
        stores = list(_stores(self._function))
        targets = {self._argument(op.memref) for op in stores}
        is_written = self._whole in targets
        if len(targets) > 1 if is_written else len(set(self._given)) < len(self._given):
            raise Unproved
        if is_written:
            self._require_room_for_each()
        for op in stores:
            self._look_at(op, is_written=is_written)
        for claim in self._claims:
            if not claim.is_moved.all():
                element = int(np.argmin(claim.is_moved))
                raise self._false(claim.part, f"element {element} of argument {claim.part} is not moved")

    def _look_at(self, op: memref.StoreOp, *, is_written: bool) -> None:
        """All that one store moves."""
        target, points = self._argument(op.memref), _points(op)
        to = _element(op.memref, op.indices, points)
        load = op.value.owner
        is_load = isinstance(load, memref.LoadOp)
        source = self._argument(load.memref) if is_load else None
        part, other = (source, target) if is_written else (target, source)
        claims = [claim for claim in self._claims if claim.part == part]
        if not isinstance(load, memref.LoadOp) or not claims or other != self._whole:
            self._refuse_what_is_claimed(op, target, to, is_written=is_written)
            raise Unproved
        of = _element(load.memref, load.indices, points)
        own, place = (of, to) if is_written else (to, of)
        is_right = np.zeros(points.count, np.bool_)
        for claim in claims:
            fits = claim.places[own] == place
            claim.is_moved[own[fits]] = True
            is_right |= fits
        if not is_written and len(claims) > 1:
            raise Unproved
        if not is_right.all():
            wrong = int(np.argmin(is_right))
            claim = claims[0]
            raise self._false(
                claim.part,
                f"element {own[wrong]} of argument {claim.part} is element {place[wrong]} of argument {self._whole}, "
                f"not {claim.places[own[wrong]]}",
            )

    def _refuse_what_is_claimed(self, op: memref.StoreOp, target: int, to: Array, *, is_written: bool) -> None:
        """What is stored comes from no part or whole: then it must not lie where one is said to lie."""
        owner = op.value.owner
        if not isinstance(owner, Operation) or not owner.name.startswith(ARITHMETIC):
            return
        for claim in self._claims:
            is_claimed = np.isin(to, claim.places).any() if is_written else claim.part == target and len(to) > 0
            if is_claimed:
                raise self._false(claim.part, f"a '{owner.name}' op computes what is stored in argument {target}")

    def _require_room_for_each(self) -> None:
        """No two elements of parts are said to lie in one place of what is written."""
        places = np.sort(np.concatenate([claim.places for claim in self._claims]))
        twice = np.flatnonzero(places[1:] == places[:-1])
        if len(twice):
            place = places[twice[0]]
            claim = next(claim for claim in self._claims if place in claim.places)
            raise self._false(claim.part, f"element {place} of argument {self._whole} is said to be two elements")

    def _argument(self, value: SSAValue) -> int:
        if not isinstance(value, BlockArgument) or value.block is not self._function.body.block:
            raise Unproved
        return value.index

    def _false(self, part: int, why: str) -> PassFailedException:
        return PassFailedException(
            f"'func.call' op of @{self._function.sym_name.data}: pool.parts is false of argument {part}: {why}; "
            "correct the part, or leave pool.parts out"
        )


def _stores(function: func.FuncOp) -> Iterator[memref.StoreOp]:
    """The stores of a function, which stand in loops alone and do nothing else that anybody could see."""
    for op in function.body.walk():
        match op:
            case memref.StoreOp():
                yield op
            case memref.LoadOp() | scf.ForOp() | scf.YieldOp() | func.ReturnOp():
                pass
            case _ if op.name.startswith(ARITHMETIC):
                pass
            case _:
                raise Unproved


def _points(op: Operation) -> Points:
    """All points at which an operation runs."""
    parent, block = op.parent_op(), op.parent
    assert block is not None, "it stands in a function"
    if not isinstance(parent, scf.ForOp):
        return Points.start(block)
    points = _points(parent)
    if points.trips(parent).sum() > MOST_MOVES:
        raise Unproved
    return points.enter(parent)


def _element(value: SSAValue, indices: Sequence[SSAValue], points: Points) -> Array:
    """Which element of a memref is accessed at each point."""
    type = value.type
    assert isinstance(type, MemRefType), "accesses go to memrefs"
    if not isinstance(type.layout, NoneAttr) or DYNAMIC_INDEX in type.get_shape():
        raise Unproved
    element = np.zeros(points.count, np.int64)
    for index, extent in zip(indices, type.get_shape(), strict=True):
        along = points.value(index)
        if along.min(initial=0) < 0 or along.max(initial=0) >= extent:
            raise Unproved
        element = element * extent + along
    return element
