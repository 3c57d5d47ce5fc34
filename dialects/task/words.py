"""Meaning of the step `words` of a schedule for a nest: sums of products that keep channels apart, four in a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType, NoneAttr

from ..simd import BYTES
from .clipping import limits
from .dual import DualPlan, dual_plan
from .loop import Loop
from .schedule import Dual, Quads, Words
from .structure import Nest


@dataclass(frozen=True)
class Border:
    """Points from `first` up to `end` (excluded) of a dimension, for which the same fold points are clipped."""

    first: int
    end: int


def borders(nest: Nest, dim: int) -> list[Border]:
    """Return the borders of a space dimension at which it alone clips some fold points, those alike together.

    Raises:
        ValueError: it does so nowhere, or another dimension of the space has a say.
    """
    found: list[tuple[Border, tuple[bool, ...]]] = []
    name, first_fold = nest.space.names[dim], len(nest.space.data)
    alone = [limit for limit in limits(nest) if nest.form_of(limit.index).coefficient(dim)]
    if any(d != dim and d < first_fold for limit in alone for d in nest.form_of(limit.index).positions()):
        raise ValueError(f"words {name}: what is clipped along it depends on another dimension, too")
    for place in range(nest.extents[dim]):
        clipped: list[bool] = []
        for limit in alone:
            form = nest.form_of(limit.index)
            base = form.constant + place * form.coefficient(dim)
            fold = range(nest.extents[limit.dim])
            clipped += [not 0 <= base + n * form.coefficient(limit.dim) < limit.extent for n in fold]
        if found and found[-1][1] == tuple(clipped):
            found[-1] = Border(found[-1][0].first, place + 1), tuple(clipped)
        else:
            found.append((Border(place, place + 1), tuple(clipped)))
    kept = [border for border, clipped in found if any(clipped)]
    if not kept:
        raise ValueError(f"words {name}: nothing is clipped along it")
    return kept


def words_plan(nest: Nest, channel: int) -> DualPlan:
    """Which factor is read in words and which one is packed, all fold points in one run of pairs.

    Args:
        nest: the nest.
        channel: the dimension of the channels that run side by side.

    Raises:
        ValueError: the nest does not allow the step.
    """
    if not nest.fold.data:
        raise ValueError("words: there is no fold")
    try:
        plan = dual_plan(nest, Dual(len(nest.fold.data), 1))
    except ValueError as error:
        raise ValueError(str(error).replace("dual: ", "words: ", 1)) from error
    name = nest.space.names[channel]
    first, second = (nest.accesses("step_reads")[factor.read] for factor in (plan.staged, plan.packed))
    type = first.buffer.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    if plan.staged.bits != 8 or not isinstance(type.layout, NoneAttr):
        raise ValueError(f"words: {type} does not hold bytes side by side")
    least, most = plan.staged.extremes
    if not least <= 0 <= most:
        raise ValueError(f"words: the zero point {plan.staged.zero_point} is no byte as those of {type}")
    steps = [nest.form(index).coefficient(channel) for index in first.indices]
    if not steps or steps[-1] != 1 or any(steps[:-1]):
        raise ValueError(f"words: {name} does not move along the last dimension of {type}")
    if any(nest.form(first.indices[-1]).coefficient(len(nest.space.data) + n) for n in range(len(nest.fold.data))):
        raise ValueError(f"words: the fold moves along the last dimension of {type}")
    if not any(nest.form(index).coefficient(channel) for index in second.indices):
        raise ValueError(f"words: the constant does not depend on {name}")
    return plan


def is_quads(nest: Nest) -> bool:
    """Whether the schedule has the step `quads`."""
    return nest.schedule is not None and Quads() in nest.schedule.data


def quads_plan(nest: Nest, channel: int) -> DualPlan:
    """Which factors are read in words; as `words_plan`, and the other one lies in words, too.

    Raises:
        ValueError: the nest does not allow the step.
    """
    try:
        plan = words_plan(nest, channel)
    except ValueError as error:
        raise ValueError(str(error).replace("words: ", "quads: ", 1)) from error
    access = nest.accesses("step_reads")[plan.packed.read]
    type = access.buffer.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    steps = [nest.form(index).coefficient(channel) for index in access.indices]
    is_bytes = plan.packed.bits == 8 and isinstance(type.layout, NoneAttr)
    if not is_bytes or not steps or steps[-1] != 1 or any(steps[:-1]) or len(nest.form(access.indices[-1]).terms) > 1:
        raise ValueError(f"quads: {type} does not hold bytes of the channels side by side")
    return plan


def verify_quads(nest: Nest, loops: Sequence[Loop]) -> None:
    """Check the rest of a schedule that has the step.

    Raises:
        ValueError: it does not go with `quads`.
    """
    jammed = [loop for loop in loops if loop.form == "jam"]
    if [loop.extent for loop in jammed] != [BYTES] or jammed[0].reverse or nest.extents[jammed[0].dim] % BYTES:
        raise ValueError(f"quads: one dimension is jammed, with {BYTES} points in order in each of its blocks")
    quads_plan(nest, jammed[0].dim)


def verify_words(nest: Nest, step: Words, loops: Sequence[Loop]) -> None:
    """Check the rest of a schedule that has the step.

    Raises:
        ValueError: it does not go with `words`.
    """
    jammed = [loop for loop in loops if loop.form == "jam"]
    if [loop.extent for loop in jammed] != [BYTES] or jammed[0].reverse:
        raise ValueError(f"words: one dimension is jammed, with {BYTES} points in order")
    if jammed[0].clamped:
        raise ValueError(f"split {jammed[0].dim_name} clamped: with words four channels are read as one word")
    words_plan(nest, jammed[0].dim)
    for number, name in enumerate(step.borders):
        if name not in nest.space.names:
            raise ValueError(f"words {name}: it is no dimension of the space")
        if name in step.borders[:number]:
            raise ValueError(f"words {name}: it is named twice")
        borders(nest, nest.space.names.index(name))
    first_fold = len(nest.space.data)
    for loop in loops:
        if loop.dim >= first_fold and (loop.is_part or loop.form != "loop" or loop.reverse):
            raise ValueError(f"{loop.dim_name or loop.name}: with words the fold runs in pairs of points, in order")
