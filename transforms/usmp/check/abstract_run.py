"""One run of an entry function in the abstract: which buffers still hold what was written to them.

A buffer is intact from its first write on. A write to another buffer that shares bytes destroys it, and whoever then
reads it, or writes a part of it, finds the plan wrong. Loop bodies run twice, so that what one iteration destroys of
the next one's is seen. A call that this refuses is run again with every access timed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.accesses import Access, accesses
from ....dialects.operations import operations
from ....dialects.pool import keys
from ....dialects.pool.kinds import BufferKind
from ....progress import counted
from .coarse_run import CoarseRun
from .contents import Contents
from .pieces import Pieces
from .places import Place
from .points import Untimed
from .reference import CONSTANT, Arguments, Reference, refer
from .timed_run import TimedRun, TooMuch
from .untold import Untold

_Does: TypeAlias = Callable[[Operation, Arguments], None]
"""Runs an operation, with what the arguments of its function refer to."""


class Clash(PassFailedException):
    """A buffer is used after another was written over it, or may be: the order within a call is not looked at."""


class AbstractRun:
    """Runs the entry functions of one module; each starts from nothing."""

    def __init__(self, module: ModuleOp, placed: dict[Operation, Place], constants: Sequence[Operation]):
        self._table = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self._number = _numbers(placed) | dict.fromkeys(constants, CONSTANT)
        self._kinds = {op: place.kind for op, place in placed.items()}
        self._places = list(placed.values())
        self._in_use = sorted(set(self._number.values()) - {CONSTANT})
        """Numbers of the buffers; buffers that are shared under one name have one number."""
        self._placed = placed
        self._untouchable: set[int] = set()
        """Numbers of the inputs that the running entry function must keep."""
        self._where = ""
        self._contents = Contents()
        self._alone: dict[int, int] = {}
        """Buffers, or pieces, that shared no byte with an intact one, after so many arrivals of those."""
        self._untold = Untold({})
        self._accesses: dict[Operation, Sequence[Access]] = {}
        """Of each operation that was met."""
        self._involved: dict[Block, Sequence[tuple[_Does, Operation]]] = {}
        """The operations of a block that have to do with buffers, each with what it does: functions run often, and most
        of them only computes."""
        self._pieces = Pieces(self._number, self._places)
        """Buffers that are used in parts: only the pieces of them are intact or destroyed."""
        self._bytes = [(place.pool, place.first, place.end) for place in self._places]
        """Where buffers lie, and pieces, too."""

    def run(self, *entries: func.FuncOp, slot: int = 0) -> None:
        """Run functions one after another as the application does: inputs written before, outputs read after.

        What one of them gives the next stays where it is. State is there before and after the run of every entry
        function, whichever of them holds it, and so are both slots of double-buffered inputs: the run is given one, and
        the application may have filled the other. Kept inputs are there after the run, and nothing writes to them.
        """
        self._contents, self._alone = Contents(), {}
        caller = self._where = f"the caller of {', '.join(f'@{entry.sym_name.data}' for entry in entries)}"
        inside = [(op, self._number[op]) for op in self._kinds if any(entry.is_ancestor(op) for entry in entries)]
        self._untold = Untold({op: (number, self._placed[op]) for op, number in inside})
        given = [number for op, number in inside if self._kinds[op] is BufferKind.INPUT]
        made = [number for op, number in inside if self._kinds[op] is BufferKind.OUTPUT]
        # Of the parts of one buffer some are written before the run, and others read after it.
        parts = {number for op, number in inside if self._placed[op].at is not None}
        kept = [number for op, number in inside if self._kept(op)]
        state = [
            number
            for number in self._in_use
            if self._places[number].kind is BufferKind.STATE or self._places[number].slot is not None
        ]
        for number in [*state, *(number for number in given if number not in made or number in parts)]:
            self._write(number)
        for entry in entries:
            self._where = f"@{entry.sym_name.data}"
            self._untouchable = {n for op, n in inside if self._kept(op) and entry.is_ancestor(op)}
            arguments = self._arguments(entry, slot)
            for op in counted(f"usmp-check: @{entry.sym_name.data}, operation", list(entry.body.block.ops)):
                self._does(op)(op, arguments)
        self._where, self._untouchable = caller, set()
        for number in [*state, *kept, *(number for number in made if number not in given or number in parts)]:
            self._read(number)
        self._untold.end()

    def _kept(self, op: Operation) -> bool:
        return self._placed[op].is_kept

    def _arguments(self, entry: func.FuncOp, slot: int) -> dict[SSAValue, Reference | None]:
        """Arguments of the entry function: the caller's bytes, or a slot of an input."""
        bound: dict[SSAValue, Reference | None] = dict.fromkeys(entry.body.block.args)
        slots = {
            p.input: n
            for op, n in self._number.items()
            if n != CONSTANT and entry.is_ancestor(op)
            for p in [self._placed[op]]
            if p.slot == slot
        }
        for argument, attributes in zip(entry.body.block.args, entry.arg_attrs or (), strict=False):
            if keys.SLOTS.within(attributes.data):
                key = keys.INPUT.get(attributes.data)
                if key not in slots:
                    raise PassFailedException(f"@{entry.sym_name.data}: input {key} has no slot {slot}")
                bound[argument] = Reference(slots[key], 0)
        return bound

    def _keep(self, number: int) -> None:
        """Refuse a write to an input that is to be kept."""
        if number in self._untouchable:
            raise PassFailedException(
                f"{self._where} writes to input '{self._places[number].name}', which is to be kept"
            )

    def _write(self, number: int) -> None:
        for piece in self._pieces.of.get(number, ()):
            self._write(piece)
        if number in self._pieces.of:
            return
        if number in self._contents.destroyed:
            # Perhaps only a part of it is written: the rest must still be there.
            self._refuse("writes to", number)
        self._contents.write(number)
        # Loops write to the same buffers again and again.
        if self._alone.get(number) != self._contents.arrivals:
            for other in self._sharing(number):
                self._contents.destroy(other, number)
            self._alone[number] = self._contents.arrivals

    def _sharing(self, number: int) -> list[int]:
        """Intact buffers, or pieces, that have bytes of one: those are few, for they mostly share none themselves."""
        # As `Place.overlaps` says; a call for each pair would be a third of the proof.
        pool, first, end = self._bytes[number]
        found: list[int] = []
        for other in self._contents.intact:
            its_pool, begin, last = self._bytes[other]
            if begin < end and first < last and its_pool == pool and other != number:
                found.append(other)
        return found

    def _read(self, number: int) -> None:
        for piece in self._pieces.of.get(number, ()):
            self._read(piece)
        if number in self._contents.destroyed:
            self._refuse("reads", number)

    def _refuse(self, does: str, number: int) -> None:
        place, by = self._places[number], self._places[self._contents.destroyed[number]]
        raise Clash(
            f"{self._where} {does} buffer '{place.name}' after '{by.name}' was written over it, "
            f"at byte {max(place.first, by.first)} of pool @{place.pool}"
        )

    def _renew(self, op: Operation, arguments: Arguments | None = None) -> None:
        """A buffer begins anew, with nothing in it; inputs and state are there from before."""
        number = self._number[op]
        if self._begins_anew(op):
            for piece in self._pieces.of.get(number, [number]):
                self._contents.renew(piece)

    def _begins_anew(self, op: Operation) -> bool:
        is_own = self._number[op] != CONSTANT and self._placed[op].at is None
        return is_own and self._kinds[op] not in (BufferKind.INPUT, BufferKind.STATE)

    def _block(self, block: Block, arguments: Arguments) -> None:
        if block not in self._involved:
            self._involved[block] = [(self._does(op), op) for op in block.ops if self._is_involved(op)]
        for does, op in self._involved[block]:
            does(op, arguments)

    def _is_involved(self, op: Operation) -> bool:
        if op in self._number or op.regions or isinstance(op, func.CallOp):
            return True
        return bool(self._accesses_of(op)) or any(isinstance(result.type, MemRefType) for result in op.results)

    def _accesses_of(self, op: Operation) -> Sequence[Access]:
        if op not in self._accesses:
            self._accesses[op] = accesses(op)
        return self._accesses[op]

    def _does(self, op: Operation) -> _Does:
        """What an operation does to buffers.

        Raises:
            PassFailedException: it passes memrefs on where they are not followed.
        """
        if op in self._number:
            return self._renew
        if isinstance(op, func.CallOp):
            return self._call
        if op.regions:
            passed = [*op.operands, *op.results, *(a for r in op.regions for b in r.blocks for a in b.args)]
            if any(isinstance(value.type, MemRefType) for value in passed):
                raise PassFailedException(f"{op.name} passes a memref on: buffers must not depend on control flow")
            return self._regions
        if any(isinstance(result.type, MemRefType) for result in op.results):
            return self._refer
        return self._touch

    def _refer(self, op: Operation, arguments: Arguments) -> None:
        for result in op.results:
            refer(result, arguments, self._number)

    def _touch(self, op: Operation, arguments: Arguments) -> None:
        """All that it reads, and then what it writes."""
        read: list[int] = []
        written: list[int] = []
        surely: set[int] = set()
        for access in self._accesses_of(op):
            reference = refer(access.memref, arguments, self._number)
            if reference is None:
                continue
            (written if access.is_write else read).append(reference.number)
            if access.is_write and not access.is_assumed:
                surely.add(reference.number)
        if CONSTANT in surely:
            raise PassFailedException(f"{self._where} writes to a constant")
        for number in read:
            if number != CONSTANT:
                self._untold.read(number, is_written=number in written)
                self._read(number)
        for number in written:
            self._untold.written(number)
        for number in written:
            if number != CONSTANT:
                if number in surely:
                    self._keep(number)
                self._write(number)

    def _regions(self, op: Operation, arguments: Arguments) -> None:
        blocks = [block for region in op.regions for block in region.blocks]
        for _ in range(2):
            mark = self._contents.mark()
            with self._untold.inside():
                for block in blocks:
                    self._block(block, arguments)
            if self._contents.is_as_at(mark):
                # The same would happen once more; of nested loops every level would double what is run.
                return

    def _call(self, op: Operation, arguments: Arguments) -> None:
        assert isinstance(op, func.CallOp), "as `_does` says"
        name = op.callee.string_value()
        if any(isinstance(result.type, MemRefType) for result in op.results):
            raise PassFailedException(f"@{name} returns a memref: buffers must not depend on control flow")
        outer, self._where = self._where, f"@{name}"
        function = self._table.get(name)
        if function is None or not function.body.blocks:
            self._touch(op, arguments)
        else:
            bound = [
                self._pieces.window(refer(operand, arguments, self._number), operand.type)
                if isinstance(operand.type, MemRefType)
                else None
                for operand in op.operands
            ]
            self._expand(function, dict(zip(function.body.block.args, bound, strict=True)))
        self._where = outer

    def _expand(self, function: func.FuncOp, arguments: Arguments) -> None:
        """Run a called function: buffer by buffer, and if that finds a clash, access by access."""
        mark = self._contents.mark()
        try:
            self._block(function.body.block, arguments)
        except Clash as clash:
            self._contents.back_to(mark)
            self._where = f"@{function.sym_name.data}"
            try:
                self._time(function, arguments)
            except Untimed as reason:
                raise PassFailedException(f"{clash}; the order of accesses is unknown: {reason}") from clash

    def _time(self, function: func.FuncOp, arguments: Arguments) -> None:
        own = [op for op in operations(function) if op in self._number]
        involved = {reference.number for reference in arguments.values() if reference is not None}
        involved = (involved | {self._number[op] for op in own}) - {CONSTANT}
        born = {self._number[op] for op in own if self._begins_anew(op)}
        timed = self._timed(function, arguments, involved, born)
        for op in own:
            self._renew(op)
        for number in sorted(involved):
            if timed.accesses[number].is_read:
                self._untold.read(number, is_written=timed.accesses[number].is_written)
                self._read(number)
        found = timed.overwrite()
        if found is not None:
            place, by = self._places[found.read], self._places[found.written]
            raise PassFailedException(
                f"{self._where} reads buffer '{place.name}' after '{by.name}' was written over it, "
                f"at byte {found.byte} of pool @{place.pool}"
            )
        written = [number for number in sorted(involved) if timed.accesses[number].is_written]
        for number in written:
            self._keep(number)
            self._untold.written(number)
        known = set(self._contents.intact)
        pieces = [(piece, number) for number in written for piece in self._pieces.of.get(number, [number])]
        for piece, _ in pieces:
            if piece in self._contents.destroyed:
                self._refuse("writes to", piece)
        for piece, _ in pieces:
            self._contents.write(piece)
        named: dict[int, list[int]] = {}
        for number in involved:
            for piece in self._pieces.of.get(number, [number]):
                named.setdefault(piece, []).append(number)
        gone = [
            (other, number)
            for piece, number in pieces
            for other in self._sharing(piece)
            if other not in named
            or any(timed.is_destroyed(name, by=number, was_there=other in known) for name in named[other])
        ]
        for other, number in gone:
            self._contents.destroy(other, number)

    def _timed(
        self, function: func.FuncOp, arguments: Arguments, involved: set[int], born: set[int]
    ) -> TimedRun | CoarseRun:
        """When the involved buffers are accessed: each element, or where that would be too much, ranges of bytes."""
        try:
            timed = TimedRun(self._places, self._number, involved, born)
            timed.run(function, arguments)
        except TooMuch:
            timed = CoarseRun(self._places, self._number, involved, born)
            timed.run(function, arguments)
        return timed


def _numbers(placed: dict[Operation, Place]) -> dict[Operation, int]:
    """A number for each buffer, the place's position; all that are shared under one name have the first one's.

    Raises:
        PassFailedException: what is shared does not lie at one place.
    """
    first: dict[str, tuple[int, Place]] = {}
    numbers: dict[Operation, int] = {}
    for number, (op, place) in enumerate(placed.items()):
        numbers[op], known = first.setdefault(place.shared, (number, place)) if place.shared else (number, place)
        if (known.pool, known.first, known.end) != (place.pool, place.first, place.end):
            raise PassFailedException(f"buffers '{known.name}' and '{place.name}' are shared but lie apart")
    return numbers
