"""Schedules of sums of products: register tiles of channels and pixels.

Four channels and two pixels need six loads for eight multiplications, all in the fourteen registers of a Cortex-M; with
DSP instructions these are of pairs. Source of the tile: Lai, Suda, Chandra, CMSIS-NN (2018), with four channels for
their two.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from ...dialects.simd import NIBBLES
from ...dialects.task import NestOp
from ...dialects.task.dual import DualPlan, allows_direct, dims_of_read, dual_plan
from ...dialects.task.schedule import (
    INNER,
    OUTER,
    Collect,
    Direct,
    Dual,
    InWords,
    Jam,
    Order,
    Single,
    Split,
    Step,
    Swar,
)
from ...machines.cpus import Cpu
from ..tasks.dual.constants import Constants
from ..tasks.dual.tile import is_tile
from ..tasks.legal import check_values
from .swar import is_small_copy
from .variants import Variant

_LONGEST_LINE = 16
"""Words of a run over several dimensions, which is written out without loops."""
_LEAST_POINTS = 4
"""Fold points from which on copying pays."""
_MOST_WEIGHTS = 1 << 22
"""Elements of a constant beyond which it is not packed: its flash doubles."""
_SMALL = (4, 2)
"""Channels side by side in the shortest code."""
_WORD_BYTES = 4
_MOST_COPIED = 2048
"""Bytes of words that the only point of a product may take. To copy it is a little faster than to take it apart for
each block of channels."""
_UNROLL = (4, 5, 3, 2)
"""Words in one pass of the loop, best first where they divide their number."""
_UNROLL_LONG = tuple(range(16, 5, -1))
"""Points of a pass with DSP instructions where that leaves a loop: the longer, the less is spent on it. Without one
compilers load so much in advance that they run out of registers."""
_UNROLL_TILE = 16
"""Words of a pass in a tile, whose sums are one operation."""
_UNROLL_BYTES = (8, *_UNROLL)
"""Points of a pass where bytes are taken apart: what GCC keeps in memory for want of registers is the same in a longer
pass."""


def products_schedule(nest: NestOp, constants: Constants, cpu: Cpu, variant: Variant) -> tuple[Step, ...] | None:
    """The fastest known schedule of a nest that sums products with constants; None if it is not such a nest."""
    if nest.ordered is not None or not nest.fold.data:
        return None
    found = _planned(nest, constants, cpu, variant)
    if found is None:
        return None
    step, plan = found
    packed = nest.accesses("step_reads")[plan.packed.read]
    if constants.uses(packed.buffer) is None and cpu.dsp and variant is not Variant.SMALL:
        return _of_both(nest, plan, cpu)
    if constants.uses(packed.buffer) is None or not packed.buffer.has_one_use():
        return None
    channels = [d for d in plan.packed_dims if _uses(nest, plan, d) and nest.extents[d] > 1]
    points = math.prod(extent for _, extent in nest.fold.data)
    weights = points * math.prod(nest.extents[d] for d in range(len(nest.space.data)) if _uses(nest, plan, d))
    rows = math.prod(nest.extents[d] for d in plan.staged_dims)
    # Fewer points pay, too, where more channels share a copy than there are copies.
    is_shared = cpu.dsp and max((nest.extents[d] for d in channels), default=0) > rows
    if (points < _LEAST_POINTS and not is_shared) or weights > _MOST_WEIGHTS:
        return None
    if not channels:
        return _alone(nest, plan, cpu, variant)
    channel = max(channels, key=lambda d: nest.extents[d])
    pixel, direct = _pixel(nest, plan, cpu), list[Step]()
    copied = plan.pairs * _WORD_BYTES
    is_fast = variant is Variant.FAST or (variant is Variant.COMPACT and plan.bytes)
    is_copied = is_fast and copied <= _MOST_COPIED
    if pixel is None and isinstance(step, Dual) and allows_direct(nest, plan) and not is_copied:
        unroll = next((n for n in (8, 4) if step.unroll >= n and plan.pairs % n == 0), 2)
        step, direct = replace(step, unroll=unroll), [Direct()]
    elif isinstance(step, Dual) and _is_tile(nest, channel, pixel, plan, cpu, variant):
        step = replace(step, unroll=min(_UNROLL_TILE, plan.pairs))
    if variant is Variant.SMALL:
        if plan.nibbles and nest.extents[channel] % NIBBLES and nest.extents[channel] > NIBBLES:
            step = replace(step, nibbles=False, bytes=True)
        if pixel is None and not direct and copied > _MOST_COPIED:
            return None
        small = _small_tile(nest, channel, pixel, plan)
        return None if small is None else (*small, step, *direct, Collect())
    return (*_tile(nest, channel, pixel, plan.staged_dims, cpu.tile.channels, cpu.tile.pixels), step, *direct)


def _of_both(nest: NestOp, plan: DualPlan, cpu: Cpu) -> tuple[Step, ...] | None:
    """Return the schedule where neither factor is constant: each is copied, so several points must share copies."""
    staged, packed = (dims_of_read(nest, factor.read) for factor in (plan.staged, plan.packed))
    own = [
        [d for d, (_, extent) in enumerate(nest.space.data) if d in a - b and extent > 1]
        for a, b in ((staged, packed), (packed, staged))
    ]
    points = math.prod(extent for _, extent in nest.fold.data)
    if not all(own) or points < _LEAST_POINTS:
        return None
    pixel, channel = (max(dims, key=lambda d: nest.extents[d]) for dims in own)
    run, unroll = _run(nest, Dual.lanes, [n for n in _UNROLL if n <= cpu.tile.unroll], _UNROLL_LONG)
    if is_tile(plan, min(cpu.tile.channels, nest.extents[channel]), cpu.tile.pixels):
        unroll = min(_UNROLL_TILE, plan.pairs)
    step = Dual(run, unroll, both=True)
    try:
        dual_plan(nest, step)
    except ValueError:
        return None
    return (*_tile(nest, channel, pixel, packed, cpu.tile.channels, cpu.tile.pixels), step)


def _alone(nest: NestOp, plan: DualPlan, cpu: Cpu, variant: Variant) -> tuple[Step, ...] | None:
    """Return the schedule where no two results share elements: words as they lie, and no tile.

    Such are sums over time, of which each has constants of its own, too, and products with one channel.
    """
    if not cpu.dsp or not allows_direct(nest, plan):
        return None
    unroll = 2 if variant is Variant.SMALL else next(n for n in (8, 4, 2) if plan.pairs % n == 0)
    return Dual(len(plan.run), unroll, bytes=plan.bytes or plan.nibbles), Direct()


def _is_tile(nest: NestOp, channel: int, pixel: int | None, plan: DualPlan, cpu: Cpu, variant: Variant) -> bool:
    """Whether sums side by side are one operation."""
    channels, pixels = min(cpu.tile.channels, nest.extents[channel]), 1 if pixel is None else cpu.tile.pixels
    return variant is not Variant.SMALL and is_tile(plan, channels, pixels)


def _small_tile(nest: NestOp, channel: int, pixel: int | None, plan: DualPlan) -> list[Step] | None:
    """A tile of one body: its channels divide theirs, and pixels beyond the end are the last one again, if they may."""
    size = next((size for size in _SMALL if nest.extents[channel] % size == 0), None)
    if size is None:
        return None
    tile = _tile(nest, channel, pixel, plan.staged_dims, size, 2)
    return [replace(one, clamped=nest.repeats) if isinstance(one, Split) else one for one in tile]


def _planned(nest: NestOp, constants: Constants, cpu: Cpu, variant: Variant) -> tuple[InWords, DualPlan] | None:
    """The step that suits the processor best of those that the nest allows."""
    for step in _steps(nest, cpu, variant):
        try:
            plan = dual_plan(nest, step, late=True)
            if not plan.swar or is_small_copy(plan):
                check_values(nest, plan, constants)
                return step, plan
        except ValueError:
            continue
    return None


def _steps(nest: NestOp, cpu: Cpu, variant: Variant) -> Sequence[InWords]:
    if variant is Variant.SMALL:
        short = _run(nest, Dual.lanes, [1])
        return (
            [Dual(*short, nibbles=True), Dual(*short, bytes=True)]
            if cpu.dsp
            else [Single(*_run(nest, Single.lanes, [1]))]
        )
    if cpu.dsp:
        words = Dual(*_run(nest, Dual.lanes, [n for n in _UNROLL if n <= cpu.tile.unroll], _UNROLL_LONG))
        return (
            [
                replace(words, nibbles=True),
                Dual(*_run(nest, Dual.lanes, _UNROLL_BYTES, _UNROLL_LONG), bytes=True),
                words,
            ]
            if variant is Variant.COMPACT
            else [words]
        )
    run, unroll = _run(nest, Single.lanes, [n for n in _UNROLL if n <= cpu.tile.unroll])
    swar = [Swar(run)] if cpu.swar and variant is Variant.FAST else []
    return [*swar, *(Single(run, unroll, unsigned) for unsigned in ([True, False] if cpu.unsigned_bytes else [False]))]


def _run(nest: NestOp, lanes: int, unroll: Sequence[int], long: Sequence[int] = ()) -> tuple[int, int]:
    """Fold dimensions that run side by side: as few as waste no lane, or all but none; and words in one pass.

    `unroll` has the numbers of words that one pass may have, best first, `long` those of one pass of several.
    """
    extents = [extent for _, extent in nest.fold.data]
    best: tuple[int, int] | None = None
    for run in range(1, len(extents) + 1):
        inside = -(-math.prod(extents[-run:]) // lanes)
        if run > 1 and inside > _LONGEST_LINE:
            break
        pairs = math.prod(extents[:-run]) * inside
        if best is None or pairs < best[0]:
            best = pairs, run
    assert best is not None, "there is a fold dimension"
    pairs, run = best
    allowed = unroll or [1]
    if (several := next((n for n in long if pairs % n == 0 and n < pairs), None)) is not None:
        return run, several
    return run, next((n for n in allowed if pairs % n == 0), min(pairs, allowed[0]))


def _uses(nest: NestOp, plan: DualPlan, dim: int) -> bool:
    """Whether the place in the packed constant depends on a space dimension."""
    indices = nest.accesses("step_reads")[plan.packed.read].indices
    return any(nest.form(index).coefficient(dim) for index in indices)


def _pixel(nest: NestOp, plan: DualPlan, cpu: Cpu) -> int | None:
    """The dimension along which pixels share weights: that with the fewest left over, the innermost of several."""
    pixels = cpu.tile.pixels
    if pixels == 1:
        return None
    candidates = [d for d in plan.staged_dims if nest.extents[d] >= pixels and not _uses(nest, plan, d)]
    return min(candidates, key=lambda d: (nest.extents[d] % pixels / nest.extents[d], -d), default=None)


def _tile(
    nest: NestOp, channel: int, pixel: int | None, outermost: Collection[int], channels: int, pixels: int
) -> Sequence[Step]:
    """Splits, the order of the loops, and what is jammed; `outermost` are dimensions that come first."""
    names = nest.space.names
    steps: list[Step] = []
    outer, jammed = dict(enumerate(names)), list[str]()
    for dim, size in ((pixel, pixels), (channel, channels)):
        if dim is None:
            continue
        if nest.extents[dim] <= size:
            jammed.append(outer.pop(dim))
            continue
        steps.append(Split(names[dim], size))
        outer[dim] = names[dim] + OUTER
        jammed.append(names[dim] + INNER)
    ordered = [d for d in outer if d in outermost] + [d for d in outer if d not in outermost]
    steps.append(Order((*(outer[d] for d in ordered), *jammed, *nest.fold.names)))
    return [*steps, *(Jam(name) for name in jammed)]
