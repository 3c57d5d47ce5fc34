"""`nn.log_softmax` and `nn.l2_normalize`.

Source: TensorFlow Lite `reference_ops::LogSoftmax` and `LogSoftmaxQuantized`, `reference_ops::L2Normalization` and
`reference_integer_ops::L2Normalization`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import SSAValue

from ....dialects.fx import ops as fx
from ....dialects.nn import L2NormalizeOp, LogSoftmaxOp
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import element_type_of
from ...builder import Value
from ..exponentials import Exponentials
from ..inverse_root import inverse_root
from ..kernel import Kernel
from ..registry import lowers
from ..requantise import INT32_MAX, Factor
from ..rows import Rows
from ..storage import UI8

_LOG_ZERO_POINT, _LOG_FRACTION_BITS = 127, 4
"""Zero point and fraction bits of the result of `nn.log_softmax`."""

_SMALLEST_NORM = 1e-6

_NORM_BITS = 7
"""Fractional bits of the result of `nn.l2_normalize`."""


@lowers(LogSoftmaxOp, (i8, f32))
def lower_log_softmax(op: LogSoftmaxOp, k: Kernel) -> None:
    """For every row: the maximum, the logarithm of the sum of exponentials, the differences."""
    rows = Rows.of(k, op.input, op.output)
    quantised = op.quantised
    if quantised is None:
        _lower_log_softmax_float(k, rows)
        return
    exponentials = Exponentials.of(k, quantised)
    to_q5, back = (Factor.of(k, quantised.rescale, number) for number in (0, 1))
    lower, upper = integer_range(i8)
    with k.loop("row", 0, rows.count) as row:
        largest = rows.maximum(row)
        log = k.emit(fx.LogOp(exponentials.total(rows, row, largest)), "log")
        # A difference at or below this leaves Q5.26 once the logarithm is taken from it.
        most_negative = k.add(log, -INT32_MAX - 1, wraps=True)
        scaled, _ = back.apply(k, most_negative, INT32_MAX)
        least = k.max(scaled, quantised.diff_min - 1, "least")
        with k.loop("i", 0, rows.depth) as i:
            difference = k.sub(rows.load(row, i), largest)
            q5, _ = to_q5.apply(k, difference, INT32_MAX)
            exact = k.sub(q5, log, wraps=True)
            rounded = k.emit(fx.RoundingShiftRightOp(exact, k.value(31 - 5 - _LOG_FRACTION_BITS, i32)))
            clamped = k.min(k.max(k.add(rounded, _LOG_ZERO_POINT), lower), upper)
            counts = k.compare("sgt", difference, least)
            rows.store(k.narrow(k.select(counts, clamped, lower), i8), row, i)


def _lower_log_softmax_float(k: Kernel, rows: Rows) -> None:
    with k.loop("row", 0, rows.count) as row:
        largest = rows.maximum(row)

        def add_exponential(i: Value, total: SSAValue) -> SSAValue:
            return k.addf(total, k.exp(k.subf(rows.load(row, i), largest)), "total")

        log = k.log(rows.fold(k.floating(0.0), add_exponential), "log")
        with k.loop("i", 0, rows.depth) as i:
            rows.store(k.subf(k.subf(rows.load(row, i), largest), log), row, i)


@lowers(L2NormalizeOp, (i8, UI8, f32))
def lower_l2_normalize(op: L2NormalizeOp, k: Kernel) -> None:
    """For every row: the sum of squares, its inverse root, the products."""
    rows = Rows.of(k, op.input, op.output)
    if op.zero_point is None:
        _lower_l2_normalize_float(k, rows)
        return
    zero_point, element = op.zero_point.value.data, element_type_of(op.output)
    lower, upper = integer_range(element)
    with k.loop("row", 0, rows.count) as row:

        def centred(i: Value, row: Value = row) -> SSAValue:
            return k.sub(rows.load(row, i), zero_point)

        def add_square(i: Value, total: SSAValue) -> SSAValue:
            value = centred(i)
            return k.add(total, k.mul(value, value), "total")

        multiplier, shift = inverse_root(k, rows.fold(k.value(0, i32), add_square))
        # The legacy kernel scales before it multiplies, the other one in the same step.
        if lower < 0:
            shift = k.add(shift, _NORM_BITS)
        with k.loop("i", 0, rows.depth) as i:
            value = centred(i) if lower < 0 else k.mul(centred(i), 1 << _NORM_BITS)
            scaled = k.emit(fx.RescaleOp(value, multiplier, shift))
            moved = k.add(scaled, (lower + upper + 1) // 2)
            rows.store(k.narrow(k.min(k.max(moved, lower), upper), element), row, i)


def _lower_l2_normalize_float(k: Kernel, rows: Rows) -> None:
    with k.loop("row", 0, rows.count) as row:

        def add_square(i: Value, total: SSAValue) -> SSAValue:
            value = rows.load(row, i)
            return k.addf(total, k.mulf(value, value), "total")

        root = k.sqrt(rows.fold(k.floating(0.0), add_square))
        smallest = k.floating(_SMALLEST_NORM)
        norm = k.select(k.comparef("olt", root, smallest), smallest, root, "norm")
        with k.loop("i", 0, rows.depth) as i:
            rows.store(k.divf(rows.load(row, i), norm), row, i)
