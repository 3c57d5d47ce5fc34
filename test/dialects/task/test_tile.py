"""Random tiles: the loops that their steps make."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import UnitAttr

from stillpool.dialects.task import DimsAttr
from stillpool.dialects.task.step import expanded, loops_in_order
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
    for step in expanded([tile], domain):
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
