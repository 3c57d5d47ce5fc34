"""Macros: the loops that steps of random tiles make, and macros of macros."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import UnitAttr

from stillpool.dialects.task import DimsAttr, ScheduleAttr
from stillpool.dialects.task.loop import Loop
from stillpool.dialects.task.loop_steps import Jam, Unroll
from stillpool.dialects.task.step import Macro, Step, loops_in_order
from stillpool.dialects.task.tile import Tile
from stillpool.lowering.schedule.known.names import parsed_steps

NAMES = ("a", "b", "c", "d")


@dataclass
class Domain:
    space: DimsAttr
    fold: DimsAttr
    ordered: UnitAttr | None = None
    repeats: bool = True


@given(st.data())
def test_points_run_side_by_side_inside_of_all_other_loops(data: st.DataObject) -> None:
    extents = dict(zip(NAMES, data.draw(st.lists(st.integers(1, 9), min_size=4, max_size=4)), strict=True))
    points = data.draw(st.lists(st.tuples(st.sampled_from(NAMES), st.integers(2, 9)), unique_by=lambda one: one[0]))
    outside = data.draw(st.lists(st.sampled_from(NAMES), unique=True))
    tile = Tile(tuple(points), tuple(outside))
    assert parsed_steps(str(tile)) == (tile,)
    domain = Domain(DimsAttr(tuple(extents.items())), DimsAttr((("k", 3),)))
    loops = loops_in_order(domain)
    for step in ScheduleAttr.of(domain, [tile]).data:
        loops = step.planned(domain, loops)
    jammed = [loop for loop in loops if loop.form == "jam"]
    assert [(loop.dim_name or loop.name, loop.extent) for loop in jammed] == [
        (name, min(size, extents[name])) for name, size in points
    ]
    assert loops[-1].name == "k"
    assert loops[-1 - len(jammed) : -1] == jammed
    around = [loop.dim_name or loop.name for loop in loops[: -1 - len(jammed)]]
    blocked = {name for name, size in points if extents[name] > size}
    inside = {name for name, _ in points} - blocked
    first = [*outside, *(name for name in NAMES if name not in outside)]
    assert around == [name for name in first if name not in inside]


@dataclass(frozen=True)
class Word(Macro):
    """Short for steps that a function makes."""

    made: Callable[[], tuple[Step, ...]]

    def steps(self, domain: object, loops: Sequence[Loop]) -> tuple[Step, ...]:
        return self.made()


def test_macros_may_be_short_for_macros_but_not_for_themselves() -> None:
    domain = Domain(DimsAttr((("a", 4), ("b", 6))), DimsAttr(()))
    inner = Word(lambda: (Tile((("b", 2),)), Unroll("a")))
    texts = [str(step) for step in ScheduleAttr.of(domain, [Word(lambda: (inner,)), Jam("b_o")]).data]
    assert texts == ["split b 2", "order (a, b_o, b_i)", "jam b_i", "unroll a", "jam b_o"]
    endless = Word(lambda: (Unroll("a"), endless))
    with pytest.raises(ValueError, match="word: it is short for itself"):
        ScheduleAttr.of(domain, [endless])
