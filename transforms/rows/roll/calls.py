"""Calls that differ in nothing but where in a pool their operands lie."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, NoneAttr, i8
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ....dialects import nn_keys
from ....dialects.accesses import VIEWS, storage
from ....dialects.operations import operations
from ...usmp.analysis.structure import is_operator
from ...usmp.analysis.uses import dense_offset

SETUP = (*VIEWS, arith.ConstantOp, memref.GetGlobalOp)
"""Operations that do nothing at run time, so that they may stand before the calls."""


@dataclass(frozen=True)
class Place:
    """Bytes of what a function is given, from an offset on, seen as a type."""

    root: BlockArgument
    type: MemRefType
    offset: int

    @staticmethod
    def of(value: SSAValue) -> Place | None:
        """Where a dense view lies; None for what does not lie in bytes that the function is given."""
        root, type, offset = storage(value), value.type, dense_offset(value)
        if not isinstance(root, BlockArgument) or offset is None:
            return None
        if not isinstance(type, MemRefType) or not isinstance(root.type, MemRefType):
            return None
        # Of memory that is no bytes only what is named by its bytes is a part.
        is_bytes = isinstance(root.type.layout, NoneAttr) and (root.type.element_type == i8 or value is not root)
        if not is_bytes or type.memory_space != root.type.memory_space:
            return None
        return Place(root, type, offset)


@dataclass(frozen=True)
class Number:
    """An index that is known."""

    offset: int

    @staticmethod
    def of(value: SSAValue) -> Number | None:
        """A constant index; None for all else."""
        owner = value.owner
        if not isinstance(owner, arith.ConstantOp) or not isinstance(value.type, IndexType):
            return None
        assert isinstance(owner.value, IntegerAttr), "indices are integers"
        return Number(owner.value.value.data)


Varying = Place | Number
"""Kinds of an operand of which each call has another."""


@dataclass
class Kind:
    """Calls that are one call with other offsets."""

    call: func.CallOp
    """The first of them."""
    number: int
    """Number of the kind, in the order in which kinds occur."""
    places: Sequence[Varying | None]
    """Places of the operands of the first call; None for those that are the same in all of them."""
    offsets: list[tuple[int, ...]] = field(default_factory=lambda: [])
    """Offsets of each call, for the operands that have a place; numbers stand for themselves."""


@dataclass(frozen=True)
class Run:
    """Calls one after the other, with nothing between them that does anything."""

    operations: Sequence[Operation]
    """From the first call to the last one, all that stands there."""
    kinds: Sequence[Kind]
    order: Sequence[tuple[int, int]]
    """For each call the number of its kind, and how many of the kind were before it."""
    first: int
    """Calls in the function before these."""


def whole_run(block: Block) -> Run | None:
    """All calls of a block as one run; None if anything else happens there."""
    operations = [op for op in block.ops if op is not block.last_op]
    if not all(isinstance(op, SETUP) or (is_operator(op) and not op.results) for op in operations):
        return None
    calls = [n for n, op in enumerate(operations) if is_operator(op)]
    return _kinds(operations[calls[0] : calls[-1] + 1], 0) if calls else None


def runs(block: Block) -> Iterator[Run]:
    """All runs of calls in a block; single kinds of calls at either end of a run belong to none."""
    waiting, calls = list[Operation](), 0
    for op in [*block.ops]:
        if isinstance(op, SETUP) or (is_operator(op) and not op.results):
            waiting.append(op)
            continue
        yield from _run(waiting, calls)
        calls += sum(is_operator(inner) for each in (*waiting, op) for inner in operations(each))
        waiting = []
    yield from _run(waiting, calls)


def _run(operations: Sequence[Operation], before: int) -> Iterator[Run]:
    keys = _keys(operations)
    counts: dict[Hashable, int] = {}
    for key in keys.values():
        counts[key] = counts.get(key, 0) + 1
    repeated = [n for n, op in enumerate(operations) if op in keys and counts[keys[op]] > 1]
    if not repeated:
        return
    first = before + sum(op in keys for op in operations[: repeated[0]])
    yield _kinds(operations[repeated[0] : repeated[-1] + 1], first)


def _kinds(operations: Sequence[Operation], first: int) -> Run:
    keys = _keys(operations)
    kinds: dict[Hashable, Kind] = {}
    order: list[tuple[int, int]] = []
    for op in operations:
        if not isinstance(op, func.CallOp):
            continue
        places = [Number.of(operand) or Place.of(operand) for operand in op.operands]
        kind = kinds.setdefault(keys[op], Kind(op, len(kinds), places))
        order.append((kind.number, len(kind.offsets)))
        kind.offsets.append(tuple(place.offset for place in places if place is not None))
    return Run(operations, list(kinds.values()), order, first)


def _keys(operations: Sequence[Operation]) -> dict[Operation, Hashable]:
    return {op: _key(op) for op in operations if isinstance(op, func.CallOp)}


def _key(call: func.CallOp) -> Hashable:
    operands = tuple(_operand_key(operand) for operand in call.operands)
    return call.callee.string_value(), operands, nn_keys.ORIGIN.get(call.attributes)


def _operand_key(value: SSAValue) -> tuple[object, Attribute, int | None]:
    if Number.of(value) is not None:
        return Number, value.type, None
    place = Place.of(value)
    if place is not None:
        return place.root, place.type, None
    root = storage(value)
    offset = dense_offset(value)
    if isinstance(root.owner, memref.GetGlobalOp) and offset is not None:
        return root.owner.name_, value.type, offset
    return value, value.type, None
