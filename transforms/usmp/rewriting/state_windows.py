"""How state comes to lie in the window that it is copied to, so that it is not copied in and out.

A window is a buffer of which a part is what a state held, and the rest is new. It becomes the state itself. When
nothing needs it any more, its bytes move down within it: that is what the state holds from then on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    TensorType,
    i8,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects.accesses import VIEWS, storage
from ....dialects.external import LaunchOp
from ....dialects.pool import keys
from ....dialects.pool.attributes import Kind
from ....dialects.pool.extent import buffer_bytes, element_bytes
from ....dialects.pool.kinds import BufferKind
from ....dialects.simd.moves import SlideBytesOp
from ...byte_views import flat_bytes, view_at
from ..analysis.liveness import is_state
from ..analysis.structure import allocs, buffer_name, entries, pools
from ..analysis.uses import Writers, dense_offset, top_level, uses_through_views
from .views_rewrite import erase_with_views

WORD = 4
"""Alignment of windows that move by words, in bytes."""


def copied_states(module: ModuleOp) -> Iterator[tuple[memref.AllocOp, memref.CopyOp, memref.CopyOp]]:
    """The states that nothing uses but a copy out and then a copy in: each with the two."""
    states = [alloc for alloc in allocs(module) if is_state(alloc)]
    names = [buffer_name(alloc) for alloc in states]
    for state in states:
        entry = state.parent_op()
        if entry not in entries(module) or names.count(buffer_name(state)) > 1 or keys.SHARED.within(state.attributes):
            continue
        assert isinstance(entry, func.FuncOp), "entries are functions"
        if any(keys.STREAMED.within(given.data) for given in entry.arg_attrs or ()):
            # Between calls a function that takes its input row by row may do nothing.
            continue
        uses = [use.operation for use in uses_through_views(state.memref)]
        copies = [op for op in uses if isinstance(op, memref.CopyOp) and op.parent_op() is entry]
        if len(copies) != 2 or len(uses) != 2 or any(isinstance(use.operation, VIEWS) for use in state.memref.uses):
            continue
        out, back = copies if copies[0].source is state.memref else copies[::-1]
        if out.source is state.memref and back.destination is state.memref and out.is_before_in_block(back):
            yield state, out, back


def settle(module: ModuleOp, chosen: Collection[str] | None = None) -> list[str]:
    """Let states lie in their windows, all or those of some names; returns the names of those that do."""
    writers, done = Writers(module), list[str]()
    usual = {
        name for name, pool in pools(module).items() if pool.kind.data is Kind.WORKSPACE and pool.persistent is None
    }
    for state, out, back in list(copied_states(module)):
        name = buffer_name(state)
        if chosen is not None and name not in chosen:
            continue
        found = _Window.of(state, out, back, writers)
        if found is not None and usual <= set(keys.CANDIDATES.get(found.alloc.attributes) or ()):
            found.settle()
            done.append(name)
    return done


@dataclass
class _Touch:
    """One access of an operation of the entry function to a buffer."""

    op: Operation
    """The operation of the function's own block."""
    first: int
    last: int
    """Bytes that it may touch, the last one not included."""
    is_write: bool


def _touches(alloc: memref.AllocOp, entry: func.FuncOp, writers: Writers) -> list[_Touch]:
    """Accesses to a buffer, in order; all of it where nobody knows which bytes."""
    found = list[_Touch]()
    for use in uses_through_views(alloc.memref):
        value = use.operation.operands[use.index]
        begin = dense_offset(value)
        first, last = (0, _bytes(alloc.memref)) if begin is None else (begin, begin + _bytes(value))
        found.append(_Touch(top_level(use.operation, entry), first, last, writers.is_write(use)))
    order = {op: n for n, op in enumerate(entry.body.block.ops)}
    return sorted(found, key=lambda touch: order[touch.op])


