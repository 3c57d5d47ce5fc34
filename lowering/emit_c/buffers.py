"""Memrefs as C sees them: a pointer or an array, an offset, and row-major strides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i32
from xdsl.dialects.emitc import EmitC_AddOp, EmitC_ArrayType
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from .builder import Builder
from .index_bounds import everything
from .literals import known
from .types import byte_width, c_type, is_const_pointer, pointer


@dataclass(frozen=True)
class Buffer:
    """Place of a memref's elements: element `i, j` at `base[offset + moving + i * strides[0] + j * strides[1]]`.

    Offsets and strides count elements. A stride is None where only run time knows it; using it is an error.
    """

    base: SSAValue
    """An `!emitc.ptr` or a one-dimensional `!emitc.array`."""
    strides: tuple[int | None, ...]
    offset: int = 0
    moving: SSAValue | None = None
    """The part of the offset that is computed at run time, i32."""

    def moved(self, build: Builder, distance: int, moving: SSAValue | None, strides: Sequence[int | None]) -> Buffer:
        """Return the same memory seen from another element, with other strides."""
        if moving is not None and self.moving is not None:
            moving = build.integer("+", self.moving, moving)
        return replace(self, offset=self.offset + distance, moving=moving or self.moving, strides=tuple(strides))


def argument_strides(type: MemRefType) -> tuple[int | None, ...]:
    """Strides of a memref about which only the type is known."""
    strides = type.get_strides()
    if strides is None:
        raise PassFailedException(f"layout of {type} cannot be lowered to C: it is not strided")
    known_extents = [
        (size - 1) * abs(stride)
        for size, stride in zip(type.get_shape(), strides, strict=True)
        if size > 0 and stride is not None
    ]
    reach = (1 + sum(known_extents)) * byte_width(type.element_type)
    if reach > everything(i32).most:
        raise PassFailedException(f"{type} takes {reach} bytes: in C an index has 32 bits, the largest is 2147483647")
    return tuple(strides)


def elements(type: MemRefType) -> int:
    """Number of elements; raises PassFailedException for dynamic shapes."""
    total = 1
    for size in type.get_shape():
        if size == DYNAMIC_INDEX:
            raise PassFailedException(f"the size of {type} must be known at compile time")
        total *= size
    return total


def flat_index(
    build: Builder, strides: Sequence[int | None], indices: Sequence[SSAValue], shape: Sequence[int]
) -> tuple[SSAValue | None, int]:
    """`sum(index * stride)` as (computed part, known part).

    Horner's scheme, `(y * WIDTH + x) * CHANNELS + c`, as long as strides divide one another. Dimensions of size 1 have
    index 0.
    """
    computed: SSAValue | None = None
    unit = 1
    constant = 0
    for index, stride, size in zip(indices, strides, shape, strict=True):
        number = 0 if size == 1 else known(index)
        if number == 0:
            continue
        if stride is None:
            raise PassFailedException(
                "a memref with strides that are not known at compile time cannot be lowered to C; mlir-opt gives "
                "functions others with one-shot-bufferize{function-boundary-type-conversion=identity-layout-map}"
            )
        if number is not None:
            constant += number * stride
        elif stride == 0:
            continue
        elif computed is None:
            computed, unit = index, stride
        elif unit % stride == 0:
            computed = build.integer("+", _times(build, computed, unit // stride), index)
            unit = stride
        else:
            computed = build.integer("+", _times(build, computed, unit), _times(build, index, stride))
            unit = 1
    return None if computed is None else _times(build, computed, unit), constant


def element(build: Builder, buffer: Buffer, type: MemRefType, indices: Sequence[SSAValue]) -> SSAValue:
    """The lvalue of one element."""
    computed, constant = flat_index(build, buffer.strides, indices, type.get_shape())
    return build.subscript(buffer.base, _index(build, buffer.moving, computed, buffer.offset + constant))


def address(build: Builder, buffer: Buffer, type: MemRefType, *, const: bool) -> SSAValue:
    """Pointer to the first element."""
    item = c_type(type.element_type)
    start = buffer.base
    if isinstance(start.type, EmitC_ArrayType):
        start = build.cast(start, pointer(item, const=False))
    start = build.cast(start, pointer(item, const=const or is_const_pointer(start.type)))
    if buffer.moving is None and buffer.offset == 0:
        return start
    distance = _index(build, buffer.moving, None, buffer.offset)
    return build.add(EmitC_AddOp(start, distance, start.type)).result


def _times(build: Builder, value: SSAValue, factor: int) -> SSAValue:
    return value if factor == 1 else build.integer("*", value, build.constant(factor, i32))


def _index(build: Builder, moving: SSAValue | None, computed: SSAValue | None, constant: int) -> SSAValue:
    """`moving + computed + constant`."""
    parts = [part for part in (moving, computed) if part is not None]
    if not parts:
        return build.constant(constant, i32)
    total = parts[0] if len(parts) == 1 else build.integer("+", *parts)
    return build.integer("+", total, build.constant(constant, i32))
