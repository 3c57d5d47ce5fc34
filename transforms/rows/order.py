"""An order of all steps in which few bytes are live.

The network is cut into segments that run one after the other. Inside a segment the deepest operator whose rows are
there goes next, so that rows are used up as soon as they can be, unless `turns` finds better. The cuts are those with
the smallest peak, found by dynamic programming; a segment of one operator computes whole tensors, as without rows.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...progress import counted
from .network import Network, Row

Step = tuple[int, int]
"""Number of an operator, and which of its steps."""


@dataclass(frozen=True)
class Segment:
    """Operators `begin` up to `end` (excluded), interleaved."""

    begin: int
    end: int
    turns: tuple[int, ...] = ()
    """The operators as they are asked, one after the other, whether they can make a row; the deepest first if empty."""

    @property
    def asked(self) -> Sequence[int]:
        """The operators, the first to be asked first."""
        return self.turns or range(self.end - 1, self.begin - 1, -1)

    @property
    def is_single(self) -> bool:
        """Whether it is one operator."""
        return self.end == self.begin + 1


def best_segments(network: Network) -> list[Segment]:
    """The cuts with the smallest peak; of several such those that interleave the fewest operators."""
    count = len(network.operators)
    run = Run(network)
    best: list[tuple[int, int, list[Segment]]] = [(0, 0, [])]
    for end in counted("split-rows: operator", range(1, count + 1)):
        found: tuple[int, int, list[Segment]] | None = None
        for begin in reversed(range(end)):
            if begin + 1 < end and (network.operators[begin].is_barrier or network.operators[end - 1].is_barrier):
                break
            if network.takes_rows and begin == 0 and end == 1 < count and not network.operators[1].is_barrier:
                # What the application hands over is used as it comes: no run waits for all of it if it can go on.
                found = sys.maxsize, 0, [Segment(0, 1)]
                continue
            known, joined, segments = best[begin]
            peak = run.peak(Segment(begin, end), known, None if found is None else found[0])
            if peak is None:
                continue
            one = max(known, peak), joined + end - begin - 1, [*segments, Segment(begin, end)]
            if found is None or one[:2] < found[:2]:
                found = one
        assert found is not None, "an operator alone can always run"
        best.append(found)
    return best[count][2]


def peak_of(network: Network, segments: Sequence[Segment]) -> int:
    """The most bytes that are live in any segment."""
    run = Run(network)
    peaks = [run.peak(segment) for segment in segments]
    return max(peak for peak in peaks if peak is not None)


def ordered(network: Network, segments: Sequence[Segment]) -> list[Step]:
    """All steps in order."""
    run, steps = Run(network), list[Step]()
    for segment in segments:
        run.peak(segment, steps=steps)
    return steps


@dataclass
class _State:
    """Where a run stands."""

    there: list[bool]
    """Rows that are complete."""
    left: list[int]
    """For each allocation the steps that still need it."""
    born: set[int]
    """Allocations that hold, or held, something."""
    live: int
    """Bytes."""

    def copy(self) -> _State:
        return _State(list(self.there), list(self.left), set(self.born), self.live)


class Run:
    """Runs segments in the abstract and counts live bytes."""

    def __init__(self, network: Network, *, is_divided: bool = False):
        """With `is_divided` each row of a tensor that is one buffer comes and dies by itself, too."""
        self._network = network
        numbers: dict[Row, int] = {}
        for value, tensor in network.tensors.items():
            for row in range(tensor.layout.rows):
                numbers[value, row] = len(numbers)
        self._unit: list[int] = []
        """For each row the allocation that it is part of."""
        self._bytes: list[int] = []
        """Bytes of each allocation."""
        units: dict[object, int] = {}
        kept: set[int] = set()
        given: set[int] = set()
        for value, row in numbers:
            tensor = network.tensors[value]
            is_by_rows = is_divided or tensor.is_apart or tensor.is_given or tensor.is_kept
            key = (value, row) if is_by_rows else value
            if key not in units:
                units[key] = len(units)
                whole = tensor.row_bytes * tensor.layout.rows
                size = tensor.row_bytes if is_by_rows else whole
                self._bytes.append(size if tensor.takes_bytes else 0)
                if tensor.is_kept:
                    kept.add(units[key])
                if tensor.is_given:
                    given.add(units[key])
            self._unit.append(units[key])
        self._needs = [[[numbers[row] for row in step] for step in o.needs] for o in network.operators]
        self._makes = [[[numbers[row] for row in step] for step in o.makes] for o in network.operators]
        self._rows = len(numbers)
        self._units_read = [[{self._unit[row] for row in step} for step in steps] for steps in self._needs]
        self._units_made = [[{self._unit[row] for row in step} for step in steps] for steps in self._makes]
        self._awaited = [_first_needed(steps) for steps in self._needs]
        self._uses = [0] * len(self._bytes)
        for operator in self._units_read:
            for step in operator:
                for unit in step:
                    self._uses[unit] += 1
        for unit in kept:
            self._uses[unit] += 1
        self.given: frozenset[int] = frozenset(u for u in given if self._uses[u])
        """Allocations that are there before the run, and used."""
        self.kept: frozenset[int] = frozenset(kept)
        """Allocations that are there after it."""
        self._numbers = numbers
        self._given = given
        self._starts: list[_State] = []
        """Before each operator, when all those before it ran."""

    def needs_of(self, operator: int, step: int) -> set[int]:
        """The allocations that a step reads."""
        return self._units_read[operator][step]

    def makes_of(self, operator: int, step: int) -> set[int]:
        """The allocations that a step writes to."""
        return self._units_made[operator][step]

    def units_of(self, value: SSAValue) -> set[int]:
        """The allocations of a tensor."""
        rows = range(self._network.tensors[value].layout.rows)
        return {self._unit[self._numbers[value, row]] for row in rows}

    def before(self) -> list[list[tuple[int, int]]]:
        """For each step, in the order of operators, the steps that make a row that it reads."""
        makers: dict[int, list[Step]] = {}
        found: list[list[Step]] = []
        for operator, steps in enumerate(self._needs):
            for needs in steps:
                found.append(sorted({maker for row in needs for maker in makers.get(row, ())}))
            for step, makes in enumerate(self._makes[operator]):
                for row in makes:
                    makers.setdefault(row, []).append((operator, step))
        return found

    def bytes_of(self, unit: int) -> int:
        """Bytes of an allocation."""
        return self._bytes[unit]

    def _start(self, begin: int) -> _State:
        if not self._starts:
            there = [self._unit[row] in self._given for row in range(self._rows)]
            live = sum(self._bytes[unit] for unit in self._given if self._uses[unit])
            self._starts.append(_State(there, list(self._uses), set(self._given), live))
        while len(self._starts) <= begin:
            operator = len(self._starts) - 1
            state = self._starts[-1].copy()
            for step in range(len(self._needs[operator])):
                self._make(state, operator, step)
                self._use(state, operator, step)
            self._starts.append(state)
        return self._starts[begin].copy()

    def _is_ready(self, state: _State, operator: int, step: int) -> bool:
        # Of what is written more than once, or read before, something is always there.
        if self._network.operators[operator].is_barrier:
            return True
        there = state.there
        for row in self._awaited[operator][step]:
            if not there[row]:
                return False
        return True

    def _make(self, state: _State, operator: int, step: int) -> None:
        """Add what a step makes."""
        for row in self._makes[operator][step]:
            unit = self._unit[row]
            if unit not in state.born:
                state.born.add(unit)
                state.live += self._bytes[unit]
            state.there[row] = True

    def _use(self, state: _State, operator: int, step: int) -> None:
        """Remove what a step is the last to need."""
        for unit in self._units_read[operator][step]:
            state.left[unit] -= 1
            if not state.left[unit]:
                state.live -= self._bytes[unit]
        for unit in self._units_made[operator][step]:
            if not self._uses[unit]:
                state.live -= self._bytes[unit]

    def peak(
        self, segment: Segment, floor: int = 0, limit: int | None = None, steps: list[Step] | None = None
    ) -> int | None:
        """The most bytes that are live in a segment; None as soon as they are more than `limit`, or it cannot go on.

        With `steps` the order is added to it.
        """
        begin, asked = segment.begin, segment.asked
        state = self._start(begin)
        operators = self._network.operators
        following = [0] * (segment.end - begin)
        most, running = state.live, 0
        waiting = sum(operators[o].steps for o in asked)
        while waiting:
            for operator in asked:
                step = following[operator - begin]
                if step < operators[operator].steps and self._is_ready(state, operator, step):
                    break
            else:
                return None
            if step == 0:
                running += operators[operator].scratch
            # What is moved may lie where it is moved to from the start.
            moves = operators[operator].moves
            if moves:
                self._use(state, operator, step)
            self._make(state, operator, step)
            most = max(most, state.live + running + operators[operator].within)
            if limit is not None and max(most, floor) > limit:
                return None
            if not moves:
                self._use(state, operator, step)
            if step + 1 == operators[operator].steps:
                running -= operators[operator].scratch
            if steps is not None:
                steps.append((operator, step))
            following[operator - begin] += 1
            waiting -= 1
        return most


def _first_needed(steps: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each step of an operator the rows that no step before it needs: those are there, and stay."""
    seen: set[int] = set()
    found: list[list[int]] = []
    for needs in steps:
        found.append([row for row in needs if row not in seen])
        seen.update(needs)
    return found
