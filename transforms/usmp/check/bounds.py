"""Check that views stay inside what they are views of, and that calls pass what the function takes.

Everything else of the check follows buffers through views by where they begin; here is why they also end inside.
Where a view begins, and how much it takes, is looked at in every iteration of the loops around it.
What only run time knows, an offset that depends on data, is the program's own business.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, ModuleOp, NoneAttr
from xdsl.dialects.utils import get_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.accesses import Access, accesses
from ....dialects.operations import operations
from ....dialects.pool.extent import buffer_bytes, element_bytes
from .points import Array, Untimed
from .spans import Unbounded
from .values import Number, values_at


def check_bounds(module: ModuleOp) -> None:
    """Look at every view, access and call.

    Raises:
        PassFailedException: one reaches past its memref, or a call passes a memref of another type.
    """
    table = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    for op in operations(module):
        match op:
            case memref.ViewOp():
                _check_view(op)
            case memref.SubviewOp():
                _check_subview(op)
            case memref.ReinterpretCastOp():
                _check_reinterpret_cast(op)
            case memref.CastOp() | memref.CollapseShapeOp() | memref.ExpandShapeOp():
                _check_same_size(op)
            case func.CallOp() if op.callee.string_value() in table:
                _check_call(op, table[op.callee.string_value()])
            case _:
                for access in accesses(op):
                    if access.indices is not None and access.is_sure:
                        _check_access(op, access)


def _check_view(op: memref.ViewOp) -> None:
    source, result = _type(op.source), _type(op.result)
    extents = get_dynamic_index_list(result.get_shape(), op.sizes, DYNAMIC_INDEX)
    numbers = _numbers(op, [op.byte_shift, *extents])
    if numbers is None or not _is_static(source):
        return
    begin, *shape = numbers
    end = begin + prod(shape) * element_bytes(result)
    size = buffer_bytes(source)
    if (at := _first((begin < 0) | (end > size))) is not None:
        raise PassFailedException(f"'{op.name}' op takes bytes {begin[at]} to {end[at]} of a memref of {size} bytes")


def _check_subview(op: memref.SubviewOp) -> None:
    offsets, sizes, strides = _sliced(op)
    for axis, extent in enumerate(_type(op.source).get_shape()):
        numbers = _numbers(op, [offsets[axis], sizes[axis], strides[axis]])
        if numbers is None or extent == DYNAMIC_INDEX:
            continue
        first, size, stride = numbers
        last = first + (size - 1) * stride
        is_outside = (np.minimum(first, last) < 0) | (np.maximum(first, last) >= extent)
        if (at := _first((size > 0) & is_outside)) is not None:
            raise PassFailedException(
                f"'{op.name}' op takes elements {first[at]} to {last[at]} of dimension {axis}, which has {extent}"
            )


_SAME_BEGINNING = (memref.AssumeAlignmentOp, memref.CastOp, memref.ReinterpretCastOp, memref.SubviewOp)
"""Views from whose buffer's beginning the offsets of a further one count."""


def _check_reinterpret_cast(op: memref.ReinterpretCastOp) -> None:
    """Offsets count from the beginning of the buffer."""
    root = op.source
    while isinstance(owner := root.owner, _SAME_BEGINNING):
        root = owner.operands[0]
    source = _type(root)
    offsets, sizes, strides = _sliced(op)
    numbers = _numbers(op, [*offsets, *sizes, *strides])
    if numbers is None or not _is_static(source) or not isinstance(source.layout, NoneAttr):
        return
    first, rank = numbers[0], len(sizes)
    extents, steps = numbers[1 : 1 + rank], numbers[1 + rank :]
    reaches = [(extent - 1) * step for extent, step in zip(extents, steps, strict=True)]
    least = first + sum((np.minimum(reach, 0) for reach in reaches), np.int64(0))
    most = first + sum((np.maximum(reach, 0) for reach in reaches), np.int64(0))
    count = buffer_bytes(source) // element_bytes(source)
    is_empty = np.logical_or.reduce([np.zeros_like(first, np.bool_), *(extent <= 0 for extent in extents)])
    if (at := _first(~is_empty & ((least < 0) | (most >= count)))) is not None:
        raise PassFailedException(
            f"'{op.name}' op takes elements {least[at]} to {most[at]} of a buffer that has {count}"
        )


def _sliced(op: memref.SubviewOp | memref.ReinterpretCastOp) -> tuple[list[Number], ...]:
    """Offsets, sizes and strides."""
    pairs = ((op.static_offsets, op.offsets), (op.static_sizes, op.sizes), (op.static_strides, op.strides))
    return tuple(
        get_dynamic_index_list([int(number) for number in static.get_values()], dynamic, DYNAMIC_INDEX)
        for static, dynamic in pairs
    )


def _numbers(op: Operation, numbers: Sequence[Number]) -> list[Array] | None:
    """Numbers of `values_at`; None if they depend on data.

    Raises:
        PassFailedException: it does not, but cannot be bounded.
    """
    try:
        return values_at(op, numbers)
    except Unbounded as reason:
        raise PassFailedException(
            f"'{op.name}' op may leave its memref: where it lies cannot be bounded, for {reason}"
        ) from reason
    except Untimed:
        return None


def _first(is_wrong: NDArray[np.bool_]) -> int | None:
    """The first point that is wrong."""
    return int(np.argmax(is_wrong)) if is_wrong.any() else None


def _check_same_size(op: Operation) -> None:
    """Check that a memref which is made static again is what it was."""
    value = op.operands[0]
    result = _type(op.results[0])
    while not _is_static(_type(value)) and isinstance(owner := value.owner, memref.CastOp):
        value = owner.source
    source = _type(value)
    if _is_static(source) and _is_static(result) and prod(source.get_shape()) != prod(result.get_shape()):
        raise PassFailedException(f"'{op.name}' op makes {result} of {source}, which has other elements")


def _check_access(op: Operation, access: Access) -> None:
    """Check that sure accesses lie within the memref, where they are known before the network runs."""
    for axis, (index, many, extent) in enumerate(
        zip(access.indices or (), access.shape, access.type.get_shape(), strict=True)
    ):
        number = _number(index)
        if number is None or extent == DYNAMIC_INDEX or 0 <= number <= extent - many:
            continue
        values = _numbers(op, [number])
        if values is None or len(values[0]):
            what = f"index {number}" if many == 1 else f"takes elements {number} to {number + many - 1}"
            raise PassFailedException(f"'{op.name}' op {what} of dimension {axis}, which has {extent}")


def _check_call(op: func.CallOp, function: func.FuncOp) -> None:
    taken, passed = list(function.function_type.inputs), [operand.type for operand in op.operands]
    if taken != passed:
        pairs = [(a, b) for a, b in zip(taken, passed, strict=False) if a != b]
        what = f"passes {pairs[0][1]} for {pairs[0][0]}" if pairs else f"passes {len(passed)} of {len(taken)} arguments"
        raise PassFailedException(f"'{op.name}' op {what} to @{function.sym_name.data}")


def _type(value: SSAValue) -> MemRefType[Attribute]:
    assert isinstance(value.type, MemRefType), "views and accesses are of memrefs"
    return value.type


def _is_static(type: MemRefType[Attribute]) -> bool:
    return DYNAMIC_INDEX not in type.get_shape()


def _number(value: SSAValue) -> int | None:
    owner = value.owner
    number = owner.value if isinstance(owner, arith.ConstantOp) else None
    return number.value.data if isinstance(number, IntegerAttr) else None
