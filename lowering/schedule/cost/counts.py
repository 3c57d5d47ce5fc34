"""Cost of functions: numbers of operations in loops, by kind: how often they run, and how many there are.

What a compiler does to them is counted, not what stands there: places that differ by a constant share a pointer, loads
of neighbouring words may be one, what depends on no variable of a loop is computed outside of it, and numbers for which
there is no register go to memory and come back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TypeAlias

import numpy as np
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import AnyFloat, IndexType, MemRefType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.accesses import Access, accesses
from ....dialects.func_keys import NO_INLINE
from ....dialects.index_sums import IndexSum, IndexSums, Terms
from ....dialects.operations import all_of
from ....dialects.simd.kernel import HasOp, KernelOp
from ....dialects.simd.windows import WindowsOp
from ....dialects.strides import row_major
from ....machines.costs import OTHER
from ....machines.cpus import Cpu
from ...kernels.sets import instructions_of
from .kinds import is_free, numbers_of
from .places import Array, Places
from .registers import traffic

_UNKNOWN_TRIPS = 4
_UNKNOWN_SHARE = 0.5
"""Share that is taken where a bound or a condition depends on data."""
_WORD = "i32"
_ELEMENTWISE = frozenset({"memref.load", "memref.store", "simd.load_bytes", "simd.store_bytes"})
"""Operations that load or store elements and do nothing else."""

_Elements: TypeAlias = list[tuple[Access, IndexSum]]
"""Accesses of an operation, and the element of its buffer that each begins at."""


@dataclass(frozen=True, eq=False)
class _Loop:
    """Body of a loop, or of the function."""

    block: Block
    times: float
    """How often it runs."""
    around: _Loop | None = None
    depth: int = 0
    """Loops around it."""


@dataclass(frozen=True)
class Estimate:
    """Cost of a function."""

    instructions: float
    """Instructions of one call."""
    code: float
    """Bytes of machine code."""


def estimate(function: func.FuncOp, cpu: Cpu) -> Estimate:
    """Estimate the cost of a function of loops on memrefs on a processor, by its table in `machines.costs`."""
    counts, costs = Counts(function, cpu.registers), cpu.costs
    return Estimate(_weighed(counts.run, costs.instructions) + counts.instructions, _weighed(counts.static, costs.code))


def _weighed(counts: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(count * weights.get(kind, weights[OTHER]) for kind, count in counts.items())


class Counts:
    """Operations of one function: as they run, and as they stand there."""

    def __init__(self, function: func.FuncOp, registers: int):
        self.run: defaultdict[str, float] = defaultdict(float)
        """Times that operations of a kind run. A `loop` is entered, an `iteration` one of its passes, `carried` a value
        that it carries on, each time that it is entered."""
        self.static: defaultdict[str, float] = defaultdict(float)
        """Operations of a kind in the text."""
        self.instructions = 0.0
        """Instructions that run of kernels which packages bring: they say it themselves."""
        self._places, self._sums = Places(), IndexSums()
        self._registers = registers
        self._body = _Loop(function.body.block, 1.0)
        self._loop_of: dict[Block | None, _Loop] = {}
        """Innermost loop around each block, or the block's own."""
        self._add("function" if NO_INLINE.within(function.attributes) else "function inside", 1.0)
        self._block(self._body.block, self._body, 1.0)

    def _add(self, kind: str, run: float, standing: float = 1) -> None:
        self.run[kind] += run
        self.static[kind] += standing

    def _block(self, block: Block, loop: _Loop, times: float) -> None:
        """Count the operations of a block; `loop` is the innermost loop around it."""
        self._loop_of[block] = loop
        for op in block.ops:
            if isinstance(op, WindowsOp):
                # It is an `scf.for`, too, whose passes are counted with it.
                self._operation(op, loop, times)
            elif isinstance(op, scf.ForOp):
                self._for(op, loop, times)
            elif isinstance(op, scf.IfOp):
                self._branch(op, loop, times)
            elif isinstance(op, KernelOp):
                self._kernel(op, times)
            else:
                self._operation(op, loop, times)
                for inner in (block for region in op.regions for block in region.blocks):
                    self._block(inner, loop, times * _UNKNOWN_TRIPS)
        elements = {op: self._elements(op) for op in block.ops}
        self._memory(elements, loop, times)
        if not any(isinstance(op, scf.ForOp | scf.IfOp) for op in elements):
            self._pressure(elements, times, is_loop=block is loop.block)

    def _operation(self, op: Operation, loop: _Loop, times: float) -> None:
        if is_free(op) or op.name in _ELEMENTWISE:
            return
        stays = bool(op.regions) or not op.results or bool(accesses(op))
        home = loop if stays else self._home(op.operands, loop)
        often = times if home is loop else min(times, home.times)
        for kind, run, standing in numbers_of(op):
            self._add(kind, often * run, standing)

    def _home(self, values: Iterable[SSAValue], loop: _Loop) -> _Loop:
        """The innermost loop, `loop` or around it, that one of the values depends on; the function else."""
        owners = [value.owner for value in values]
        blocks = [owner if isinstance(owner, Block) else owner.parent for owner in owners]
        needed = {self._loop_of.get(block, self._body) for block in blocks}
        while loop not in needed and loop.around is not None:
            loop = loop.around
        return loop

    def _for(self, op: scf.ForOp, loop: _Loop, times: float) -> None:
        begin, end, step = (self._places[bound] for bound in (op.lb, op.ub, op.step))
        trips = np.array(_UNKNOWN_TRIPS)
        if begin is not None and end is not None and step is not None:
            trips = np.maximum(0, -(-(end - begin) // np.maximum(1, step)))
        first: Array = np.array(0, np.int64) if begin is None else begin
        self._places.enter(op.body.block.args[0], loop.depth, first, max(1, int(trips.max())))
        body = _Loop(op.body.block, times * float(trips.mean()), loop, loop.depth + 1)
        if trips.max() > 1 or trips.min() < 1:
            is_fixed = not self._sums.of(op.ub).terms and not self._sums.of(op.lb).terms
            is_innermost = not any(all_of(body.block, scf.ForOp))
            self._add("loop" if is_fixed else "loop with bounds", times)
            self._add("carried", times * len(op.results), len(op.results))
            self._add("iteration inside" if is_innermost else "iteration", body.times)
        self._block(body.block, body, body.times)

    def _kernel(self, op: KernelOp, times: float) -> None:
        self._add("call", times)
        found = [self._places[size] for size in op.sizes]
        sizes = [_UNKNOWN_TRIPS if size is None else max(0, round(float(size.mean()))) for size in found]
        self.instructions += times * instructions_of(op.kernel.data, sizes)

    def _branch(self, op: scf.IfOp, loop: _Loop, times: float) -> None:
        if isinstance(op.cond.owner, HasOp):
            # The processor has them: the loops in the other branch never run.
            self._block(op.true_region.block, loop, times)
            return
        condition = self._places[op.cond]
        share = _UNKNOWN_SHARE if condition is None else float(condition.mean())
        self._add("branch", times)
        for region, part in ((op.true_region, share), (op.false_region, 1 - share)):
            for block in region.blocks:
                self._block(block, loop, times * part)

    def _elements(self, op: Operation) -> _Elements:
        """The accesses of an operation that begin at a known element, and which one of its buffer that is."""
        return [
            (one, self._sums.place(one.indices, row_major([max(1, extent) for extent in one.type.get_shape()])))
            for one in accesses(op)
            if one.indices is not None
        ]

    def _memory(self, elements: Mapping[Operation, _Elements], loop: _Loop, times: float) -> None:
        """Loads and stores of a block, and the pointers that they need."""
        groups: dict[tuple[SSAValue, Terms], list[tuple[str, int, str]]] = {}
        for one, place in (each for op, found in elements.items() if op.name in _ELEMENTWISE for each in found):
            what, size = "store" if one.is_write else "load", _WORD if one.count > 1 else str(one.type.element_type)
            groups.setdefault((one.memref, place.terms), []).append((what, place.constant, size))
        for (_, terms), found in groups.items():
            rest = sorted(set(found), reverse=True)
            while rest:
                what, place, size = rest.pop()
                if size == _WORD and rest and rest[-1] == (what, place + 1, _WORD):
                    # Two words side by side may be one.
                    rest.pop()
                    size = f"{size} pair"
                self._add(f"{what} {size}", times)
            self._pointer(terms, len(found), loop, times)

    def _pointer(self, terms: Terms, uses: int, loop: _Loop, times: float) -> None:
        """A pointer, or an index: walks with the loop, or is set before it where it does not move."""
        values = [value for value, _ in terms]
        home = self._home(values, loop)
        if loop.around is not None and loop.block.args[0] in values:
            self._add("pointer walks" if uses > 1 else "pointer steps", times)
            self._add("pointer", loop.around.times)
        elif home is loop and loop.around is not None:
            self._add("pointer computed", times)
        else:
            self._add("pointer", min(times, home.times))

    def _pressure(self, elements: Mapping[Operation, _Elements], times: float, *, is_loop: bool) -> None:
        """Numbers that go to memory and come back for want of registers; those of a loop are there when it goes on."""
        # In the order in which they are met, so that what is as good as something else is always the same.
        numbers = defaultdict[object, int](count().__next__)
        uses: list[tuple[list[int], list[int]]] = []
        inside: dict[int, None] = {}
        pointers: dict[int, None] = {}
        made: set[int] = set()
        for op, found in elements.items():
            places = [numbers[one.memref, place.terms] for one, place in found]
            reads = [numbers[operand] for operand in op.operands if _is_number(operand)]
            makes = [numbers[result] for result in op.results if _is_number(result)]
            pointers |= dict.fromkeys(places)
            inside |= dict.fromkeys(number for number in reads if number not in made)
            made.update(makes)
            uses.append(([*places, *reads], makes))
        inside |= pointers
        # The next pass begins with what this one began with, and with what its last operation yields.
        ends = [*inside, *uses[-1][0]] if is_loop else []
        stored, loaded = traffic(uses, list(inside), ends, self._registers)
        self._add("spilled", times * stored, stored)
        self._add("reloaded", times * loaded, loaded)


def _is_number(value: SSAValue) -> bool:
    """Whether it takes a register of those that pointers have, too: what is computed of data, but floats."""
    return _in_registers(value.type.__class__) and value.owner.__class__ is not arith.ConstantOp


@cache
def _in_registers(kind: type[Attribute]) -> bool:
    return not issubclass(kind, MemRefType | IndexType | AnyFloat)
