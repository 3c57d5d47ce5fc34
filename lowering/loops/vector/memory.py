"""Loads and stores of vectors as loads and stores of their elements; all of a vector's loads come before any store.

A place outside of the memref is guarded by `scf.if`, unless it is declared or proved to be inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import arith, memref, scf, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, MemRefType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand
from xdsl.utils.exceptions import PassFailedException

from .elements import Elements, Handlers, points, shape, shifted
from .index_bounds import most


@dataclass(frozen=True)
class _Place:
    """Place of an element in memory."""

    indices: Sequence[SSAValue]
    conditions: Sequence[SSAValue]
    """All of them must hold for the element to be there."""


def _read(build: Builder, source: SSAValue, place: _Place, otherwise: SSAValue | None) -> SSAValue:
    if not place.conditions:
        return build.insert(memref.LoadOp.get(source, place.indices)).res
    assert otherwise is not None, "a guarded read has a value to give instead"
    then = Block()
    loaded = memref.LoadOp.get(source, place.indices)
    then.add_ops([loaded, scf.YieldOp(loaded.res)])
    guard = scf.IfOp(_all(build, place), [otherwise.type], Region(then), Region(Block([scf.YieldOp(otherwise)])))
    return build.insert(guard).results[0]


def _write(build: Builder, value: SSAValue, target: SSAValue, place: _Place) -> None:
    store = memref.StoreOp.get(value, target, place.indices)
    if not place.conditions:
        build.insert(store)
        return
    build.insert(scf.IfOp(_all(build, place), [], Region(Block([store, scf.YieldOp()]))))


def _all(build: Builder, place: _Place) -> SSAValue:
    condition, *others = place.conditions
    for other in others:
        condition = build.insert(arith.AndIOp(condition, other)).result
    return condition


def _masked(places: Sequence[_Place | None], mask: Sequence[SSAValue] | None) -> list[_Place | None]:
    """With the mask as a further condition; None for an element that is never accessed."""
    if mask is None:
        return list(places)
    result: list[_Place | None] = []
    for place, bit in zip(places, mask, strict=True):
        number = const_evaluate_operand(bit)
        if place is None or number == 0:
            result.append(None)
        else:
            result.append(place if number is not None else _Place(place.indices, [*place.conditions, bit]))
    return result


def _dense(build: Builder, indices: Sequence[SSAValue], type_: Attribute) -> list[_Place | None]:
    """The places of `vector.load`: along the last dimensions of the memref, always inside."""
    offset = len(indices) - len(shape(type_))
    return [
        _Place([*indices[:offset], *(shifted(build, i, p) for i, p in zip(indices[offset:], point, strict=True))], ())
        for point in points(type_)
    ]


def _transferred(
    build: Builder, op: vector.TransferReadOp | vector.TransferWriteOp, type_: Attribute
) -> list[_Place | None]:
    """The places of a transfer: along the dimensions that its map names."""
    source = op.source.type
    if not isinstance(source, MemRefType):
        raise PassFailedException(f"'{op.name}' op of {source}: bufferize it first")
    dimensions = op.permutation_map.data.results
    inside = [bool(flag.value.data) for flag in op.in_bounds]
    places: list[_Place | None] = []
    for point in points(type_):
        indices, conditions, outside = list(op.indices), list[SSAValue](), False
        for dimension, position, is_inside in zip(dimensions, point, inside, strict=True):
            if isinstance(dimension, AffineConstantExpr):
                continue
            assert isinstance(dimension, AffineDimExpr), "the map of a transfer is a projected permutation"
            axis = dimension.position
            indices[axis] = shifted(build, op.indices[axis], position)
            guard = None if is_inside else _guard(build, indices[axis], source, axis)
            outside = outside or guard is False
            conditions += [guard] if isinstance(guard, SSAValue) else []
        places.append(None if outside else _Place(indices, conditions))
    return places


def _guard(build: Builder, index: SSAValue, type_: MemRefType, axis: int) -> SSAValue | bool:
    """Whether an index is below the extent of an axis: known or to be computed."""
    extent = type_.get_shape()[axis]
    if extent == DYNAMIC_INDEX:
        raise PassFailedException(f"{type_} has a dynamic shape")
    highest = most(index)
    if highest is not None and highest < extent:
        return True
    number = const_evaluate_operand(index)
    if number is not None:
        return number < extent
    bound = build.insert(arith.ConstantOp(IntegerAttr(extent, IndexType()))).result
    return build.insert(arith.CmpiOp(index, bound, "slt")).result


def _load(op: vector.LoadOp, elements: Elements, build: Builder) -> None:
    elements[op.result] = _reads(build, op.base, _dense(build, op.indices, op.result.type), None)


def _store(op: vector.StoreOp, elements: Elements, build: Builder) -> None:
    _writes(build, elements[op.vector], op.base, _dense(build, op.indices, op.vector.type))


def _masked_load(op: vector.MaskedLoadOp, elements: Elements, build: Builder) -> None:
    places = _masked(_dense(build, op.indices, op.result.type), elements[op.mask])
    elements[op.result] = _reads(build, op.base, places, elements[op.pass_thru])


def _masked_store(op: vector.MaskedStoreOp, elements: Elements, build: Builder) -> None:
    places = _masked(_dense(build, op.indices, op.value_to_store.type), elements[op.mask])
    _writes(build, elements[op.value_to_store], op.base, places)


def _transfer_read(op: vector.TransferReadOp, elements: Elements, build: Builder) -> None:
    mask = None if op.mask is None else elements[op.mask]
    places = _masked(_transferred(build, op, op.result.type), mask)
    elements[op.result] = _reads(build, op.source, places, [op.padding] * len(places))


def _transfer_write(op: vector.TransferWriteOp, elements: Elements, build: Builder) -> None:
    mask = None if op.mask is None else elements[op.mask]
    _writes(build, elements[op.vector], op.source, _masked(_transferred(build, op, op.vector.type), mask))


def _reads(
    build: Builder, source: SSAValue, places: Sequence[_Place | None], otherwise: Sequence[SSAValue] | None
) -> list[SSAValue]:
    seen: dict[tuple[SSAValue, ...], SSAValue] = {}
    result: list[SSAValue] = []
    for number, place in enumerate(places):
        instead = None if otherwise is None else otherwise[number]
        if place is None:
            assert instead is not None, "an element that is not read has a value to give instead"
            result.append(instead)
            continue
        key = tuple(place.indices)
        # Broadcast elements are read once.
        if place.conditions or key not in seen:
            seen[key] = _read(build, source, place, instead)
        result.append(seen[key])
    return result


def _writes(build: Builder, values: Sequence[SSAValue], target: SSAValue, places: Sequence[_Place | None]) -> None:
    for value, place in zip(values, places, strict=True):
        if place is not None:
            _write(build, value, target, place)


HANDLERS: Handlers = {
    vector.LoadOp: _load,
    vector.StoreOp: _store,
    vector.MaskedLoadOp: _masked_load,
    vector.MaskedStoreOp: _masked_store,
    vector.TransferReadOp: _transfer_read,
    vector.TransferWriteOp: _transfer_write,
}
