"""The pass `usmp-poison`: dead bytes are filled with a pattern at run time, and the ends of pools are guarded.

For finding what a proof of the plan cannot see: an application that keeps a pointer to an input for too long, a
hand-written operator that writes beyond its buffer, another user of the pool. Bytes that nobody owns yet are filled
when a run begins, bytes whose buffers died after each operator; before and behind the buffers of a pool stand guard
bytes, and the entry function returns how many of them changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from ....dialects import nn_keys
from ....dialects.operations import all_of
from ....dialects.pool import keys
from ....dialects.pool.attributes import Kind
from ....dialects.pool.declare import DeclareOp
from ....dialects.pool.kinds import BufferKind
from ....lowering.builder import Loops
from ..analysis.contract import released_after
from ..analysis.liveness import Liveness
from ..analysis.structure import allocs, buffer_name, entries, functions, pools, size_of

PATTERN = -11
"""Value of dead bytes, 0xF5: a large number in float32 (-6e32) and int32, and rarely right in int8."""

GUARD_BYTES = 16
"""Guard bytes at each end of a pool, as many as its alignment asks for; fewer where its limit leaves no room."""

FILL, DAMAGE = "poison_fill", "poison_damage"

_NSW = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])

Truth = NDArray[np.bool_]
Bytes = dict[str, Truth]
"""For each pool which of its bytes belong to a set."""


@dataclass(frozen=True)
class UsmpPoisonPass(ModulePass):
    """Add calls that fill dead bytes, guard bytes, and an i32 result: the number of guard bytes that changed."""

    name: ClassVar[str] = "usmp-poison"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for name in (FILL, DAMAGE):
            if name in functions(op):
                raise PassFailedException(f"@{name} is there already")
        guards = {name: _guard(op, pool) for name, pool in pools(op).items()}
        for entry in entries(op):
            run = _Run(op, entry)
            run.fill_dead()
            _guard_pools(entry, [(name, *area) for name in run.used for area in guards[name]])
        called = {o.callee.string_value() for o in all_of(op, func.CallOp)}
        op.body.block.add_ops(function for function in (_fill(), _damage()) if function.sym_name.data in called)


class _Run:
    """One entry function and when the bytes of its buffers are live."""

    def __init__(self, module: ModuleOp, entry: func.FuncOp):
        if entry.function_type.outputs.data:
            raise PassFailedException(f"@{entry.sym_name.data} has results: there is no room for a code")
        self._entry = entry
        self._liveness = Liveness(module, entry)
        self._sizes = {name: pool.size.value.data for name, pool in pools(module).items() if pool.size is not None}
        self.used = self._bytes(_place(alloc)[0] for alloc in self._liveness.lives)

    def fill_dead(self) -> None:
        """Insert the calls: at the beginning, and after each operator."""
        lives = self._liveness.lives.items()
        everything = self._of(alloc for alloc, _ in lives)
        given = self._of(alloc for alloc, life in lives if life.ranges and life.ranges[0][:1] == [0])
        steps = self._liveness.steps
        first = next((op for op in self._entry.body.block.ops if not isinstance(op, memref.AllocOp)), None)
        assert first is not None, "a function's body ends with a return"
        _insert(InsertPoint.before(first), _without(everything, given))
        for step in steps:
            died = self._of(
                alloc for alloc, life in lives if any(r and step.first <= r[1] <= step.last for r in life.ranges)
            )
            live = self._of(alloc for alloc, life in lives if any(r and r[0] <= step.last < r[1] for r in life.ranges))
            last = _insert(InsertPoint.after(step.op), _without(died, live))
            if last is not None and keys.RELEASES.within(step.op.attributes):
                # The bytes of an input may be refilled when they have been overwritten, not before.
                keys.RELEASES.put(last.attributes, released_after(step.op))
                keys.RELEASES.remove(step.op.attributes)

    def _bytes(self, names: Iterable[str]) -> Bytes:
        return {name: np.zeros(self._sizes[name], np.bool_) for name in dict.fromkeys(names)}

    def _of(self, allocs: Iterable[memref.AllocOp]) -> Bytes:
        found = {name: np.zeros_like(bytes_) for name, bytes_ in self.used.items()}
        for alloc in allocs:
            pool, offset = _place(alloc)
            type = alloc.memref.type
            assert isinstance(type, MemRefType), "allocs give memrefs"
            found[pool][offset : offset + size_of(type)] = True
        return found


def _place(alloc: memref.AllocOp) -> tuple[str, int]:
    pool, offset = keys.ASSIGNED.get(alloc.attributes), keys.OFFSET.get(alloc.attributes)
    if pool is None or offset is None:
        raise PassFailedException(f"buffer '{buffer_name(alloc)}' has no place yet; run usmp-plan first")
    return pool, offset


def _without(a: Bytes, b: Bytes) -> Bytes:
    return {name: bytes_ & ~b[name] for name, bytes_ in a.items()}


def _runs(bytes_: Truth) -> Iterator[tuple[int, int]]:
    """The intervals [first, end) of bytes that are in the set."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], bytes_, [False])).astype(np.int8)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _guard(module: ModuleOp, pool: DeclareOp) -> list[tuple[int, int]]:
    """Make a workspace pool larger at both ends, and move its buffers; gives the places of the guard bytes."""
    size = 0 if pool.size is None else pool.size.value.data
    if pool.kind.data is not Kind.WORKSPACE or not size:
        return []
    room = 2 * GUARD_BYTES + pool.alignment if pool.limit is None else pool.limit.value.data - size
    front = -(-GUARD_BYTES // pool.alignment) * pool.alignment
    front = front if front <= room else 0
    behind = min(GUARD_BYTES, room - front)
    for alloc in allocs(module):
        assigned, offset = _place(alloc)
        if assigned == pool.sym_name.data:
            keys.OFFSET.put(alloc.attributes, offset + front)
    pool.properties["size"] = IntegerAttr(front + size + behind, i64)
    if pool.lower_bound is not None:
        pool.properties["lower_bound"] = IntegerAttr(front + pool.lower_bound.value.data + behind, i64)
    return [area for area in ((0, front), (front + size, front + size + behind)) if area[0] < area[1]]


def _guard_pools(entry: func.FuncOp, guards: Sequence[tuple[str, int, int]]) -> None:
    """Fill guard bytes at the beginning of a run, and return how many changed by its end."""
    block = entry.body.block
    assert block.first_op is not None, "a function's body ends with a return"
    last = block.last_op
    assert isinstance(last, func.ReturnOp), "a function's body ends with a return"
    start, end = Builder(InsertPoint.before(block.first_op)), Builder(InsertPoint.before(last))
    total: SSAValue | None = None
    for pool, first, behind in guards:
        area = _area(start, pool, first, behind, "guard")
        _call(start, FILL, area, behind - first)
        changed = _call(end, DAMAGE, area, behind - first).results[0]
        total = changed if total is None else end.insert(arith.AddiOp(total, changed, overflow=_NSW)).result
    if total is None:
        total = end.insert(arith.ConstantOp(IntegerAttr(0, i32))).result
    end.insert(func.ReturnOp(total))
    last.detach()
    last.erase()
    entry.properties["function_type"] = FunctionType.from_lists([a.type for a in block.args], [i32])


def _insert(at: InsertPoint, dead: Bytes) -> Operation | None:
    """Fill bytes; returns the last call that does."""
    builder = Builder(at)
    last: Operation | None = None
    for pool, bytes_ in dead.items():
        for first, end in _runs(bytes_):
            last = _call(builder, FILL, _area(builder, pool, first, end, "dead"), end - first)
    return last


def _area(builder: Builder, pool: str, first: int, end: int, name: str) -> SSAValue:
    """Bytes of a pool, as a memref of unknown extent."""
    alloc = builder.insert(memref.AllocOp([], [], MemRefType(i8, [end - first])))
    alloc.memref.name_hint = name
    alloc.attributes |= keys.NAME.item(f"{name} bytes") | keys.KIND.item(BufferKind.POISON)
    alloc.attributes |= keys.ASSIGNED.item(pool) | keys.OFFSET.item(first)
    cast = builder.insert(memref.CastOp.get(alloc.memref, MemRefType(i8, [DYNAMIC_INDEX])))
    cast.dest.name_hint = name
    return cast.dest


def _call(builder: Builder, callee: str, area: SSAValue, count: int) -> func.CallOp:
    extent = builder.insert(arith.ConstantOp(IntegerAttr(count, IndexType())))
    call = func.CallOp(callee, [area, extent.result], [i32] if callee == DAMAGE else [])
    keys.POISON.put(call.attributes, True)
    return builder.insert(call)


def _fill() -> func.FuncOp:
    """Writes the pattern to bytes."""
    k = _loops()
    area, count = k.block.args
    with k.loop("i", 0, count) as i:
        k.store(k.value(PATTERN, i8), area, [i])
    k.builder.insert(func.ReturnOp())
    return _private(FILL, "Fills bytes that nobody owns.", k.block, [])


def _damage() -> func.FuncOp:
    """Counts the bytes that do not hold the pattern."""
    k = _loops()
    area, count = k.block.args

    def step(i: SSAValue | int, changed: SSAValue) -> SSAValue:
        differs = k.compare("ne", k.load(area, [i]), PATTERN)
        return k.add(changed, k.extend_unsigned(differs))

    k.builder.insert(func.ReturnOp(k.reduce("i", 0, count, k.value(0, i32), step, "changed")))
    return _private(DAMAGE, "How many guard bytes have changed.", k.block, [i32])


def _loops() -> Loops:
    k = Loops(Block(arg_types=[MemRefType(i8, [DYNAMIC_INDEX]), IndexType()]))
    k.block.args[0].name_hint, k.block.args[1].name_hint = "bytes", "count"
    return k


def _private(name: str, comment: str, block: Block, results: Sequence[Attribute]) -> func.FuncOp:
    function = func.FuncOp(name, (block.arg_types, results), Region(block), StringAttr("private"))
    nn_keys.COMMENT.put(function.attributes, comment)
    return function
