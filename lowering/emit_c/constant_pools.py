"""The bytes of constant pools, as one C array for each."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
    i8,
    i64,
)
from xdsl.utils.exceptions import PassFailedException

from ...dialects import emitc
from ...dialects.pool import keys
from ...dialects.pool.attributes import Kind
from ...dialects.pool.declare import DeclareOp
from ...targets.c.alignment import ALIGNMENT
from .types import array


def is_pooled(op: memref.GlobalOp) -> bool:
    """Whether the constant lies in a pool; no array of its own is emitted for it then."""
    return keys.ASSIGNED.within(op.attributes)


def data_name(pool: str) -> str:
    """C identifier of the array that holds the initial bytes of a constant pool."""
    return f"{pool}_constant_pool_data"


def constant_pool_arrays(module: ModuleOp) -> list[emitc.GlobalOp]:
    """`const int8_t <pool>_constant_pool_data[n]` for each planned constant pool that holds anything.

    Bytes between constants are 0; numbers are little-endian, as in all of the IR's data.

    Raises:
        PassFailedException: a constant has a pool without a size, or lies outside.
    """
    made: list[emitc.GlobalOp] = []
    for pool, data in constant_pool_contents(module).items():
        if data:
            value = DenseIntOrFPElementsAttr(TensorType(i8, [len(data)]), BytesAttr(data))
            made.append(emitc.GlobalOp(data_name(pool.sym_name.data), array(len(data), i8), value, const=True))
            made[-1].attributes[ALIGNMENT] = IntegerAttr(pool.alignment, i64)
    return made


def constant_pool_contents(module: ModuleOp) -> dict[DeclareOp, bytes]:
    """The bytes of each constant pool; raises as `constant_pool_arrays`."""
    pooled = [op for op in module.ops if isinstance(op, memref.GlobalOp) and is_pooled(op)]
    return {
        pool: bytes(_fill(bytearray(0 if pool.size is None else pool.size.value.data), pool, pooled))
        for pool in module.ops
        if isinstance(pool, DeclareOp) and pool.kind.data is Kind.CONSTANT
    }


def _fill(data: bytearray, pool: DeclareOp, pooled: Sequence[memref.GlobalOp]) -> bytearray:
    for constant in pooled:
        first = keys.OFFSET.get(constant.attributes)
        if keys.ASSIGNED.get(constant.attributes) != pool.sym_name.data:
            continue
        value = constant.initial_value
        if first is None or not isinstance(value, DenseIntOrFPElementsAttr):
            raise PassFailedException(f"constant @{constant.sym_name.data} has no offset in pool @{pool.sym_name.data}")
        content = value.data.data
        if first < 0 or first + len(content) > len(data):
            raise PassFailedException(f"constant @{constant.sym_name.data} lies outside pool @{pool.sym_name.data}")
        data[first : first + len(content)] = content
    return data
