"""Instructions of operations that are whole kernels, counted from these."""

from __future__ import annotations

from functools import cache

from xdsl.ir import Operation

from ....dialects.simd import DualProductsOp, Rescaling, ScaleBytesOp, SumTapsOp, TileBytesOp, UnpackPointsOp
from ....dialects.simd.window_loop import WindowLoop
from ...kernels.armv7em import Counts
from ...kernels.armv7em.dual_products import Walk, dual_bytes, dual_bytes_held, dual_products
from ...kernels.armv7em.unpack_points import Unpacking, unpack_points
from ...kernels.armv7em.windows import Window, scale_bytes, sum_taps, window_of, windows

KERNELS = (DualProductsOp, ScaleBytesOp, SumTapsOp, TileBytesOp, UnpackPointsOp)
"""Operations that are."""


def run_of(op: Operation) -> int:
    """Return how many instructions run."""
    counts, passes = _counted(op)
    return counts.run(passes)


def of_pass(loop: WindowLoop) -> int:
    """Return how many instructions a pass of windows over all channels has."""
    counts = _windows(window_of(loop.sums), loop.scale.rescaling, loop.words, loop.backward)
    return counts.run((1,)) - counts.run((0,))


def standing_of(op: Operation) -> int:
    """Return how many instructions are written out."""
    return _counted(op)[0].standing


def _counted(op: Operation) -> tuple[Counts, tuple[int, ...]]:
    """The kernel's, and the passes of its loops."""
    match op:
        case DualProductsOp():
            count, unroll = op.count.value.data, op.unroll.value.data
            return _sums(count, unroll, op.points, op.bytes is not None), (count // unroll,)
        case TileBytesOp():
            count, unroll = op.count.value.data, op.unroll.value.data
            shares, held = op.bytes is not None, op.held is not None
            counts = _bytes(count, unroll, op.points, op.rescaling, shares=shares, held=held)
            return counts, (op.blocks.value.data, count // unroll)
        case SumTapsOp():
            return _taps(window_of(op)), ()
        case ScaleBytesOp():
            return _scaled(op.skipped.value.data, op.rescaling), ()
        case UnpackPointsOp():
            passes = op.count.value.data // op.passed if op.passed else 0
            return _unpacked(op.after, op.passed, op.single_places, op.apart), (passes,)
        case _:
            raise ValueError(f"{op.name} is no kernel")


@cache
def _sums(count: int, unroll: int, points: int, shares: bool) -> Counts:
    return Counts(dual_products(Walk.of(count, unroll), points, shares=shares))


@cache
def _bytes(count: int, unroll: int, points: int, rescaling: Rescaling, *, shares: bool, held: bool) -> Counts:
    # How far results lie apart changes none of the instructions.
    apart = None if points == 1 else 1
    if held:
        return Counts(dual_bytes_held(count, apart, rescaling))
    return Counts(dual_bytes(Walk.of(count, unroll), apart, rescaling, shares=shares))


@cache
def _unpacked(words: int, passed: int, singles: tuple[int, ...], apart: int | None) -> Counts:
    return Counts(unpack_points(Unpacking((0,) * words, singles, passed, apart, unsigned=False)))


@cache
def _taps(window: Window) -> Counts:
    return Counts(sum_taps(window))


@cache
def _scaled(skipped: int, rescaling: Rescaling) -> Counts:
    return Counts(scale_bytes(skipped, rescaling))


@cache
def _windows(window: Window, rescaling: Rescaling, words: int, backward: bool) -> Counts:
    return Counts(windows(window, rescaling, words, backward=backward))
