"""Numbers of operations in loops, by kind: how often they run, and how many there are.

What a compiler does to them is counted, not what stands there: places that differ by a constant share a pointer, loads
of neighbouring words may be one, what depends on no variable of a loop is computed outside of it, and numbers for which
there is no register go to memory and come back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, IndexType, MemRefType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.accesses import Access, accesses
from ....dialects.operations import all_of
from ....dialects.simd.kernel import HasOp, KernelOp
from ....dialects.simd.window_loop import WindowLoop
from ...kernels.sets import instructions_of
from .forms import Forms, Terms
from .kernels import of_pass
from .kinds import WINDOWS, element_of, is_free, kind_of, many, standing
from .places import Array, Places
from .registers import traffic

_UNKNOWN_TRIPS = 4
_UNKNOWN_SHARE = 0.5
"""Share that is taken where a bound or a condition depends on data."""
_WORD = "i32"
_REGISTERS = 14
"""Registers of a processor for which no number is known."""


class Counts:
    """Operations of one function: as they run, and as they stand there."""

    def __init__(self, body: Block, registers: int = _REGISTERS):
        self.run: defaultdict[str, float] = defaultdict(float)
        """Times that operations of a kind run. A `loop` is entered, an `iteration` one of its passes, `carried` a value
        that it carries on, each time that it is entered."""
        self.static: defaultdict[str, float] = defaultdict(float)
        """Operations of a kind in the text."""
        self.instructions = 0.0
        """Instructions that run of kernels which packages bring: they say it themselves."""
        self._places, self._forms = Places(), Forms()
        self._registers = registers
        self._times: dict[Block, float] = {}
        """Runs of the body of each loop, and of the function's."""
        self._body = body
        function = body.parent_op()
        is_apart = function is not None and "no_inline" in function.attributes
        self._add("function" if is_apart else "function inside", 1.0)
        self._times[body] = 1.0
        self._block(body, body, 1.0, 0)

    def _add(self, kind: str, times: float, count: float = 1) -> None:
        self.run[kind] += times * count
        self.static[kind] += count

    def _block(self, block: Block, loop: Block, times: float, depth: int) -> None:
        """Count the operations of a block; `loop` is the body of the innermost loop around it."""
        for op in block.ops:
            if isinstance(op, scf.ForOp):
                windows = WindowLoop.of(op)
                self._loop(op, times, depth) if windows is None else self._windows(windows, times)
            elif isinstance(op, scf.IfOp):
                self._branch(op, loop, times, depth)
            else:
                self._operation(op, loop, times)
                for inner in (block for region in op.regions for block in region.blocks):
                    self._block(inner, loop, times * _UNKNOWN_TRIPS, depth)
        self._memory(block, loop, times)
        self._pressure(block, loop, times)

    def _operation(self, op: Operation, loop: Block, times: float) -> None:
        if is_free(op) or _elements(op):
            return
        if isinstance(op, KernelOp):
            self._kernel(op, times)
            return
        stays = bool(op.regions) or not op.results or bool(accesses(op))
        home = loop if stays else self._home(op.operands, loop)
        often = times if home is loop else min(times, self._times[home])
        for kind, count in many(op):
            self.run[kind] += often * count
        self.static[kind_of(op)] += standing(op)

    def _home(self, values: Iterable[SSAValue], loop: Block) -> Block:
        """The body of the innermost loop, `loop` or around it, that one of the values depends on."""
        needed, found = {self._around(value) for value in values}, loop
        while found not in needed and found is not self._body:
            found = self._outside(found)
        return found

    def _outside(self, loop: Block) -> Block:
        """The body around a loop, by the loop's body."""
        parent = loop.parent_op()
        assert parent is not None, "loops stand in the function"
        assert parent.parent is not None, "and so do these"
        return self._loop_around(parent.parent)

    def _around(self, value: SSAValue) -> Block:
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        return self._body if block is None else self._loop_around(block)

    def _loop_around(self, block: Block) -> Block:
        while block not in self._times:
            parent = block.parent_op()
            assert parent is not None, "blocks stand in the function"
            assert parent.parent is not None, "and so do their regions"
            block = parent.parent
        return block

    def _loop(self, op: scf.ForOp, times: float, depth: int) -> None:
        bounds = [self._places.of(bound) for bound in (op.lb, op.ub, op.step)]
        begin, end, step = bounds
        trips = np.array(_UNKNOWN_TRIPS)
        if begin is not None and end is not None and step is not None:
            trips = np.maximum(0, -(-(end - begin) // np.maximum(1, step)))
        first: Array = np.array(0, np.int64) if begin is None else begin
        self._places.enter(op.body.block.args[0], depth, first, max(1, int(trips.max())))
        inside = times * float(trips.mean())
        self._times[op.body.block] = inside
        if trips.max() > 1 or trips.min() < 1:
            is_fixed = not self._forms.of(op.ub).terms and not self._forms.of(op.lb).terms
            is_innermost = not any(all_of(op.body.block, scf.ForOp))
            self._add("loop" if is_fixed else "loop with bounds", times)
            self._add("carried", times, len(op.results))
            self._add("iteration inside" if is_innermost else "iteration", inside)
        self._block(op.body.block, op.body.block, inside, depth + 1)

    def _windows(self, windows: WindowLoop, times: float) -> None:
        """A loop that is a call of one function."""
        self._add("loop of windows", times)
        of_one = of_pass(windows)
        self.run[WINDOWS] += times * windows.blocks * of_one
        self.static[WINDOWS] += of_one

    def _kernel(self, op: KernelOp, times: float) -> None:
        self._add("call", times)
        found = [self._places.of(size) for size in op.sizes]
        sizes = [_UNKNOWN_TRIPS if size is None else max(0, round(float(size.mean()))) for size in found]
        self.instructions += times * instructions_of(op.kernel.data, sizes)

    def _branch(self, op: scf.IfOp, loop: Block, times: float, depth: int) -> None:
        if isinstance(op.cond.owner, HasOp):
            # The processor has them: the loops in the other branch never run.
            self._block(op.true_region.block, loop, times, depth)
            return
        condition = self._places.of(op.cond)
        share = _UNKNOWN_SHARE if condition is None else float(condition.mean())
        self._add("branch", times)
        for region, part in ((op.true_region, share), (op.false_region, 1 - share)):
            for block in region.blocks:
                self._block(block, loop, times * part, depth)

    def _memory(self, block: Block, loop: Block, times: float) -> None:
        """Loads and stores of a block, and the pointers that they need."""
        groups: dict[tuple[SSAValue, Terms], list[tuple[bool, int, str]]] = {}
        for op in block.ops:
            for one in _elements(op):
                place = self._forms.place(one)
                groups.setdefault((one.memref, place.terms), []).append((one.is_write, place.constant, _size(one)))
        for (_, terms), found in groups.items():
            for what, is_write in (("load", False), ("store", True)):
                places = sorted({(place, size) for write, place, size in found if write == is_write})
                self._moved(places, what, times)
            self._pointer(terms, len(found), loop, times)

    def _moved(self, places: Sequence[tuple[int, str]], what: str, times: float) -> None:
        """Loads or stores from one pointer on, in order: two words side by side may be one."""
        rest = list(reversed(places))
        while rest:
            place, size = rest.pop()
            if size == _WORD and rest and rest[-1] == (place + 1, _WORD):
                rest.pop()
                size = f"{size} pair"
            self._add(f"{what} {size}", times)

    def _pointer(self, terms: Terms, uses: int, loop: Block, times: float) -> None:
        """A pointer, or an index: walks with the loop, or is set before it where it does not move."""
        values = [value for value, _ in terms]
        home = self._home(values, loop)
        if loop is not self._body and loop.args[0] in values:
            self._add("pointer walks" if uses > 1 else "pointer steps", times)
            self._add("pointer", self._times[self._outside(loop)])
        elif home is loop and loop is not self._body:
            self._add("pointer computed", times)
        else:
            self._add("pointer", min(times, self._times[home]))

    def _pressure(self, block: Block, loop: Block, times: float) -> None:
        """Numbers that go to memory and come back for want of registers."""
        if any(isinstance(op, scf.ForOp | scf.IfOp) for op in block.ops):
            return
        numbers: dict[object, int] = {}

        def number(value: object) -> int:
            return numbers.setdefault(value, len(numbers))

        uses: list[tuple[list[int], list[int]]] = []
        inside: dict[int, None] = {}
        pointers: dict[object, None] = {}
        made: set[int] = set()
        for op in block.ops:
            reads: list[int] = []
            for one in accesses(op):
                if one.indices is not None:
                    key = (one.memref, self._forms.place(one).terms)
                    pointers[key] = None
                    reads.append(number(key))
            for operand in op.operands:
                if _is_number(operand):
                    reads.append(number(operand))
                    if reads[-1] not in made:
                        inside[reads[-1]] = None
            makes = [number(result) for result in op.results if _is_number(result)]
            made.update(makes)
            if reads or makes:
                uses.append((reads, makes))
        for key in pointers:
            inside[number(key)] = None
        ends = [one for one in inside if one not in made]
        ends += [number(value) for value in block.last_op.operands if _is_number(value)] if block.last_op else []
        found = traffic(uses, list(inside), ends if block is loop else [], self._registers)
        self._add("spilled", times, found.stored)
        self._add("reloaded", times, found.loaded)


def _elements(op: Operation) -> list[Access]:
    """Return the elements that an operation loads or stores which does nothing else."""
    if op.name not in ("memref.load", "memref.store", "simd.load_bytes", "simd.store_bytes"):
        return []
    return [one for one in accesses(op) if one.indices is not None]


def _size(one: Access) -> str:
    return _WORD if one.count > 1 else element_of(one)


def _is_number(value: SSAValue) -> bool:
    """Whether it takes a register of those that pointers have, too: what is computed of data, but floats."""
    return _in_registers(value.type.__class__) and value.owner.__class__ is not arith.ConstantOp


@cache
def _in_registers(kind: type[Attribute]) -> bool:
    return not issubclass(kind, MemRefType | IndexType | AnyFloat)
