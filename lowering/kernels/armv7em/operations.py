"""Which kernel computes an operation of `simd`: costs count the one that C is printed of."""

from __future__ import annotations

from typing import TypeAlias

from ....dialects.simd.tiles import DualProductsOp, TileBytesOp, UnpackPointsOp
from ....dialects.simd.windows import ScaleBytesOp, SumTapsOp, WindowsOp
from ....dialects.simd.words import BYTES
from ..thumb.control import KernelOp, Walk
from .dual_products import dual_bytes, dual_bytes_held, dual_products
from .unpack_points import apart, unpack_points
from .windows import scale_bytes, sum_taps, windows

Computed: TypeAlias = DualProductsOp | ScaleBytesOp | SumTapsOp | TileBytesOp | UnpackPointsOp | WindowsOp


def kernel_of(op: Computed) -> KernelOp:
    """Return the kernel that computes an operation."""
    match op:
        case DualProductsOp():
            return dual_products(Walk(op.passed, op.after), op.points, shares=op.bytes is not None)
        case TileBytesOp() if op.held is not None:
            return dual_bytes_held(op.after, op.apart, op.rescaling)
        case TileBytesOp():
            return dual_bytes(Walk(op.passed, op.after), op.apart, op.rescaling, shares=op.bytes is not None)
        case SumTapsOp():
            return sum_taps(op.taps, 1 + len(op.beside))
        case ScaleBytesOp():
            return scale_bytes(op.skipped.value.data, op.rescaling)
        case WindowsOp():
            sums = op.sums
            return windows(sums.taps, 1 + len(sums.beside), op.scale.rescaling, op.scale.reach, backward=op.is_backward)
        case UnpackPointsOp():
            words = [place + BYTES * n for place in op.places.get_values() for n in range(op.count.value.data)]
            taken = (0,) * op.after if op.passed else tuple(words)
            return unpack_points(taken, op.single_places, op.passed, apart(op), unsigned=op.unsigned is not None)
