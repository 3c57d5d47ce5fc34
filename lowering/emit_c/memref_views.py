"""Views of the `memref` dialect: the same memory under another shape. No view copies; most cost nothing at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, i8, i32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...dialects.pool.bytes import BytesOp
from .buffers import Buffer, address, argument_strides, flat_index
from .hints import hide
from .literals import known
from .lowering import Lowering, Patterns
from .types import c_type, is_const_pointer, memref_type, pointer


def _numbers(static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue], at: Lowering) -> list[SSAValue]:
    """The operands of a mixed list as C values, literals for the static ones."""
    rest: Iterator[SSAValue] = iter(dynamic)
    return [
        at.value(next(rest)) if number == DYNAMIC_INDEX else at.build.constant(number, i32)
        for number in (int(number) for number in static.iter_values())
    ]


def _subview(op: memref.SubviewOp, at: Lowering) -> None:
    buffer, _ = at.buffer(op.source)
    offsets = _numbers(op.static_offsets, op.offsets, at)
    steps = [known(step) for step in _numbers(op.static_strides, op.strides, at)]
    # The shape says of dimensions of size 1 that their index is 0; an offset may still be anything.
    moving, distance = flat_index(at.build, buffer.strides, offsets, [DYNAMIC_INDEX] * len(offsets))
    strides = [
        None if stride is None or step is None else stride * step
        for stride, step in zip(buffer.strides, steps, strict=True)
    ]
    kept = _kept_dimensions(op, [int(size) for size in op.static_sizes.iter_values()])
    at.define_buffer(op.result, buffer.moved(at.build, distance, moving, [strides[axis] for axis in kept]))


def _kept_dimensions(op: memref.SubviewOp, sizes: Sequence[int]) -> list[int]:
    """Axes of the source that the result keeps; a rank-reducing subview drops axes of size 1."""
    result_type = memref_type(op.result.type)
    shape = list(result_type.get_shape())
    surplus = len(sizes) - len(shape)
    kept: list[int] = []
    for axis, size in enumerate(sizes):
        if len(kept) < len(shape) and shape[len(kept)] == size and (size != 1 or _must_keep(shape, kept, sizes, axis)):
            kept.append(axis)
        elif size == 1 and surplus > 0:
            surplus -= 1
        else:
            raise PassFailedException(f"'{op.name}' op result {result_type} does not drop only dimensions of size 1")
    return kept


def _must_keep(shape: Sequence[int], kept: Sequence[int], sizes: Sequence[int], axis: int) -> bool:
    """True if the rest of the result's shape needs this axis of size 1 too (any of several will do: index 0)."""
    return shape[len(kept) :].count(1) >= list(sizes[axis:]).count(1) or len(shape) == len(sizes)


def _reinterpret_cast(op: memref.ReinterpretCastOp, at: Lowering) -> None:
    """Offsets count from the beginning of the buffer, not from where the source begins."""
    buffer, type = at.buffer(op.source)
    begin = type.get_offset()
    if begin is None:
        raise PassFailedException(f"'{op.name}' op of {type} cannot be lowered to C: its offset is not known")
    (offset,) = _numbers(op.static_offsets, op.offsets, at)
    number = known(offset)
    distance, moving = (-begin, offset) if number is None else (number - begin, None)
    strides = [known(stride) for stride in _numbers(op.static_strides, op.strides, at)]
    at.define_buffer(op.result, buffer.moved(at.build, distance, moving, strides))


def _reshape(op: memref.CollapseShapeOp | memref.ExpandShapeOp, at: Lowering) -> None:
    """Row-major order is kept: the strides of the result follow from its type, or from its shape alone."""
    buffer, _ = at.buffer(op.src)
    at.define_buffer(op.result, buffer.moved(at.build, 0, None, argument_strides(memref_type(op.result.type))))


def _same_memory(op: memref.CastOp | memref.MemorySpaceCastOp | memref.AssumeAlignmentOp, at: Lowering) -> None:
    buffer, _ = at.buffer(op.operands[0])
    memref_type(op.results[0].type)
    at.define_buffer(op.results[0], buffer)


def _view(op: memref.ViewOp, at: Lowering) -> None:
    """`(T *)(pool + offset)`.

    Pools are bytes that are read and written as other types. Compilers for microcontrollers support that for
    aligned storage; a byte array accessed so breaks the letter of C99 (6.5, 7) where the pool is a declared array, not
    where it comes as a pointer.
    """
    build = at.build
    buffer, source_type = at.buffer(op.source)
    type = memref_type(op.result.type)
    shift = at.value(op.byte_shift)
    number = known(shift)
    moved = buffer.moved(build, number or 0, None if number is not None else shift, buffer.strides)
    start = address(build, moved, source_type, const=is_const_pointer(at.type(op.source)))
    typed = build.cast(start, pointer(c_type(type.element_type), const=is_const_pointer(start.type)))
    if typed.name_hint is None:
        # A buffer at the very start of a pool of bytes is the pool's own pointer, which keeps its name.
        typed.name_hint = op.result.name_hint
    hide(op, typed, build)
    at.define_buffer(op.result, Buffer(typed, argument_strides(type)))


def _bytes(op: BytesOp, at: Lowering) -> None:
    """`(int8_t *)input`: characters may name the bytes of anything."""
    buffer, type = at.buffer(op.source)
    start = address(at.build, buffer, type, const=is_const_pointer(at.type(op.source)))
    typed = at.build.cast(start, pointer(i8, const=is_const_pointer(start.type)))
    at.define_buffer(op.result, Buffer(typed, (1,)))


PATTERNS: Patterns = {
    BytesOp: _bytes,
    memref.SubviewOp: _subview,
    memref.ReinterpretCastOp: _reinterpret_cast,
    memref.CollapseShapeOp: _reshape,
    memref.ExpandShapeOp: _reshape,
    memref.CastOp: _same_memory,
    memref.MemorySpaceCastOp: _same_memory,
    memref.AssumeAlignmentOp: _same_memory,
    memref.ViewOp: _view,
}
