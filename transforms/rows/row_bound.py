"""Bytes that no order of rows can do without, as long as no row is computed twice.

What has been done before a step is a set of steps that holds all that each of them needs. Of all such sets one leaves
the fewest bytes live right before the step, and one right after it: minimum cuts. The larger of the two is needed by
every order, and by every plan: rows may lie on what dies as they are made, but their operands are whole before, and
they are whole after. The largest of all steps is the bound. Operators make their rows from the first to the last.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.ir import SSAValue

from ...dialects.accesses import storage
from ...dialects.pool import keys
from ...planner.min_cut import ENDLESS, Cuts
from .network import Network
from .order import best_segments, ordered
from .run import Run, Step

MOST_CUTS = 1000
"""Steps that are looked at: the bound holds with any number of them."""


def row_bound(network: Network) -> int:
    """Bytes of all workspace pools without which the steps of a network cannot run, in whatever order.

    Scratch memory does not count. Of tensors that are moved to others and used besides nothing counts either: they may
    become parts of those.
    """
    if not network.operators:
        return 0
    return _Bound(network).least()


class _Bound:
    def __init__(self, network: Network):
        self._network = network
        self._steps = [(o, s) for o, operator in enumerate(network.operators) for s in range(operator.steps)]
        self._number: dict[Step, int] = {step: n for n, step in enumerate(self._steps)}
        # Whole operators may write over what they have read of one buffer.
        self._run = Run(network, is_divided=True)
        self._makers: dict[int, list[int]] = {}
        """The steps that write to an allocation."""
        self._users: dict[int, list[int]] = {}
        """Operators that read it."""
        for n, step in enumerate(self._steps):
            for found, units in ((self._makers, self._run.makes_of(*step)), (self._users, self._run.needs_of(*step))):
                for unit in units:
                    found.setdefault(unit, []).append(n)
        made = self._run.before()
        self._before = [
            self._predecessors(n, [self._number[step] for step in made[n]]) for n in range(len(self._steps))
        ]
        self._after: list[list[int]] = [[] for _ in self._steps]
        for n, before in enumerate(self._before):
            for other in before:
                self._after[other].append(n)
        self._cuts = self._network_of_cuts()

    def least(self) -> int:
        """The largest of what the steps need."""
        order = [self._number[step] for step in ordered(self._network, best_segments(self._network))]
        live = self._live(order)
        counted = self._counted()
        ends = (sum(self._run.bytes_of(u) for u in which & counted) for which in (self._run.given, self._run.kept))
        best = max(ends)
        # What is live in an order is more than what needs to be: most steps need not be looked at.
        for n in sorted(self._number.values(), key=lambda n: (-live[n], n))[:MOST_CUTS]:
            if live[n] <= best:
                break
            reading = self._cuts.least([*self._before[n], self._one], [n, self._zero])
            writing = self._cuts.least([n, self._one], [*self._after[n], self._zero])
            best = max(best, *(found for found in (reading, writing) if found < ENDLESS))
        return best

    def _predecessors(self, n: int, makers: Sequence[int]) -> list[int]:
        """The steps that come before a step in any order: those that make what it needs, and all of a barrier's."""
        operator, step = self._steps[n]
        found = {*makers}
        if step:
            found.add(n - 1)
        barrier = next((b for b in reversed(range(operator)) if self._network.operators[b].is_barrier), None)
        if self._network.operators[operator].is_barrier:
            found |= {m for m, (o, _) in enumerate(self._steps) if o < operator}
        elif barrier is not None:
            found.add(self._number[barrier, 0])
        return sorted(found)

    def _network_of_cuts(self) -> Cuts:
        """Nodes are steps, done where they are with the sources, and of some units whether they are born or dead."""
        units = sorted({*self._makers, *self._users})
        count = len(self._steps)
        self._one, self._zero = count, count + 1
        cuts = Cuts(count + 2 + 2 * len(units))
        for n, before in enumerate(self._before):
            for other in before:
                cuts.edge(n, other, ENDLESS)
        counted = self._counted()
        for place, unit in enumerate(units):
            born, dead = count + 2 + 2 * place, count + 3 + 2 * place
            users, size = self._users.get(unit, []), self._run.bytes_of(unit)
            is_kept = unit in self._run.kept
            if not size or unit not in counted or not (users or is_kept):
                continue
            for maker in [self._one] if unit in self._run.given else self._makers.get(unit, []):
                cuts.edge(maker, born, ENDLESS)
            for user in [self._zero] if is_kept else users:
                cuts.edge(dead, user, ENDLESS)
            cuts.edge(born, dead, size)
        return cuts

    def _counted(self) -> set[int]:
        """Units of tensors that are written once before they are read, and not moved to others and used besides."""
        uses: dict[SSAValue, int] = {}
        moved: set[SSAValue] = set()
        free: set[SSAValue] = set()
        for operator in self._network.operators:
            for value in operator.reads:
                uses[value] = uses.get(value, 0) + 1
            if operator.is_barrier:
                free |= {*operator.reads, *operator.writes}
            if isinstance(operator.op, func.CallOp) and keys.PARTS.within(operator.op.attributes):
                moved |= {storage(operand) for operand in operator.op.operands}
        free |= {value for value in moved if uses.get(value, 0) > 1}
        return {unit for value in self._network.tensors if value not in free for unit in self._run.units_of(value)}

    def _live(self, order: Sequence[int]) -> list[int]:
        """Bytes that are live at each step of an order."""
        at = {n: time for time, n in enumerate(order)}
        changes = [0] * (len(order) + 1)
        for unit in {*self._makers, *self._users}:
            begins = [0] if unit in self._run.given else [at[n] for n in self._makers.get(unit, ())]
            ends = [len(order) - 1] if unit in self._run.kept else [at[n] for n in self._users.get(unit, ())]
            if begins and ends:
                changes[min(begins)] += self._run.bytes_of(unit)
                changes[max([*ends, min(begins)]) + 1] -= self._run.bytes_of(unit)
        found, live = [0] * len(order), 0
        for time, n in enumerate(order):
            live += changes[time]
            found[n] = live
        return found
