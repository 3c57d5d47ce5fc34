"""That views stay inside what they are views of, and what a call passes is what the function takes.

Everything else of the check follows buffers through views by where they begin; here is why they also end inside.
What only run time knows, an offset that depends on data, is the program's own business.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, ModuleOp, NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool.extent import buffer_bytes, element_bytes


def check_bounds(module: ModuleOp) -> None:
    """Look at every view, access and call.

    Raises:
        PassFailedException: one reaches past its memref, or a call passes a memref of another type.
    """
    table = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    for op in module.walk():
        match op:
            case memref.ViewOp():
                _check_view(op)
            case memref.SubviewOp():
                _check_subview(op)
            case memref.ReinterpretCastOp():
                _check_reinterpret_cast(op)
            case memref.CastOp() | memref.CollapseShapeOp() | memref.ExpandShapeOp():
                _check_same_size(op)
            case memref.LoadOp() | memref.StoreOp():
                _check_access(op)
            case func.CallOp() if op.callee.string_value() in table:
                _check_call(op, table[op.callee.string_value()])
            case _:
                pass


def _check_view(op: memref.ViewOp) -> None:
    source, result, shift = _type(op.source), _type(op.result), _number(op.byte_shift)
    if shift is None or not _is_static(source) or not _is_static(result):
        return
    end, size = shift + buffer_bytes(result), buffer_bytes(source)
    if shift < 0 or end > size:
        raise PassFailedException(f"'{op.name}' op takes bytes {shift} to {end} of a memref of {size} bytes")


def _check_subview(op: memref.SubviewOp) -> None:
    shape = _type(op.source).get_shape()
    numbers = [[int(n) for n in a.get_values()] for a in (op.static_offsets, op.static_sizes, op.static_strides)]
    for axis, (extent, first, size, stride) in enumerate(zip(shape, *numbers, strict=True)):
        if DYNAMIC_INDEX in (extent, first, size, stride) or not size:
            continue
        last = first + (size - 1) * stride
        if min(first, last) < 0 or max(first, last) >= extent:
            raise PassFailedException(
                f"'{op.name}' op takes elements {first} to {last} of dimension {axis}, which has {extent}"
            )


def _check_reinterpret_cast(op: memref.ReinterpretCastOp) -> None:
    """Offsets count from the beginning of the buffer."""
    root = op.source
    while isinstance(owner := root.owner, memref.ReinterpretCastOp | memref.CastOp | memref.SubviewOp):
        root = owner.operands[0]
    source = _type(root)
    offsets, sizes, strides = (
        [int(n) for n in array.get_values()] for array in (op.static_offsets, op.static_sizes, op.static_strides)
    )
    known = DYNAMIC_INDEX not in (*offsets, *sizes, *strides) and _is_static(source)
    if not known or not isinstance(source.layout, NoneAttr) or 0 in sizes:
        return
    last = offsets[0] + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
    count = buffer_bytes(source) // element_bytes(source)
    if min(offsets[0], last) < 0 or max(offsets[0], last) >= count:
        raise PassFailedException(f"'{op.name}' op takes elements {offsets[0]} to {last} of a buffer that has {count}")


def _check_same_size(op: Operation) -> None:
    """What is made static again is what it was."""
    value = op.operands[0]
    result = _type(op.results[0])
    while not _is_static(_type(value)) and isinstance(owner := value.owner, memref.CastOp):
        value = owner.source
    source = _type(value)
    if _is_static(source) and _is_static(result) and prod(source.get_shape()) != prod(result.get_shape()):
        raise PassFailedException(f"'{op.name}' op makes {result} of {source}, which has other elements")


def _check_access(op: memref.LoadOp | memref.StoreOp) -> None:
    for axis, (index, extent) in enumerate(zip(op.indices, _type(op.memref).get_shape(), strict=True)):
        number = _number(index)
        if number is not None and extent != DYNAMIC_INDEX and not 0 <= number < extent:
            raise PassFailedException(f"'{op.name}' op index {number} of dimension {axis}, which has {extent}")


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
