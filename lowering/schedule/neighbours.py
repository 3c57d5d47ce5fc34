"""Schedules that compute several neighbours along the innermost dimension in one pass of the loops.

These are folds that keep channels apart, as depthwise convolutions and pooling do, sums of floats, and nests without a
fold.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32

from ...dialects.simd.words import BYTES, ScaleByteAddOp
from ...dialects.task import NestOp, YieldOp
from ...dialects.task.packed import extreme_of, moves_bytes, word_reads
from ...dialects.task.products import products
from ...dialects.task.steps import Collect, Packed, Quads, Unroll, Whole, Words
from ...dialects.task.words import borders
from ..tasks.packed.lanes_of_bytes import bytes_in
from .subject import Steps, Subject, allowed, tiling

_CHANNELS = 4
"""Channels that share one pass over the window: their sums and the loop stay in the registers of a Cortex-M, and their
bytes fill a word."""
_FLOATS = 8
"""Channels whose weights have a pointer each in the integer registers of a Cortex-M; 4 take a tenth more instructions,
16 spill."""
_SHORTEST_LOOP = 4
"""Terms of a sum of floats up to which the innermost loop is written out."""

_MOST_BORDERS = 2
"""Each of which costs as much code as the inside."""
_LEAST_SHARE = 1 / 16
"""Share of a dimension at borders from which on they have code of their own."""

_MOST_OPERATIONS = 16
"""Most operations of a body that is written out four times: in a longer one the loop counts little."""
ENOUGH_POINTS = 16
"""Points without a fold from which on four at once are worth while."""


def channels(subject: Subject) -> Iterator[Steps]:
    """Neighbouring channels in one pass over the window, of nests that keep channels apart.

    Every operand that the step reads must lie along the innermost dimension as the result does, so that the loops
    over the window and what they compute of places are shared.
    """
    nest, cpu, dim = subject.nest, subject.cpu, subject.last
    if not subject.sums or not nest.space.data:
        return
    accesses = [*nest.accesses("step_reads"), *nest.accesses("writes")]
    alike = all(nest.form(access.indices[-1]).terms == ((dim, 1),) for access in accesses if access.indices)
    if not alike or nest.extents[dim] < _CHANNELS:
        return
    tile = tiling(nest, {dim: _CHANNELS})
    if subject.is_window and products(nest) is not None:
        if cpu.few_registers:
            # Of several channels, compilers load all bytes before the first result and keep them in memory.
            yield (Whole(),)
            return
        if cpu.dsp:
            yield *tile.loops, *tile.jams, Words(tuple(_borders(nest)))
    whole = [Whole()] if subject.is_window else []
    packed = [Packed()] if cpu.in_words and extreme_of(nest, dim) is not None else []
    yield *tile.loops, *tile.jams, *whole, *packed


def small_channels(subject: Subject) -> Iterator[Steps]:
    """Products of four channels that are read as a word, in the shortest code."""
    if subject.cpu.dsp and subject.sums and subject.nest.space.data:
        tile = tiling(subject.nest, {subject.last: _CHANNELS})
        yield *tile.loops, *tile.jams, Quads(), Collect()


def _borders(nest: NestOp) -> Iterator[str]:
    """The dimensions whose borders deserve code of their own: those that make something clipped often enough."""
    for dim, (name, extent) in enumerate(nest.space.data):
        at_borders = allowed(borders, nest, dim) or []
        points = sum(map(len, at_borders))
        if len(at_borders) <= _MOST_BORDERS and points / extent >= _LEAST_SHARE:
            yield name


def float_sums(subject: Subject) -> Iterator[Steps]:
    """Sums of floats of neighbouring channels, which keep the order of their terms, where there is an FPU.

    Channels share what the step reads of the other operand, the loops, and the places. Their sums do not wait for each
    other, and each is made in the order of the task, so that its bits stay.
    """
    nest, dim = subject.nest, subject.last
    if not subject.cpu.fpu or nest.ordered is None or not nest.fold.data or not nest.space.data:
        return
    is_of_floats = all(value.type == f32 for value in nest.accumulators)
    if not is_of_floats or nest.extents[dim] < 2:
        return
    innermost, terms = nest.fold.data[-1]
    tile = tiling(nest, {dim: _FLOATS})
    if 1 < terms <= _SHORTEST_LOOP:
        yield *tile.loops, *tile.jams, Unroll(innermost)
    # A loop that clipping shortens cannot be written out.
    yield *tile.loops, *tile.jams


def pointwise(subject: Subject) -> Iterator[Steps]:
    """Four points of a nest without a fold, their bytes in words where that helps."""
    nest, dim = subject.nest, subject.last
    if nest.fold.data or not nest.space.data or not subject.cpu.in_words:
        return
    computed = [op for op in nest.finish.block.ops if not isinstance(op, YieldOp)]
    moves = moves_bytes(nest, dim)
    if nest.extents[dim] < ENOUGH_POINTS or not (computed or moves) or any(op.regions for op in computed):
        return
    tile = tiling(nest, {dim: BYTES})
    loops = tile.loops if dim else tile.splits
    if moves or _multiplies_lanes(nest, dim):
        yield *loops, *tile.jams, Packed()
    elif len(computed) <= _MOST_OPERATIONS:
        yield *loops, *map(Unroll, tile.inner)


def _multiplies_lanes(nest: NestOp, dim: int) -> bool:
    """Whether bytes of words are multiplied as lanes."""
    found = bytes_in(nest, word_reads(nest, "finish_reads", dim))
    return any(
        (isinstance(op, ScaleByteAddOp) and op.byte in found)
        or (isinstance(op, arith.MuliOp) and op.lhs in found and op.rhs in found)
        for op in nest.finish.block.ops
    )
