"""Where buffers lie, as the final word of the IR has it: attributes of allocs, or views of pool arguments."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FixedBitwidthType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool.attributes import Kind
from ....dialects.pool.declare import DeclareOp


@dataclass(frozen=True)
class Place:
    """Bytes [first, end) of a pool."""

    name: str
    kind: str
    """What the buffer holds, as `pool.kind` says; "" if nobody says."""
    pool: str
    first: int
    end: int
    element: int
    """Bytes of one element."""
    alignment: int
    is_kept: bool = False
    """Whether it is an input that no run may change, as `pool.keep` says."""
    input: int | None = None
    """Its number among the inputs, as `pool.input` says."""
    slot: int | None = None
    """Which of the two slots of a double-buffered input it is, as `pool.slot` says."""
    shared: str | None = None
    """The name under which buffers of several entry functions are one, as `pool.shared` says."""

    def overlaps(self, other: Place) -> bool:
        """Whether both share a byte."""
        return self.pool == other.pool and self.first < other.end and other.first < self.end


def buffers(module: ModuleOp, declared: dict[str, DeclareOp]) -> dict[Operation, Place]:
    """Every buffer that is written at run time, by the operation that makes it."""
    found: dict[Operation, Place] = {}
    for op in module.walk():
        if isinstance(op, memref.AllocOp):
            pool, offset = op.attributes.get("pool.assigned"), op.attributes.get("pool.offset")
            place = _place(op, op.memref, pool, offset, op.alignment)
            candidates = op.attributes.get("pool.candidates")
            if isinstance(candidates, ArrayAttr) and pool not in candidates.data:
                raise PassFailedException(f"buffer '{place.name}' lies in @{place.pool}, not among its candidates")
            found[op] = place
        elif isinstance(op, memref.ViewOp) and (pool := pool_argument(op.source)) is not None:
            name = pool.string_value()
            if name in declared and declared[name].kind.data is Kind.CONSTANT:
                continue
            shift = op.byte_shift.owner
            offset = shift.value if isinstance(shift, arith.ConstantOp) else None
            found[op] = _place(op, op.result, pool, offset, None)
    return found


def constants(module: ModuleOp) -> list[Place]:
    """Every constant that lies in a pool."""
    return [
        _place(op, op.type, pool, op.attributes.get("pool.offset"), op.alignment)
        for op in module.ops
        if isinstance(op, memref.GlobalOp) and (pool := op.attributes.get("pool.assigned")) is not None
    ]


def reads_of_constants(module: ModuleOp, declared: dict[str, DeclareOp]) -> list[Operation]:
    """The operations whose result names bytes that nobody may write: constant globals, and views of constant pools."""
    kept = {op.sym_name.data for op in module.ops if isinstance(op, memref.GlobalOp) and op.constant is not None}
    kept_pools = {name for name, pool in declared.items() if pool.kind.data is Kind.CONSTANT}
    return [
        op
        for op in module.walk()
        if (isinstance(op, memref.GetGlobalOp) and op.name_.string_value() in kept)
        or (
            isinstance(op, memref.ViewOp)
            and (pool := pool_argument(op.source)) is not None
            and pool.string_value() in kept_pools
        )
    ]


def pool_argument(value: SSAValue) -> SymbolRefAttr | None:
    """The pool that a function's argument stands for."""
    if not isinstance(value, BlockArgument) or not isinstance(function := value.block.parent_op(), func.FuncOp):
        return None
    attributes = list(function.arg_attrs or ())
    pool = attributes[value.index].data.get("pool.pool") if attributes else None
    return pool if isinstance(pool, SymbolRefAttr) else None


def _place(
    op: Operation,
    of: SSAValue | MemRefType,
    pool: Attribute | None,
    offset: Attribute | None,
    alignment: IntegerAttr | None,
) -> Place:
    type = of if isinstance(of, MemRefType) else of.type
    assert isinstance(type, MemRefType), "buffers are memrefs"
    name = _name(op, of)
    if not isinstance(pool, SymbolRefAttr) or not isinstance(offset, IntegerAttr):
        raise PassFailedException(f"buffer '{name}' has no pool.assigned and pool.offset; run usmp-plan first")
    if DYNAMIC_INDEX in type.get_shape():
        raise PassFailedException(f"buffer '{name}' has a dynamic shape")
    if not isinstance(type.element_type, FixedBitwidthType):
        raise PassFailedException(f"buffer '{name}': elements of {type} have no fixed size")
    element, first = type.element_type.size, offset.value.data
    kind, shared = op.attributes.get("pool.kind"), op.attributes.get("pool.shared")
    return Place(
        name,
        kind.data if isinstance(kind, StringAttr) else "",
        pool.string_value(),
        first,
        first + prod(type.get_shape()) * element,
        element,
        max(element, alignment.value.data if alignment is not None else 1),
        "pool.keep" in op.attributes,
        _integer(op.attributes.get("pool.input")),
        _integer(op.attributes.get("pool.slot")),
        shared.data if isinstance(shared, StringAttr) else None,
    )


def _integer(attribute: Attribute | None) -> int | None:
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


def _name(op: Operation, of: SSAValue | MemRefType) -> str:
    named = op.attributes.get("pool.name")
    if isinstance(named, StringAttr):
        return named.data
    if isinstance(op, memref.GlobalOp):
        return op.sym_name.data
    return (of.name_hint if isinstance(of, SSAValue) else None) or "buffer"
