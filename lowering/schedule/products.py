"""Schedules of sums of products: register tiles of channels and pixels.

Four channels and two pixels need six loads for eight multiplications, all in the fourteen registers of a Cortex-M; with
DSP instructions these are of pairs. Source of the tile: Lai, Suda, Chandra, CMSIS-NN (2018), with four channels for
their two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...dialects.simd.words import NIBBLES
from ...dialects.task import NestOp
from ...dialects.task.dual import DualPlan, InWords, allows_direct, dual_plan
from ...dialects.task.steps import Collect, Direct, Dual, Single, Swar
from ..tasks.dual.tiles import is_tile
from .subject import MOST_WEIGHTS, Steps, Subject, allowed, tiling
from .variants import Variant

_LONGEST_LINE = 16
"""Words of a run over several dimensions, which is written out without loops."""
_LEAST_POINTS = 4
"""Fold points from which on copying pays."""
_SMALL = (4, 2)
"""Channels side by side in the shortest code."""
_SMALL_PIXELS = 2
_WORD_BYTES = 4
_MOST_COPIED = 2048
"""Bytes of words that the only point of a product may take. To copy it is a little faster than to take it apart for
each block of channels."""
_MOST_MORE = 2048
"""Bytes that words of one element may take beyond what elements of one byte would."""
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

_PACKED: Mapping[Variant, Sequence[str]] = {
    Variant.SMALL: ("nibbles", "bytes"),
    Variant.COMPACT: ("nibbles", "bytes", ""),
}
"""Flags of `dual` that are tried, best first; of other variants there is none."""


def products(subject: Subject) -> Iterator[Steps]:
    """The known schedules of a nest that sums products: of a constant of its own in words of each kind, or of none."""
    if not subject.sums:
        return
    for step in _ways(subject):
        plan = allowed(dual_plan, subject.nest, step, late=True)
        # Where sums of two channels share a word, the copy of the elements must not be too large.
        if plan is not None and not (plan.step.swar and plan.pairs * (_WORD_BYTES - 1) > _MOST_MORE):
            yield from _of_plan(subject, plan)
    if subject.variant is not Variant.SMALL and subject.cpu.dsp and subject.points >= _LEAST_POINTS:
        yield from _of_both(subject)


def _of_both(subject: Subject) -> Iterator[Steps]:
    """The schedule where neither factor is constant: each is copied, so several points must share copies."""
    nest, cpu = subject.nest, subject.cpu
    run, unroll = _run(nest, Dual.lanes, _usual(subject), _UNROLL_LONG)
    plan = allowed(dual_plan, nest, Dual(run, unroll, both=True))
    if plan is None or subject.constants.uses(nest.accesses("step_reads")[plan.packed.read].buffer) is not None:
        return
    staged, packed = (subject.dims_of(factor.read) for factor in (plan.staged, plan.packed))
    alone = [d for d in staged if d not in packed and nest.extents[d] > 1]
    pixel, channel = max(alone, key=nest.extents.__getitem__, default=None), subject.channel_of(plan)
    if pixel is not None and channel is not None:
        sizes = {pixel: cpu.tile.pixels, channel: cpu.tile.channels}
        tile = tiling(nest, sizes, packed)
        yield *tile.splits, tile.order, *tile.jams, _as_tile(nest, plan, sizes)


def _of_plan(subject: Subject, plan: DualPlan) -> Iterator[Steps]:
    """The schedule with a step, if it pays."""
    nest, cpu = subject.nest, subject.cpu
    weights = subject.points * math.prod(nest.extents[d] for d in subject.dims_of(plan.packed.read))
    rows = math.prod(nest.extents[d] for d in plan.staged_dims)
    channel = subject.channel_of(plan)
    # Fewer points pay, too, where more channels share a copy than there are copies.
    is_shared = cpu.dsp and channel is not None and nest.extents[channel] > rows
    if (subject.points < _LEAST_POINTS and not is_shared) or weights > MOST_WEIGHTS:
        return
    if channel is not None:
        yield from _in_tiles(subject, plan, channel)
    elif allows_direct(nest, plan):
        # No two results share elements, as in sums over time, of which each has constants of its own, too.
        unroll = 2 if subject.variant is Variant.SMALL else next(n for n in (8, 4, 2) if plan.pairs % n == 0)
        yield Dual(len(plan.run), unroll, bytes=plan.step.bytes or plan.step.nibbles), Direct()


def _in_tiles(subject: Subject, plan: DualPlan, channel: int) -> Iterator[Steps]:
    """The schedule with several channels side by side, and several pixels that share their weights."""
    nest, cpu, is_small = subject.nest, subject.cpu, subject.variant is Variant.SMALL
    direct, step, pixels, used = False, plan.step, cpu.tile.pixels, subject.dims_of(plan.packed.read)
    # Pixels share weights along the dimension with the fewest left over, the innermost of several.
    fitting = (d for d in plan.staged_dims if nest.extents[d] >= pixels > 1 and d not in used)
    pixel = subject.fewest_left(fitting, pixels)
    sizes = ({} if pixel is None else {pixel: pixels}) | {channel: cpu.tile.channels}
    copied = plan.pairs * _WORD_BYTES
    is_fast = subject.is_fast or (subject.variant is Variant.COMPACT and plan.step.bytes)
    is_copied = is_fast and copied <= _MOST_COPIED
    if pixel is None and not is_copied and allows_direct(nest, plan):
        unroll = next((n for n in (8, 4) if step.unroll >= n and plan.pairs % n == 0), 2)
        step, direct = replace(step, unroll=unroll), True
    elif not is_small:
        step = _as_tile(nest, plan, sizes)
    if is_small:
        if plan.step.nibbles and nest.extents[channel] % NIBBLES and nest.extents[channel] > NIBBLES:
            step = replace(step, nibbles=False, bytes=True)
        # One body: channels of a block divide theirs, and pixels beyond the end are the last one again, if they may.
        channels = next((size for size in _SMALL if nest.extents[channel] % size == 0), 0)
        if not channels or (pixel is None and not direct and copied > _MOST_COPIED):
            return
        sizes = {d: channels if d == channel else _SMALL_PIXELS for d in sizes}
    tile = tiling(nest, sizes, sorted(plan.staged_dims))
    splits = [replace(one, clamped=is_small and nest.repeats) for one in tile.splits]
    last = [*([Direct()] if direct else []), *([Collect()] if is_small else [])]
    yield *splits, tile.order, *tile.jams, step, *last


def _as_tile(nest: NestOp, plan: DualPlan, sizes: Mapping[int, int]) -> InWords:
    """The step of a plan, with the passes of one operation where there is one for a channel, perhaps with a pixel."""
    *pixel, channel = sizes
    channels, points = min(sizes[channel], nest.extents[channel]), math.prod(sizes[d] for d in pixel)
    return replace(plan.step, unroll=min(_UNROLL_TILE, plan.pairs)) if is_tile(plan, channels, points) else plan.step


def _ways(subject: Subject) -> Iterator[InWords]:
    """Ways to put fold points into words, best first."""
    nest, cpu, is_small = subject.nest, subject.cpu, subject.variant is Variant.SMALL
    if cpu.dsp:
        long = () if is_small else _UNROLL_LONG
        for flag in _PACKED.get(subject.variant, ("",)):
            unroll = (1,) if is_small else _UNROLL_BYTES if flag == "bytes" else _usual(subject)
            yield Dual(*_run(nest, Dual.lanes, unroll, long), **({flag: True} if flag else {}))
        return
    run, unroll = _run(nest, Single.lanes, (1,) if is_small else _usual(subject))
    if cpu.swar and subject.is_fast:
        yield Swar(run)
    if cpu.unsigned_bytes and not is_small:
        yield Single(run, unroll, unsigned=True)
    yield Single(run, unroll)


def _usual(subject: Subject) -> list[int]:
    """The words of one pass, best first, that the registers of the processor hold."""
    return [n for n in _UNROLL if n <= subject.cpu.tile.unroll] or [1]


def _run(nest: NestOp, lanes: int, unroll: Sequence[int], long: Sequence[int] = ()) -> tuple[int, int]:
    """Fold dimensions that run side by side: as few as waste no lane, or all but none; and words in one pass.

    `unroll` has the numbers of words that one pass may have, best first, `long` those of one pass of several.
    """
    words = runs(nest, lanes)
    run = min(words, key=words.__getitem__)
    pairs = words[run]
    passes = (*(n for n in long if n < pairs), *unroll)
    return run, next((n for n in passes if pairs % n == 0), min(pairs, unroll[0]))


def runs(nest: NestOp, lanes: int) -> dict[int, int]:
    """Return by how many innermost dimensions run side by side the words of so many lanes that the fold has."""
    extents = [extent for _, extent in nest.fold.data]
    words: dict[int, int] = {}
    for run in range(1, len(extents) + 1):
        inside = -(-math.prod(extents[-run:]) // lanes)
        if run > 1 and inside > _LONGEST_LINE:
            break
        words[run] = math.prod(extents[:-run]) * inside
    return words
