"""The pass `usmp-release-inputs`: after which operation the application may refill an input.

An input is released when nothing reads it any more, and nothing else uses its bytes until the run is over. What is
refilled then is there for the next run. Kept and double-buffered inputs, and those of the caller, are released after
their last reader; the bytes of others are mostly used again, the later the release.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.accesses import storage
from ....dialects.operations import all_of, operations
from ....dialects.pool import keys
from ....dialects.pool.keys import Concurrency
from ....dialects.pool.kinds import BufferKind
from ..analysis.concurrency import concurrency, shared_name
from ..analysis.contract import is_kept, is_slot, released_after
from ..analysis.structure import allocs_in, entries, functions, taken_by
from .application_calls import call_after, take_names


@dataclass(frozen=True)
class UsmpReleaseInputsPass(ModulePass):
    """Mark the operations of planned entry functions after which inputs are released."""

    name: ClassVar[str] = "usmp-release-inputs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        everything = entries(op)
        is_pipeline = concurrency(op) is Concurrency.PIPELINE
        for position, entry in enumerate(everything):
            after = everything[position + 1 :] if is_pipeline else []
            _release(_Uses(functions(op)), entry, after)


@dataclass(frozen=True)
class UsmpReleasedCallbackPass(ModulePass):
    """Call the function that an entry function's `pool.released_callback` names after each release."""

    name: ClassVar[str] = "usmp-released-callback"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for entry, callback in take_names(op, keys.RELEASED_CALLBACK):
            for operation in list(entry.body.block.ops):
                for number in reversed(released_after(operation)):
                    call_after(operation, callback, number, keys.CALLBACK)


class _Uses:
    """Which buffers operations touch, those inside called functions included."""

    def __init__(self, table: dict[str, func.FuncOp]):
        self._table = table
        self._inside: dict[str, list[memref.AllocOp]] = {}

    def roots(self, op: Operation) -> set[SSAValue]:
        """The buffers and arguments that an operation of the entry function names."""
        return {storage(v) for o in operations(op) for v in o.operands if isinstance(v.type, MemRefType)}

    def buffers(self, op: Operation) -> Iterator[memref.AllocOp]:
        """The buffers that it touches."""
        for root in self.roots(op):
            if isinstance(root.owner, memref.AllocOp):
                yield root.owner
        for o in op.walk():
            if isinstance(o, func.CallOp):
                yield from self.inside(o.callee.string_value())

    def inside(self, name: str) -> list[memref.AllocOp]:
        """The buffers that a function and those that it calls make."""
        if name not in self._inside:
            function = self._table.get(name)
            self._inside[name] = [] if function is None else list(allocs_in(function))
            if function is not None:
                called = {o.callee.string_value() for o in all_of(function, func.CallOp)}
                for other in sorted(called):
                    self._inside[name] = [*self._inside[name], *self.inside(other)]
        return self._inside[name]


def _release(uses: _Uses, entry: func.FuncOp, after: Sequence[func.FuncOp]) -> None:
    """Mark the operations of one entry function; `after` are those that run before the next refill is used."""
    released: dict[Operation, list[int]] = {}
    later = [alloc for other in after for alloc in uses.inside(other.sym_name.data)]
    for number, root, places in _inputs(entry):
        lasting = [alloc for alloc in allocs_in(entry) if _lasts(alloc) and alloc not in places]
        if any(_overlap(place, other) for place in places for other in [*lasting, *later]):
            continue
        operations = [op for op in entry.body.block.ops if not isinstance(op, memref.AllocOp | func.ReturnOp)]
        touching = [
            op
            for op in operations
            if root in uses.roots(op) or any(_overlap(p, b) for p in places for b in uses.buffers(op) if b is not p)
        ]
        if operations:
            released.setdefault(touching[-1] if touching else operations[0], []).append(number)
    for op, numbers in released.items():
        keys.RELEASES.put(op.attributes, sorted(numbers))


def _inputs(entry: func.FuncOp) -> Iterator[tuple[int, SSAValue, list[memref.AllocOp]]]:
    """The numbered inputs: number, the value that is read, and the buffer if it is one; slots overlap nothing."""
    for argument, attributes in zip(entry.body.block.args, entry.arg_attrs or (), strict=False):
        number = keys.INPUT.get(attributes.data)
        if number is not None:
            yield number, argument, []
    for alloc in allocs_in(entry):
        number = keys.INPUT.get(alloc.attributes)
        if number is not None and not is_slot(alloc) and shared_name(alloc) is None:
            yield number, alloc.memref, [alloc]


def _lasts(alloc: memref.AllocOp) -> bool:
    """Whether somebody reads the buffer after the run."""
    return is_kept(alloc) or keys.KIND.get(alloc.attributes) in (BufferKind.OUTPUT, BufferKind.STATE)


def _overlap(a: memref.AllocOp, b: memref.AllocOp) -> bool:
    if a is b or keys.ASSIGNED.get(a.attributes) != keys.ASSIGNED.get(b.attributes):
        return False
    (first_a, end_a), (first_b, end_b) = _bytes(a), _bytes(b)
    return first_a < end_b and first_b < end_a


def _bytes(alloc: memref.AllocOp) -> tuple[int, int]:
    offset, type = keys.OFFSET.get(alloc.attributes), alloc.memref.type
    assert offset is not None, "the module is planned"
    assert isinstance(type, MemRefType), "allocs give memrefs"
    return offset, offset + taken_by(alloc, type)
