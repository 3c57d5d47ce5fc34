"""The inverse square root of integers in fixed point.

Source: TensorFlow Lite `GetInvSqrtQuantizedMultiplierExp`.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.fx import ops as fx
from .kernel import Kernel
from .requantise import INT32_MAX


def inverse_root(k: Kernel, total: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Q0.31 multiplier and left shift that stand for the inverse square root of an i32; 1 below 2."""
    zeros = k.emit(fx.CountLeadingZerosOp(total), "zeros")
    # The sum is brought to [2**27, 2**29) by an even number of bits; sums from 2**29 on go to the right.
    pairs = k.sub(k.shift_right(k.sub(zeros, 1), 1), 1, "pairs")
    left = k.mul(k.max(pairs, 0), 2)
    right = k.mul(k.max(k.sub(0, pairs), 0), 2)
    root = k.emit(fx.InverseSqrtOp(k.shift_right(k.shift_left(total, left), right)), "root")
    down = k.sub(11, pairs)
    # Sums below 16 leave a left shift over, which the multiplier takes.
    multiplier = k.shift_left(root, k.max(k.sub(0, down), 0))
    is_one = k.compare("sle", total, 1)
    shift = k.select(is_one, 0, k.sub(0, k.max(down, 0)), "shift")
    return k.select(is_one, INT32_MAX, multiplier, "multiplier"), shift
