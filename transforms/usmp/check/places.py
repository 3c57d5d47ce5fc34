"""Where buffers lie, as the final word of the IR has it: attributes of allocs, or views of pool arguments."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    MemRefType,
    ModuleOp,
)
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.operations import operations
from ....dialects.pool import keys
from ....dialects.pool.attributes import Kind
from ....dialects.pool.declare import DeclareOp
from ....dialects.pool.extent import buffer_bytes, element_bytes
from ....dialects.pool.kinds import BufferKind


@dataclass(frozen=True)
class Place:
    """Bytes [first, end) of a pool, with the rest of the last cache line if the buffer owns it."""

    name: str
    kind: BufferKind | None
    """Kind of the buffer, as `pool.kind` says; None if nobody says."""
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

    at: int | None = None
    """Where it begins in the buffer that all of that name are parts of; `first` and `end` are that one's."""

    def overlaps(self, other: Place) -> bool:
        """Whether both share a byte."""
        return self.pool == other.pool and self.first < other.end and other.first < self.end


def buffers(module: ModuleOp, declared: dict[str, DeclareOp]) -> dict[Operation, Place]:
    """Every buffer that is written at run time, by the operation that makes it."""
    found: dict[Operation, Place] = {}
    for op in operations(module):
        if isinstance(op, memref.AllocOp):
            pool, offset = keys.ASSIGNED.get(op.attributes), keys.OFFSET.get(op.attributes)
            place = _place(op, op.memref, pool, offset, op.alignment)
            candidates = keys.CANDIDATES.get(op.attributes)
            if candidates is not None and pool not in candidates:
                raise PassFailedException(f"buffer '{place.name}' lies in @{place.pool}, not among its candidates")
            found[op] = place
        elif isinstance(op, memref.ViewOp) and (pool := pool_argument(op.source)) is not None:
            if pool in declared and declared[pool].kind.data is Kind.CONSTANT:
                continue
            shift = op.byte_shift.owner
            number = shift.value if isinstance(shift, arith.ConstantOp) else None
            offset = number.value.data if isinstance(number, IntegerAttr) else None
            found[op] = _place(op, op.result, pool, offset, None)
    return _joined(found)


def _joined(found: dict[Operation, Place]) -> dict[Operation, Place]:
    """Return the places with parts of a buffer as large as all of it.

    Raises:
        PassFailedException: they do not lie in it as `pool.at` says.
    """
    groups: dict[str, list[tuple[Operation, Place]]] = {}
    for op, place in found.items():
        if place.at is not None and place.shared is not None:
            groups.setdefault(place.shared, []).append((op, place))
    for name, parts in groups.items():
        begins = {(place.pool, place.first - (place.at or 0)) for _, place in parts}
        if len(begins) > 1:
            raise PassFailedException(f"the parts of '{name}' lie apart: {', '.join(p.name for _, p in parts)}")
        ((_, first),) = begins
        end = max(place.end for _, place in parts)
        found |= {op: replace(place, first=first, end=end) for op, place in parts}
    return found


def constants(module: ModuleOp) -> list[Place]:
    """Every constant that lies in a pool."""
    return [
        _place(op, op.type, pool, keys.OFFSET.get(op.attributes), op.alignment)
        for op in module.ops
        if isinstance(op, memref.GlobalOp) and (pool := keys.ASSIGNED.get(op.attributes)) is not None
    ]


def reads_of_constants(module: ModuleOp, declared: dict[str, DeclareOp]) -> list[Operation]:
    """The operations whose result names bytes that nobody may write: constant globals, and views of constant pools."""
    kept = {op.sym_name.data for op in module.ops if isinstance(op, memref.GlobalOp) and op.constant is not None}
    kept_pools = {name for name, pool in declared.items() if pool.kind.data is Kind.CONSTANT}
    return [
        op
        for op in operations(module)
        if (isinstance(op, memref.GetGlobalOp) and op.name_.string_value() in kept)
        or (isinstance(op, memref.ViewOp) and (pool := pool_argument(op.source)) is not None and pool in kept_pools)
    ]


def pool_argument(value: SSAValue) -> str | None:
    """The pool that a function's argument stands for."""
    if not isinstance(value, BlockArgument) or not isinstance(function := value.block.parent_op(), func.FuncOp):
        return None
    attributes = list(function.arg_attrs or ())
    return keys.POOL.get(attributes[value.index].data) if attributes else None


def _place(
    op: Operation,
    of: SSAValue | MemRefType,
    pool: str | None,
    offset: int | None,
    alignment: IntegerAttr | None,
) -> Place:
    type = of if isinstance(of, MemRefType) else of.type
    assert isinstance(type, MemRefType), "buffers are memrefs"
    name = _name(op, of)
    if pool is None or offset is None:
        raise PassFailedException(f"buffer '{name}' has no pool.assigned and pool.offset; run usmp-plan first")
    if DYNAMIC_INDEX in type.get_shape():
        raise PassFailedException(f"buffer '{name}' has a dynamic shape")
    element, line = element_bytes(type), keys.LINE.get(op.attributes) or 1
    return Place(
        name,
        keys.KIND.get(op.attributes),
        pool,
        offset,
        offset + -(-buffer_bytes(type) // line) * line,
        element,
        max(element, line, alignment.value.data if alignment is not None else 1),
        keys.KEEP.within(op.attributes),
        keys.INPUT.get(op.attributes),
        keys.SLOT.get(op.attributes),
        keys.SHARED.get(op.attributes),
        keys.AT.get(op.attributes),
    )


def _name(op: Operation, of: SSAValue | MemRefType) -> str:
    if (named := keys.NAME.get(op.attributes)) is not None:
        return named
    if isinstance(op, memref.GlobalOp):
        return op.sym_name.data
    return (of.name_hint if isinstance(of, SSAValue) else None) or "buffer"
