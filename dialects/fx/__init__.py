"""The `fx` dialect: the few fixed-point steps of quantised networks that `arith` cannot say in one operation.

Each is defined by gemmlowp's or TensorFlow Lite's reference of the same step, bit for bit; the pass `lower-fx` turns
them into calls of small functions written in `arith`. The remainder of floats, which xDSL's `arith` lacks, stays what
it is until it becomes a call of C's library.
"""

from xdsl.ir import Dialect

from .ops import (
    CountLeadingZerosOp,
    FloatRemainderOp,
    InverseSqrtOp,
    LogOp,
    OneOverOnePlusOp,
    RescaleOp,
    RescaleRealOp,
    RescaleWideOp,
    RoundingDoublingHighMulOp,
    RoundingShiftRightOp,
)

Fx = Dialect(
    "fx",
    [
        CountLeadingZerosOp,
        InverseSqrtOp,
        LogOp,
        FloatRemainderOp,
        OneOverOnePlusOp,
        RescaleOp,
        RescaleRealOp,
        RescaleWideOp,
        RoundingDoublingHighMulOp,
        RoundingShiftRightOp,
    ],
)
