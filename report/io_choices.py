"""Where the inputs of a model may lie, and what the workspace takes then: as whole tensors, by rows, and at least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..driver.compile.compilation import Compilation
from ..errors import StillpoolError
from ..planner import PoolShort
from ..targets.interfaces.native import Native
from .text_table import table


@dataclass(frozen=True)
class IoChoice:
    """One place for the inputs."""

    place: str
    """In words."""
    options: tuple[str, ...]
    """Words of the command line that ask for it."""
    whole: int | None
    """Bytes of all workspace pools with whole tensors; None where they are over the limits, or the input is not."""
    rows: int | None
    """Bytes row by row; None where they are over the limits."""
    bound: int
    """Bytes that no order of rows can do without if no row is computed twice."""
    call: str
    """The line of C that runs the model."""

    @property
    def is_least(self) -> bool:
        """Whether nothing takes less: the better of both ways takes what the bound says."""
        return min((size for size in (self.whole, self.rows) if size is not None), default=0) == self.bound

    def document(self) -> dict[str, Any]:
        """The choice in JSON."""
        return {
            "place": self.place,
            "options": " ".join(self.options),
            "whole_bytes": self.whole,
            "row_bytes": self.rows,
            "lower_bound_rows": self.bound,
            "least": self.is_least,
            "call": self.call,
        }


def io_choices(of: Compilation) -> list[IoChoice]:
    """Choices of a user; those that are not possible for a model are left out.

    Args:
        of: the model, for which rows are asked; where its inputs lie does not matter.

    Raises:
        StillpoolError: a pass refused the model.
    """
    found: list[IoChoice] = []
    for place, options, way, call in _ways(of):
        try:
            found.append(_measured(place, options, way, call))
        except PoolShort:
            found.append(IoChoice(place, options, None, None, way.row_bound(), call))
    return found


def text(choices: Sequence[IoChoice]) -> str:
    """The choices as a table, and the C that each means."""
    heads = ["inputs", "whole", "rows", "bound", "options"]
    rows = [[one.place, *map(_cell, (one.whole, one.rows, one.bound)), " ".join(one.options)] for one in choices]
    lines = [f"  {one.place}: {one.call}" for one in choices]
    least = [f"nothing takes less without computing rows twice: {one.place}" for one in choices if one.is_least]
    head = "where inputs may lie, bytes of workspace (bound: of any order of rows, none computed twice)"
    return "\n".join([head, table(heads, rows), *lines, *least]) + "\n"


def _measured(place: str, options: tuple[str, ...], way: Compilation, call: str) -> IoChoice:
    bound = way.row_bound()
    if not way.plan.is_open:
        return IoChoice(place, options, None, sum(way.workspace_bytes().values()), bound, call)
    choice = way.decided.row_choice
    assert choice is not None, "rows were open"
    if way.plan.stream_input:
        # The application never has it whole.
        sizes = [size for size in (choice.whole_bytes, choice.row_bytes) if size is not None]
        return IoChoice(place, options, None, min(sizes), bound, call)
    return IoChoice(place, options, choice.whole_bytes, choice.row_bytes, bound, call)


def _ways(of: Compilation) -> Iterator[tuple[str, tuple[str, ...], Compilation, str]]:
    """Words, options, what they ask for, and C."""
    name, model = of.model.identifier, of.model
    rows = of.plan.rows if of.plan.is_open else "on"
    base = replace(of.plan, rows=rows, stream_input="")
    inside = of if of.plan == replace(base, io="all") else replace(of, plan=replace(base, io="all"))
    yield "in the workspace", ("--workspace-io", "all"), inside, f"{name}_run(&pools);"
    callers = replace(base, io="outputs", keep_inputs=False, double_buffer_inputs=False, released_callback="")
    outside = of if of.plan == callers else replace(of, plan=callers)
    yield "the caller's", ("--workspace-io", "outputs"), outside, f"{name}_run(&inputs, &pools);"
    if of.interface is not Native or of.shims or of.plan.poison or of.plan.row_segments:
        return
    for one in model.inputs:
        streamed = replace(callers, io="all", rows="on", stream_input=one)
        way = of if of.plan == streamed else replace(of, plan=streamed)
        try:
            way.workspace_bytes()
        except StillpoolError:
            # It has no rows, or something needs all of it.
            continue
        call = f"wanted = {name}_push_rows(&stream, &pools, row, 1);"
        yield f"{one} by rows", ("--io", f"stream={one}"), way, call


def _cell(size: int | None) -> str:
    return "-" if size is None else f"{size:,}"
