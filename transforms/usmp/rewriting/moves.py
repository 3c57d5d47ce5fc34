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
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, NoneAttr, VectorType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.accesses import Access, accesses
from ....dialects.pool.attributes import PartAttr
from ....dialects.simd.moves import LoadBytesOp, StoreBytesOp
from ..check.points import Array, Points, Untimed

ARITHMETIC = f"{arith.Arith.name}."
"""Prefixes of the names of operations that compute."""

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
    """Moves of a function's stores, held against the parts of a call."""

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
        targets = {self._argument(store.target.memref) for store in stores}
        is_written = self._whole in targets
        if len(targets) > 1 if is_written else len(set(self._given)) < len(self._given):
            raise Unproved
        if is_written:
            self._require_room_for_each()
        for store in stores:
            self._look_at(store, is_written=is_written)
        for claim in self._claims:
            if not claim.is_moved.all():
                element = int(np.argmin(claim.is_moved))
                raise self._false(claim.part, f"element {element} of argument {claim.part} is not moved")

    def _look_at(self, store: _Store, *, is_written: bool) -> None:
        """All that one store moves."""
        target, points = self._argument(store.target.memref), _points(store.op)
        to = _elements(store.target, points)
        source = None if store.source is None else self._argument(store.source.memref)
        part, other = (source, target) if is_written else (target, source)
        claims = [claim for claim in self._claims if claim.part == part]
        if store.source is None or not claims or other != self._whole:
            self._refuse_what_is_claimed(store, target, to, is_written=is_written)
            raise Unproved
        of = _elements(store.source, points)
        own, place = (of, to) if is_written else (to, of)
        is_right = np.zeros(len(own), np.bool_)
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

    def _refuse_what_is_claimed(self, store: _Store, target: int, to: Array, *, is_written: bool) -> None:
        """Check a store whose value comes from no part or whole: it must not lie where one is said to lie."""
        owner = store.value
        if owner is None or not owner.name.startswith(ARITHMETIC):
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


@dataclass(frozen=True)
class _Store:
    """A write of an operation, and where its value comes from."""

    op: Operation
    target: Access
    source: Access | None
    """The read whose elements are written as they are; None where something else is written."""
    value: Operation | None
    """The operation that makes the stored value, where there is one."""

    @staticmethod
    def of(op: Operation) -> _Store:
        touched = accesses(op)
        written, read = [[a for a in touched if a.is_write is is_write] for is_write in (True, False)]
        if len(written) != 1 or not all(a.is_sure and a.is_in_rows for a in touched):
            raise Unproved
        target = written[0]
        if read:
            # It moves by itself, as a copy does.
            return _Store(op, target, read[0] if len(read) == 1 else None, None)
        values = [o for o in op.operands if o is not target.memref and o not in (target.indices or ())]
        owner = values[0].owner if len(values) == 1 else None
        loads: Sequence[Access] = []
        if isinstance(owner, LoadBytesOp):
            loads = accesses(owner) if isinstance(op, StoreBytesOp) else []
        elif isinstance(owner, Operation) and _is_load(owner):
            loads = accesses(owner)
        return _Store(op, target, loads[0] if loads else None, owner if isinstance(owner, Operation) else None)


def _stores(function: func.FuncOp) -> Iterator[_Store]:
    """The stores of a function, which stand in loops alone and do nothing else that anybody could see."""
    for op in function.body.walk():
        match op:
            case scf.ForOp() | scf.YieldOp() | func.ReturnOp():
                pass
            case _ if op.name.startswith(ARITHMETIC) or isinstance(op, LoadBytesOp) or _is_load(op):
                pass
            case _:
                yield _Store.of(op)


def _is_load(op: Operation) -> bool:
    """Whether it reads elements of one memref, all of which are its only result, and nothing else."""
    touched = accesses(op)
    if len(touched) != 1 or len(op.results) != 1:
        return False
    (access,), type = touched, op.results[0].type
    if access.is_write or not access.is_sure or not access.is_in_rows:
        return False
    element = access.type.element_type
    return type == element or (isinstance(type, VectorType) and type.element_type == element)


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


def _elements(access: Access, points: Points) -> Array:
    """Which elements of a memref are accessed, at one point after the other."""
    if not isinstance(access.type.layout, NoneAttr) or DYNAMIC_INDEX in access.type.get_shape():
        raise Unproved
    shape = access.type.get_shape()
    if access.indices is None:
        begins, extents = [np.zeros(points.count, np.int64) for _ in shape], shape
    else:
        begins, extents = [points.value(index) for index in access.indices], access.shape
    if points.count * access.count > MOST_MOVES:
        raise Unproved
    elements = np.zeros((points.count, 1), np.int64)
    for begin, many, extent in zip(begins, extents, shape, strict=True):
        if begin.min(initial=0) < 0 or begin.max(initial=0) + many > extent:
            raise Unproved
        along = np.broadcast_to(begin, points.count)[:, np.newaxis] + np.arange(many)
        elements = (elements[:, :, np.newaxis] * extent + along[:, np.newaxis]).reshape(points.count, -1)
    return elements.reshape(-1)
