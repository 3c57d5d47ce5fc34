"""The `fx` dialect: the few fixed-point steps of quantised networks that `arith` cannot say in one operation.

Each is defined by gemmlowp's or TensorFlow Lite's reference of the same step, bit for bit; the pass `lower-fx` turns
them into calls of small functions written in `arith`.
"""

from xdsl.ir import Dialect

from .ops import (
    CountLeadingZerosOp,
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
        OneOverOnePlusOp,
        RescaleOp,
        RescaleRealOp,
        RescaleWideOp,
        RoundingDoublingHighMulOp,
        RoundingShiftRightOp,
    ],
)
