"""Orders in which the taps of a mean are added in float32, which decide its last place.

They are those of the kernels that onnxruntime has on x86-64: `nn.real_average_pool2d` names them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ..builder import Value
from .kernel import Kernel
from .nest import Nest

_LANES = 4


class Rows:
    """Adds tap by tap."""

    HINTS: Sequence[str] = ("acc",)

    def __init__(self, k: Kernel, kernel: Sequence[int], channels: int):
        self.k, self.kernel, self.channels = k, kernel, channels
        self.count = kernel[0] * kernel[1]

    def start(self) -> list[SSAValue]:
        """Return the values that the fold begins with: no sum of taps is -0, so that 0 adds nothing."""
        return [self.k.floating(0.0)] * len(self.HINTS)

    def step(self, state: list[SSAValue], value: SSAValue, nest: Nest) -> Sequence[SSAValue]:
        """After one more tap."""
        return [self.k.addf(state[0], value, "acc")]

    def total(self, state: list[SSAValue], nest: Nest) -> SSAValue:
        """The sum of all taps."""
        return state[0]

    def _place(self, nest: Nest) -> SSAValue:
        """The number of a tap in the window."""
        k = self.k
        place = k.index_to_i32(k.add(k.mul(nest.index("ky"), self.kernel[1]), nest.index("kx")))
        return k.value(place, i32)


class Fours(Rows):
    """Adds sums of four taps, of two where fewer remain, then a single one."""

    HINTS = ("acc", "part")

    def step(self, state: list[SSAValue], value: SSAValue, nest: Nest) -> Sequence[SSAValue]:
        return self._joined(state, value, self._begins(nest))

    def _begins(self, nest: Nest) -> SSAValue:
        k, place = self.k, self._place(nest)
        whole = self.count // _LANES * _LANES
        low: Value = _LANES - 1
        if whole < self.count:
            low = k.select(k.compare("sge", place, whole), 1, low)
        return k.compare("eq", k.bit_and(place, low), 0)

    def _joined(self, state: list[SSAValue], value: SSAValue, begins: SSAValue) -> list[SSAValue]:
        k, (acc, part) = self.k, state[:2]
        added = k.select(begins, k.addf(acc, part), acc, self.HINTS[0])
        return [added, k.select(begins, value, k.addf(part, value), self.HINTS[1])]

    def total(self, state: list[SSAValue], nest: Nest) -> SSAValue:
        return self.k.addf(state[0], state[1])


class Columns(Fours):
    """Adds sums of columns: the sum of those before, of the present one, and which one that is."""

    HINTS = ("acc", "column", "at")

    def start(self) -> list[SSAValue]:
        return [*super().start()[:2], self.k.value(-1, i32)]

    def step(self, state: list[SSAValue], value: SSAValue, nest: Nest) -> Sequence[SSAValue]:
        place = self.k.index_to_i32(nest.index("kx"))
        return [*self._joined(state, value, self.k.compare("ne", place, state[2])), place]


class Lanes(Rows):
    """Adds every fourth tap, the four sums, then the taps that remain."""

    HINTS = ("lane0", "lane1", "lane2", "lane3", "rest")

    def step(self, state: list[SSAValue], value: SSAValue, nest: Nest) -> Sequence[SSAValue]:
        k, place = self.k, self._place(nest)
        whole = self.count // _LANES * _LANES
        lane = k.bit_and(place, 3)
        is_rest = k.compare("sge", place, whole)
        number = k.select(is_rest, 4, lane, type=i32)
        first = k.addf(_across(k, state), value)
        rest = k.select(k.compare("eq", place, whole), first, k.addf(state[4], value))
        lanes = [
            k.select(k.compare("eq", number, each), k.addf(state[each], value), state[each], self.HINTS[each])
            for each in range(_LANES)
        ]
        return [*lanes, k.select(is_rest, rest, state[4], "rest")]

    def total(self, state: list[SSAValue], nest: Nest) -> SSAValue:
        return state[4] if self.count % _LANES else _across(self.k, state)


class Pairs(Rows):
    """Adds every eighth tap from the first multiple of 16 bytes on, then joins the eight sums.

    The sums of even and of odd groups of four are added, and the last group where their number is odd; then the four
    sums, the taps before the first group, and those behind the last one. The images of all channels lie one behind the
    other, channels first, so that the number of taps before the first group depends on the channel.
    """

    def __init__(self, k: Kernel, kernel: Sequence[int], channels: int):
        super().__init__(k, kernel, channels)
        self.beyond = self.count % _LANES
        """How many taps the images lie from one multiple of 16 bytes to the next; 0 if all begin at one."""
        lines = ("even", "odd") if self.count >= 4 * _LANES else ("even",)
        hints = [f"{line}{lane}" for line in lines for lane in range(_LANES)]
        self.lanes = len(hints)
        self.HINTS = [*hints, "head0", "head1", "head2", "rest"] if self.beyond else hints

    def _groups(self, nest: Nest) -> tuple[Value, Value]:
        """The number of taps before the groups, and in them."""
        k = self.k
        if not self.beyond:
            return 0, self.count
        row = k.add(k.mul(nest.index("n"), self.channels), nest.index("oc"))
        before = k.bit_and(k.value(k.mul(k.index_to_i32(row), _LANES - self.beyond), i32), _LANES - 1)
        return before, k.bit_and(k.value(k.sub(self.count, before), i32), -_LANES)

    def step(self, state: list[SSAValue], value: SSAValue, nest: Nest) -> Sequence[SSAValue]:
        k, place = self.k, self._place(nest)
        before, within = self._groups(nest)
        at = k.value(k.sub(place, before), i32)
        number = k.bit_and(at, self.lanes - 1)
        if not self.beyond:
            return self._in_lanes(state, value, number, self._is_last(at, within))
        is_head, is_rest = k.compare("slt", at, 0), k.compare("sge", at, within)
        number = k.select(is_head, -1, k.select(is_rest, -1, number))
        made = self._in_lanes(state, value, number, self._is_last(at, within))
        for each, head in enumerate(state[self.lanes : -1]):
            here = k.select(is_head, value, head)
            made.append(k.select(k.compare("eq", place, each), here, head, f"head{each}"))
        rest = k.select(k.compare("eq", at, within), self._base(state), state[-1])
        return [*made, k.select(is_rest, k.addf(rest, value), state[-1], "rest")]

    def _is_last(self, at: SSAValue, within: Value) -> SSAValue | None:
        """Whether a group has no partner: it joins the sums of both; None if no group is alone."""
        k = self.k
        if self.lanes == _LANES or (isinstance(within, int) and within // _LANES % 2 == 0):
            return None
        # An even number of groups has its last pair end where the last group would begin.
        pairs = k.bit_and(k.value(within, i32), -2 * _LANES)
        return k.compare("sge", at, pairs)

    def _in_lanes(
        self, state: list[SSAValue], value: SSAValue, number: SSAValue, is_last: SSAValue | None
    ) -> list[SSAValue]:
        k = self.k
        made: list[SSAValue] = []
        for lane in range(self.lanes):
            here, old = k.compare("eq", number, lane), state[lane]
            base, other = old, old
            if is_last is not None and lane < _LANES:
                base = k.select(is_last, k.addf(old, state[lane + _LANES]), old)
            elif is_last is not None:
                given = k.select(is_last, k.floating(0.0), old)
                other = k.select(k.compare("eq", number, lane - _LANES), given, old)
            made.append(k.select(here, k.addf(base, value), other, self.HINTS[lane]))
        return made

    def _base(self, state: list[SSAValue]) -> SSAValue:
        k, sums = self.k, state[:_LANES]
        if self.lanes > _LANES:
            sums = [k.addf(even, odd) for even, odd in zip(sums, state[_LANES : self.lanes], strict=True)]
        total = _across(k, sums)
        for head in state[self.lanes : -1] if self.beyond else []:
            total = k.addf(total, head)
        return total

    def total(self, state: list[SSAValue], nest: Nest) -> SSAValue:
        k = self.k
        if not self.beyond:
            return self._base(state)
        before, within = self._groups(nest)
        ends = k.add(k.value(before, i32), within)
        return k.select(k.compare("eq", ends, self.count), self._base(state), state[-1])


def _across(k: Kernel, lanes: Sequence[SSAValue]) -> SSAValue:
    return k.addf(k.addf(lanes[0], lanes[2]), k.addf(lanes[1], lanes[3]))


SUMS: Mapping[str, type[Rows]] = {"rows": Rows, "columns": Columns, "fours": Fours, "lanes": Lanes, "pairs": Pairs}
"""By the names that operations give them."""
