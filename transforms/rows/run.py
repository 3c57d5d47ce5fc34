"""A run of a network's segments in the abstract: which steps go next, and how many bytes are live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from xdsl.ir import SSAValue

from .network import Network, Operator

Step = tuple[int, int]
"""Number of an operator, and which of its steps."""


@dataclass(frozen=True)
class Segment:
    """Operators `begin` up to `end` (excluded), interleaved."""

    begin: int
    end: int
    turns: tuple[int, ...] = ()
    """The operators as they are asked, one after the other, whether they can make a row; the deepest first if empty."""
    is_patient: bool = False
    """Whether a step waits, as long as any other can go on, until it frees as much as it takes, or the next one
    of an operator waits for its operator alone."""

    @property
    def asked(self) -> Sequence[int]:
        """The operators, the first to be asked first."""
        return self.turns or range(self.end - 1, self.begin - 1, -1)

    @property
    def is_plain(self) -> bool:
        """Whether the deepest operator that can make a row always does so."""
        return not self.turns and not self.is_patient

    @property
    def is_single(self) -> bool:
        """Whether it is one operator."""
        return self.end == self.begin + 1


@dataclass
class _State:
    """Where a run stands."""

    there: bytearray
    """Rows that are complete."""
    missing: list[int]
    """For each step the rows that it still waits for, those aside that steps before it wait for."""
    left: list[int]
    """For each allocation the steps that still need it."""
    born: bytearray
    """Allocations that hold, or held, something."""
    live: int
    """Bytes."""

    def copy(self) -> _State:
        return _State(self.there[:], self.missing[:], self.left[:], self.born[:], self.live)


@dataclass(frozen=True)
class _Work:
    """Work of one step."""

    operator: int
    made: tuple[tuple[int, int], ...]
    """Rows that it completes, each with its allocation."""
    read: tuple[int, ...]
    """Allocations that it reads."""
    unread: int
    """Bytes that it makes and nothing reads."""
    extra: int
    """Bytes that are held while it runs."""
    scratch: int
    """Bytes that are held from the operator's first step on, if it is that."""
    freed: int
    """The same bytes, if it is the operator's last step."""
    is_last: bool
    moves: bool


@dataclass(frozen=True)
class _Steps:
    """The steps of one operator: of each the rows and allocations by number."""

    needs: Sequence[Sequence[int]]
    makes: Sequence[Sequence[int]]
    awaited: Sequence[Sequence[int]]
    """The rows that each waits for, those aside that steps before it wait for."""
    read: Sequence[set[int]]
    """Allocations."""
    made: Sequence[set[int]]


