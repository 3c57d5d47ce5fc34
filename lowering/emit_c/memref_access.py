"""Buffers of the `memref` dialect: where they come from, loads, stores and copies."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp, EmitC_SizeT
from xdsl.ir import Block, Region, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...dialects import emitc
from ...dialects.accesses import storage
from ...dialects.strides import row_major
from ...targets.c.types import type_name
from .buffers import Buffer, argument_strides, element, elements
from .globals import align
from .literals import known
from .lowering import Lowering, Patterns
from .places import place_of
from .types import byte_width, c_type, is_bool, memref_type
from .walk import walked


def _load(op: memref.LoadOp, at: Lowering) -> None:
    build = at.build
    pointer = walked(op, at)
    if pointer is None:
        place = element(build, *at.buffer(op.memref), [at.value(index) for index in op.indices])
    else:
        place = build.subscript(pointer, build.constant(0, i32))
    # A load through `const T *` has type `const T`; the cast takes the qualifier off.
    at.define(op.res, build.cast(build.load(place), c_type(op.res.type)))


def _store(op: memref.StoreOp, at: Lowering) -> None:
    build = at.build
    value = at.value(op.value)
    build.assign(element(build, *at.buffer(op.memref), [at.value(index) for index in op.indices]), value)


def _copy(op: memref.CopyOp, at: Lowering) -> None:
    """`memcpy` of contiguous memrefs that lie apart, `memmove` where that is not known; else a loop nest."""
    build = at.build
    source, target = op.operands
    (source_buffer, type), (target_buffer, _) = at.buffer(source), at.buffer(target)
    count = elements(type)
    if _contiguous(source_buffer, type) and _contiguous(target_buffer, type):
        build.includes.add("string.h")
        item = c_type(type.element_type)
        size = f"{count}" if byte_width(item) == 1 and not is_bool(item) else f"{count} * sizeof({type_name(item)})"
        arguments = [at.value(target), at.value(source), build.add(emitc.LiteralOp(size, EmitC_SizeT())).result]
        build.add(EmitC_CallOpaqueOp("memcpy" if _is_apart(source, target, at) else "memmove", arguments, []))
        return
    _copy_rows(source, target, [], at)


def _is_apart(source: SSAValue, target: SSAValue, at: Lowering) -> bool:
    """Whether no byte of one is a byte of the other: constants are never written."""
    root = storage(source).owner
    if isinstance(root, memref.GetGlobalOp) and root.name_.string_value() in at.symbols.constants:
        return True
    places = place_of(source), place_of(target)
    return places[0] is not None and places[1] is not None and places[0].is_apart(places[1])


def _copy_rows(source: SSAValue, target: SSAValue, indices: list[SSAValue], at: Lowering) -> None:
    build = at.build
    (source_buffer, type), (target_buffer, target_type) = at.buffer(source), at.buffer(target)
    shape = type.get_shape()
    if len(indices) == len(shape):
        value = build.cast(build.load(element(build, source_buffer, type, indices)), c_type(type.element_type))
        build.assign(element(build, target_buffer, target_type, indices), value)
        return
    body = Block(arg_types=[i32])
    body.args[0].name_hint = "ijklmn"[len(indices)] if len(shape) <= 6 else f"i{len(indices)}"
    lower, upper, step = (build.constant(bound, i32) for bound in (0, shape[len(indices)], 1))
    build.add(emitc.ForOp(lower, upper, step, Region(body)))
    with at.inside(body):
        _copy_rows(source, target, [*indices, body.args[0]], at)
        build.add(emitc.YieldOp())


def _contiguous(buffer: Buffer, type: MemRefType) -> bool:
    shape = type.get_shape()
    sides = zip(shape, buffer.strides, row_major(shape), strict=True)
    return all(size == 1 or stride == expected for size, stride, expected in sides)


def _get_global(op: memref.GetGlobalOp, at: Lowering) -> None:
    symbols = at.symbols
    name = op.name_.string_value()
    if name not in symbols.arrays:
        raise PassFailedException(f"'{op.name}' op symbol @{name} is not a memref.global of this module")
    if name in symbols.constants and symbols.writes.is_written(op.memref):
        raise PassFailedException(f"'{op.name}' op constant @{name} is written")
    base = at.build.add(emitc.GetGlobalOp(symbols.names[name], symbols.arrays[name])).result
    at.define_buffer(op.memref, Buffer(base, argument_strides(op.memref.type)))


def _alloca(op: memref.AllocaOp, at: Lowering) -> None:
    type = op.memref.type
    base = at.build.local_array(max(1, elements(type)), c_type(type.element_type))
    base.name_hint = op.memref.name_hint
    assert isinstance(base.owner, emitc.VariableOp), "a local array is a variable"
    align(base.owner, op.alignment)
    at.define_buffer(op.memref, Buffer(base, argument_strides(type)))


def _alloc(op: memref.AllocOp, at: Lowering) -> None:
    raise PassFailedException(
        f"'{op.name}' op of {op.memref.type} has no place in memory: the C code has no heap; run the pass usmp first"
    )


def _nothing(op: memref.DeallocOp, at: Lowering) -> None:
    """Memory of pools is never given back."""


def _dimension(op: memref.DimOp, at: Lowering) -> None:
    axis = known(at.value(op.index))
    type = memref_type(op.source.type)
    size = type.get_shape()[axis] if axis is not None else -1
    if size < 0:
        raise PassFailedException(f"'{op.name}' op of {type} cannot be lowered to C: the size is not known")
    at.define(op.result, at.build.constant(size, i32))


def _rank(op: memref.RankOp, at: Lowering) -> None:
    at.define(op.rank, at.build.constant(len(at.buffer(op.source)[1].get_shape()), i32))


PATTERNS: Patterns = {
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    memref.CopyOp: _copy,
    memref.GetGlobalOp: _get_global,
    memref.AllocaOp: _alloca,
    memref.AllocOp: _alloc,
    memref.DeallocOp: _nothing,
    memref.DimOp: _dimension,
    memref.RankOp: _rank,
}