@dataclass
class _Window:
    """A window that a state can lie in."""

    state: memref.AllocOp
    alloc: memref.AllocOp
    begin: int
    """Where in it the state lies, in bytes."""
    count: int
    """Bytes that move down from there on, those that are lost included."""
    by: int
    """How far they move, in bytes."""
    at: InsertPoint
    """Where they move."""
    removed: tuple[memref.CopyOp, ...]
    """Copies that are not needed any more."""

    @staticmethod
    def of(state: memref.AllocOp, out: memref.CopyOp, back: memref.CopyOp, writers: Writers) -> _Window | None:
        """The window of a state; None where it is no part of one, or something is in the way."""
        entry = state.parent_op()
        assert isinstance(entry, func.FuncOp), "state stands in entries"
        before, window = storage(out.destination).owner, storage(back.source).owner
        begin, end = dense_offset(out.destination), dense_offset(back.source)
        if not isinstance(before, memref.AllocOp) or not isinstance(window, memref.AllocOp):
            return None
        if begin is None or end is None or not (_is_free(before, entry) and _is_free(window, entry)):
            return None
        touches, size = _touches(window, entry, writers), _bytes(state.memref)
        if any(touch.is_write and back.is_before_in_block(touch.op) for touch in touches):
            return None
        if before is window:
            # It keeps what was and what is new until nothing needs it; the end of both is there for the next run.
            for touch in touches:
                is_here = touch.first < begin + size and begin < touch.last
                if is_here and touch.op is not out and (touch.is_write or touch.op.is_before_in_block(out)):
                    return None
            after = InsertPoint.after(touches[-1].op)
            return (
                _Window(state, window, begin, end - begin + size, end - begin, after, (out, back))
                if end > begin
                else None
            )
        if begin or end or _bytes(before.memref) != size or _bytes(window.memref) != size:
            return None
        # What is left over moves down first, and what is new comes behind it: all of that is the state.
        uses = [use.operation for use in uses_through_views(before.memref) if use.operation is not out]
        move = uses[0] if len(uses) == 1 else None
        if not isinstance(move, memref.CopyOp) or storage(move.destination) is not window.memref:
            return None
        by = dense_offset(move.source)
        if not by or dense_offset(move.destination) != 0 or by + _bytes(move.source) != size:
            return None
        for touch in touches:
            if touch.op is move or touch.op is back:
                continue
            if touch.first < size - by if touch.is_write else touch.op.is_before_in_block(move):
                return None
        return _Window(state, window, 0, size, by, InsertPoint.before(touches[0].op), (out, move, back))

    def settle(self) -> None:
        """Let the state lie in the window."""
        state, type, old = self.state, self.state.memref.type, self.alloc.memref.type
        assert isinstance(type, MemRefType), "buffers are memrefs"
        assert isinstance(old, MemRefType), "buffers are memrefs"
        is_alike = old.element_type == type.element_type
        size, width = buffer_bytes(old), element_bytes(type)
        given = [op.alignment.value.data for op in (state, self.alloc) if op.alignment is not None]
        alignment = max([1, *given, WORD if (self.by | self.begin) % WORD == 0 else 1])
        made = memref.AllocOp(
            [],
            [],
            old if is_alike else MemRefType(type.element_type, [size // width]),
            IntegerAttr(alignment, i64) if alignment > 1 else None,
        )
        made.attributes |= state.attributes
        initial = keys.INITIAL.get(state.attributes)
        if initial is not None:
            shape = made.memref.type.get_shape()
            keys.INITIAL.put(made.attributes, _padded(initial, self.begin // width, shape))
        made.memref.name_hint = state.memref.name_hint
        builder, moving = Builder(InsertPoint.before(state)), Builder(self.at)
        builder.insert(made)
        moved = view_at(moving, flat_bytes(moving, made.memref), self.begin, MemRefType(i8, [self.count]))
        moving.insert(SlideBytesOp(moved, by=self.by))
        seen = made.memref
        if not is_alike:
            seen = view_at(builder, flat_bytes(builder, made.memref), 0, old, self.alloc.memref.name_hint)
        before = storage(self.removed[0].destination).owner
        assert isinstance(before, memref.AllocOp), "windows are allocs"
        for copy in self.removed:
            erase_with_views(copy)
        self.alloc.memref.replace_all_uses_with(seen)
        # What was before may have been a buffer of its own.
        for alloc in (a for a in dict.fromkeys((self.alloc, before, state)) if not a.memref.uses):
            alloc.detach()
            alloc.erase()


def _is_free(alloc: memref.AllocOp, entry: func.FuncOp) -> bool:
    """Whether a buffer may lie with the state: nobody but functions and copies of this entry function has it."""
    is_own = alloc.parent_op() is entry and not keys.SHARED.within(alloc.attributes)
    return (
        is_own
        and keys.KIND.get(alloc.attributes) is BufferKind.ACTIVATION
        and not any(isinstance(use.operation, (LaunchOp, memref.DeallocOp)) for use in uses_through_views(alloc.memref))
    )


def _bytes(value: SSAValue) -> int:
    assert isinstance(value.type, MemRefType), "buffers are memrefs"
    return buffer_bytes(value.type)


def _padded(initial: DenseIntOrFPElementsAttr, begin: int, shape: Sequence[int]) -> DenseIntOrFPElementsAttr:
    """Contents of a window after a reset: what the state held, around it zeros or the one value of all its elements."""
    element = initial.get_element_type()
    count, width, data = prod(shape), element.compile_time_size, initial.data.data
    if initial.is_splat():
        data = data[:width] * count
    else:
        data = data.rjust(len(data) + begin * width, b"\0").ljust(count * width, b"\0")
    return DenseIntOrFPElementsAttr(TensorType(element, shape), BytesAttr(data))