class Run:
    """Runs segments in the abstract and counts live bytes."""

    def __init__(self, network: Network, *, is_divided: bool = False, like: Run | None = None):
        """With `is_divided` each row of a tensor that is one buffer comes and dies by itself, too.

        Args:
            network: the network.
            is_divided: see above.
            like: a run of the network of which this one is a copy with other operators whole: most of it is the same.
        """
        self._network = network
        self._firsts: dict[SSAValue, int] = {}
        """For each tensor the number of its first row."""
        self._unit: list[int] = []
        """For each row the allocation that it is part of, which has the number of its first row."""
        self._bytes: list[int] = []
        """Bytes of each allocation."""
        self._kept: set[int] = set()
        self._given: set[int] = set()
        for value, tensor in network.tensors.items():
            first, rows = len(self._unit), tensor.layout.rows
            self._firsts[value] = first
            is_by_rows = is_divided or tensor.is_apart or tensor.is_given or tensor.is_kept
            units = range(first, first + rows) if is_by_rows else [first] * rows
            self._unit += units
            size = tensor.row_bytes * (1 if is_by_rows else rows)
            self._bytes += [size if tensor.takes_bytes else 0] * rows
            if tensor.is_kept:
                self._kept.update(units)
            if tensor.is_given:
                self._given.update(units)
        self._first = [0] if like is None else like._first
        """For each operator the number of its first step, all steps counted; of one that is whole later ones stand for
        nothing."""
        self._operators: list[_Steps] = []
        self._works: list[_Work] = []
        self._waiting: list[list[int]] = [[] for _ in self._unit]
        """For each row the steps that wait for it."""
        self._uses = [0] * len(self._bytes)
        self._maker: dict[int, int] = {}
        if like is None:
            self._count()
        else:
            self._count_like(like)
        self.given: frozenset[int] = frozenset(u for u in self._given if self._uses[u])
        """Allocations that are there before the run, and used."""
        self.kept: frozenset[int] = frozenset(self._kept)
        """Allocations that are there after it."""
        self._starts: list[_State] = []
        """Before each operator, when all those before it ran."""
        self._least: dict[int, int] = {}
        """Bytes that every segment needs that begins at an operator and is longer than those that were run."""

    def _count(self) -> None:
        """Read all operators."""
        for unit in self._kept:
            self._uses[unit] += 1
        for number, operator in enumerate(self._network.operators):
            self._operators.append(self._read(operator))
            self._first.append(self._first[number] + operator.steps)
            self._use_more(number, 1)
        for number, operator in enumerate(self._network.operators):
            self._works += [self._work(number, step) for step in range(operator.steps)]
            self._wait(number)
        self._maker = {row: work.operator for work in self._works for row, _ in work.made}

    def _count_like(self, like: Run) -> None:
        """Read the operators that are not as in another run."""
        before, tensors = like._network, self._network.tensors
        changed = {value for value, tensor in before.tensors.items() if tensor.is_apart != tensors[value].is_apart}
        others = [
            number
            for number, (old, new) in enumerate(zip(before.operators, self._network.operators, strict=True))
            if old.needs is not new.needs or not changed.isdisjoint((*new.reads, *new.writes))
        ]
        self._operators, self._works, self._maker = like._operators[:], like._works[:], like._maker
        self._uses, self._waiting = like._uses[:], like._waiting[:]
        for number in others:
            first = self._first[number]
            own = range(first, self._first[number + 1])
            self._use_more(number, -1)
            for row in {row for rows in self._operators[number].awaited for row in rows}:
                self._waiting[row] = [step for step in self._waiting[row] if step not in own]
            self._operators[number] = self._read(self._network.operators[number])
            self._use_more(number, 1)
        for number in others:
            first, steps = self._first[number], self._network.operators[number].steps
            self._works[first : first + steps] = [self._work(number, step) for step in range(steps)]
            for row in {row for rows in self._operators[number].awaited for row in rows}:
                self._waiting[row] = self._waiting[row][:]
            self._wait(number)

    def _read(self, operator: Operator) -> _Steps:
        firsts, unit = self._firsts, self._unit
        needs, makes = (
            [[firsts[v] + row for v, row in step] for step in of] for of in (operator.needs, operator.makes)
        )
        # Of what a barrier reads, which may be written more than once, something is always there.
        awaited = [[] for _ in needs] if operator.is_barrier else _first_needed(needs)
        read, made = ([{unit[row] for row in step} for step in of] for of in (needs, makes))
        return _Steps(needs, makes, awaited, read, made)

    def _use_more(self, number: int, by: int) -> None:
        for units in self._operators[number].read:
            for unit in units:
                self._uses[unit] += by

    def _wait(self, number: int) -> None:
        for step, rows in enumerate(self._operators[number].awaited):
            for row in rows:
                self._waiting[row].append(self._first[number] + step)

    def _work(self, number: int, step: int) -> _Work:
        operator, steps = self._network.operators[number], self._operators[number]
        made = tuple((row, self._unit[row]) for row in steps.makes[step])
        unread = sum(self._bytes[unit] for unit in steps.made[step] if not self._uses[unit])
        is_last = step + 1 == operator.steps
        scratch, freed = (operator.scratch if step == 0 else 0), (operator.scratch if is_last else 0)
        read = tuple(steps.read[step])
        return _Work(number, made, read, unread, operator.within, scratch, freed, is_last, operator.moves)

    def needs_of(self, operator: int, step: int) -> set[int]:
        """The allocations that a step reads."""
        return self._operators[operator].read[step]

    def makes_of(self, operator: int, step: int) -> set[int]:
        """The allocations that a step writes to."""
        return self._operators[operator].made[step]

    def units_of(self, value: SSAValue) -> set[int]:
        """The allocations of a tensor."""
        first = self._firsts[value]
        return {*self._unit[first : first + self._network.tensors[value].layout.rows]}

    def before(self) -> list[list[tuple[int, int]]]:
        """For each step, in the order of operators, the steps that make a row that it reads."""
        makers: dict[int, list[Step]] = {}
        found: list[list[Step]] = []
        for operator, steps in enumerate(self._operators):
            for needs in steps.needs:
                found.append(sorted({maker for row in needs for maker in makers.get(row, ())}))
            for step, makes in enumerate(steps.makes):
                for row in makes:
                    makers.setdefault(row, []).append((operator, step))
        return found

    def bytes_of(self, unit: int) -> int:
        """Bytes of an allocation."""
        return self._bytes[unit]

    def _begin(self) -> _State:
        """The state before all operators."""
        there = bytearray(unit in self._given for unit in self._unit)
        missing = [0] * len(self._works)
        for row, steps in enumerate(self._waiting):
            if not there[row]:
                for step in steps:
                    missing[step] += 1
        live = sum(self._bytes[unit] for unit in self._given if self._uses[unit])
        born = bytearray(unit in self._given for unit in range(len(self._bytes)))
        return _State(there, missing, self._uses[:], born, live)

    def _start(self, begin: int) -> _State:
        if not self._starts:
            self._starts.append(self._begin())
        while len(self._starts) <= begin:
            operator = len(self._starts) - 1
            state = self._starts[-1].copy()
            first = self._first[operator]
            for work in self._works[first : first + self._network.operators[operator].steps]:
                self._make(state, work)
                self._use(state, work)
            self._starts.append(state)
        return self._starts[begin]

    def _make(self, state: _State, work: _Work) -> list[int]:
        """Add what a step makes; return the steps that wait for no row any more."""
        ready: list[int] = []
        for row, unit in work.made:
            if not state.born[unit]:
                state.born[unit] = 1
                state.live += self._bytes[unit]
            if not state.there[row]:
                state.there[row] = 1
                for step in self._waiting[row]:
                    state.missing[step] -= 1
                    if not state.missing[step]:
                        ready.append(step)
        return ready

    def _use(self, state: _State, work: _Work) -> None:
        """Remove what a step is the last to need."""
        for unit in work.read:
            state.left[unit] -= 1
            if not state.left[unit]:
                state.live -= self._bytes[unit]
        state.live -= work.unread

    def _is_wanted(self, state: _State, work: _Work, following: Mapping[int, int]) -> bool:
        """Whether a step frees as much as it takes, or the next one of an operator waits for its operator alone."""
        freed = sum(self._bytes[unit] for unit in work.read if state.left[unit] == 1)
        taken = sum(self._bytes[unit] for _, unit in work.made if not state.born[unit])
        return freed >= taken or any(
            following.get(self._works[step].operator) == step
            and all(state.there[other] or self._maker.get(other) == work.operator for other in self._awaited(step))
            for row, _ in work.made
            for step in self._waiting[row]
        )

    def _awaited(self, step: int) -> Sequence[int]:
        """The rows that a step waits for, those aside that steps of its operator before it wait for."""
        operator = self._works[step].operator
        return self._operators[operator].awaited[step - self._first[operator]]

    def least(self, begin: int, end: int) -> int:
        """Bytes that a segment is known to need, with the deepest operator first; found by running shorter ones."""
        return max(self._start(begin).live, self._start(end).live, self._least.get(begin, 0))

    def peak_of(
        self, segments: Sequence[Segment], limit: int | None = None, steps: list[Step] | None = None
    ) -> int | None:
        """The most bytes that are live in any of all segments, in order; None as soon as they are more than `limit`.

        With `steps` the order is added to it.
        """
        state, most = self._begin(), 0
        for segment in segments:
            peak = self._through(segment, state, limit=limit, steps=steps)
            if peak is None:
                return None
            most = max(most, peak)
        return most

    def peak(self, segment: Segment, floor: int = 0, limit: int | None = None) -> int | None:
        """The most bytes that are live in a segment; None as soon as they are more than `limit`, or it cannot go on."""
        state, first = self._start(segment.begin).copy(), self._first
        if not segment.is_plain:
            return self._through(segment, state, floor, limit)
        # Longer segments go on in the same way until an operator behind this one can run.
        operators = range(segment.end, len(self._operators))
        longest = next((o for o in operators if self._network.operators[o].is_barrier), len(self._operators))
        shared = _Shared(longest, all(state.missing[first[o]] for o in range(segment.end, longest)))
        peak = self._through(segment, state, floor, limit, shared=shared)
        self._least[segment.begin] = max(shared.most, self._least.get(segment.begin, 0))
        return peak

    def _through(
        self,
        segment: Segment,
        state: _State,
        floor: int = 0,
        limit: int | None = None,
        *,
        shared: _Shared | None = None,
        steps: list[Step] | None = None,
    ) -> int | None:
        """Run a segment; see `peak`. The state is what it is after it."""
        first = self._first
        rank = {operator: place for place, operator in enumerate(segment.asked)}
        operators = {place: operator for operator, place in rank.items()}
        following = {operator: first[operator] for operator in rank}
        ready = sorted(place for o, place in rank.items() if not state.missing[first[o]])
        most, running = state.live, 0
        waiting = sum(self._network.operators[operator].steps for operator in rank)
        if shared is not None:
            shared.most = most
        while waiting and (limit is None or max(most, floor) <= limit):
            if not ready:
                return None
            if segment.is_patient:
                ready.sort()
                wanted = (p for p in ready if self._is_wanted(state, self._works[following[operators[p]]], following))
                place = next(wanted, ready[0])
                ready.remove(place)
            else:
                place = heappop(ready)
            operator = operators[place]
            number = following[operator]
            work = self._works[number]
            running += work.scratch
            # What is moved may lie where it is moved to from the start.
            if work.moves:
                self._use(state, work)
            woken = self._make(state, work)
            most = max(most, state.live + running + work.extra)
            if not work.moves:
                self._use(state, work)
            running -= work.freed
            if steps is not None:
                steps.append((operator, number - first[operator]))
            following[operator] = number + 1
            waiting -= 1
            if not work.is_last and not state.missing[number + 1]:
                heappush(ready, rank[operator])
            if shared is not None and shared.goes_on:
                shared.most = most
            for step in woken:
                other = self._works[step].operator
                if other in rank:
                    if other != operator and following[other] == step:
                        heappush(ready, rank[other])
                elif shared is not None and step == first[other] and other < shared.longest:
                    shared.goes_on = False
        return None if limit is not None and max(most, floor) > limit else most


@dataclass
class _Shared:
    """What a segment has in common with longer ones that begin where it does."""

    longest: int
    """Where the longest of them ends."""
    goes_on: bool
    """Whether they run as it does so far."""
    most: int = 0
    """The most bytes that are live until they do not."""


def _first_needed(steps: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each step of an operator the rows that no step before it needs: those are there, and stay."""
    seen: set[int] = set()
    found: list[list[int]] = []
    for needs in steps:
        found.append([row for row in needs if row not in seen])
        seen.update(needs)
    return found
