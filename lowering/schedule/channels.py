"""Schedules of folds that keep channels apart: depthwise convolutions and pooling."""

from __future__ import annotations

import math

from ...dialects.task import NestOp
from ...dialects.task.clipping import limits
from ...dialects.task.packed import extreme_of
from ...dialects.task.products import products
from ...dialects.task.schedule import INNER, OUTER, Collect, Jam, Order, Packed, Quads, Split, Step, Whole, Words
from ...dialects.task.words import borders, quads_plan, words_plan
from ...machines.cpus import Cpu
from ..tasks.dual.constants import Constants

_SIDE_BY_SIDE = 4
"""Channels that share one pass over the window: their sums and the loop stay in the registers of a Cortex-M, and their
bytes fill a word."""
_MOST_POINTS = 25
"""Most points of a window that is written out without loops where it is whole."""

_MOST_BORDERS = 2
"""Each of which costs as much code as the inside."""
_LEAST_SHARE = 1 / 16
"""Share of a dimension at borders from which on they have code of their own."""


def channels_schedule(nest: NestOp, constants: Constants, cpu: Cpu) -> tuple[Step, ...] | None:
    """Several neighbouring channels in one pass over the window; None if the nest does not keep channels apart.

    Every operand that the step reads must lie along the innermost dimension as the result does, so that the loops
    over the window and what they compute of places are shared.
    """
    if not nest.fold.data or nest.ordered is not None or not nest.space.data:
        return None
    dim = len(nest.space.data) - 1
    name, extent = nest.space.data[dim]
    accesses = [*nest.accesses("step_reads"), *nest.accesses("writes")]
    alike = all(nest.form(access.indices[-1]).terms == ((dim, 1),) for access in accesses if access.indices)
    if not alike or extent < _SIDE_BY_SIDE or any(nest.form_of(limit.index).coefficient(dim) for limit in limits(nest)):
        return None
    is_short = math.prod(points for _, points in nest.fold.data) <= _MOST_POINTS
    words = Words(_borders(nest)) if cpu.dsp and _allows_words(nest, dim, constants) else Whole()
    whole: list[Step] = [words] if is_short else []
    if cpu.in_words and extreme_of(nest, dim) is not None:
        whole.append(Packed())
    if cpu.few_registers and is_short and products(nest) is not None:
        # Of several channels, compilers load all bytes before the first result and keep them in memory.
        return tuple(whole)
    if extent == _SIDE_BY_SIDE:
        return (Jam(name), *whole)
    outer, inner = name + OUTER, name + INNER
    order = Order((*nest.space.names[:-1], outer, inner, *nest.fold.names))
    return Split(name, _SIDE_BY_SIDE), order, Jam(inner), *whole


def small_channels_schedule(nest: NestOp) -> tuple[Step, ...] | None:
    """Return the schedule of products in the shortest code; None if four channels cannot be read as a word."""
    if not nest.fold.data or nest.ordered is not None or not nest.space.data:
        return None
    dim = len(nest.space.data) - 1
    name, extent = nest.space.data[dim]
    try:
        quads_plan(nest, dim)
    except ValueError:
        return None
    if extent % _SIDE_BY_SIDE or any(nest.form_of(limit.index).coefficient(dim) for limit in limits(nest)):
        return None
    if extent == _SIDE_BY_SIDE:
        return Jam(name), Quads(), Collect()
    outer, inner = name + OUTER, name + INNER
    order = Order((*nest.space.names[:-1], outer, inner, *nest.fold.names))
    return Split(name, _SIDE_BY_SIDE), order, Jam(inner), Quads(), Collect()


def _allows_words(nest: NestOp, channel: int, constants: Constants) -> bool:
    """Whether four channels can be read as a word, and products with constants summed in pairs."""
    try:
        plan = words_plan(nest, channel)
    except ValueError:
        return False
    packed = nest.accesses("step_reads")[plan.packed.read]
    return constants.uses(packed.buffer) is not None and packed.buffer.has_one_use()


def _borders(nest: NestOp) -> tuple[str, ...]:
    """The dimensions whose borders deserve code of their own: those that make something clipped often enough."""
    found: list[str] = []
    for dim, (name, extent) in enumerate(nest.space.data):
        try:
            at_borders = borders(nest, dim)
        except ValueError:
            continue
        share = sum(border.end - border.first for border in at_borders) / extent
        if len(at_borders) <= _MOST_BORDERS and share >= _LEAST_SHARE:
            found.append(name)
    return tuple(found)
