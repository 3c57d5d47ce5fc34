"""Activation functions: `nn.table`, `nn.clamp`, `nn.leaky_relu`, `nn.abs`, `nn.sigmoid`.

Source: the reference kernels of TensorFlow Lite that the operators' definitions name.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import Float32Type, f32, i8, i16, i32
from xdsl.ir import SSAValue

from ....dialects.fx import ops as fx
from ....dialects.nn import AbsOp, ClampOp, LeakyReluOp, RsqrtOp, SigmoidOp, TableOp
from ....dialects.nn.activation import RSQRT_BITS, Sigmoid
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.quantised import UI8
from ..inverse_root import inverse_root
from ..kernel import Kernel
from ..lookup import lookup, lookup_exact
from ..pointwise import lower_unary
from ..registry import lowers
from ..requantise import Requantiser, clamp_float, clamp_integer, requantised, steps
from ..sigmoid16 import Sigmoid16


@lowers(TableOp, (i8, UI8, i16, i32))
def lower_table(op: TableOp, k: Kernel) -> None:
    """One load per element of 8 bits, an interpolation for 16; the table has the bytes of the results."""
    if element_type_of(op.input) == i16:
        return _lower_interpolated(op, k)
    values = op.array.astype(np.uint8).view(np.int8)
    table = k.table(values, "table")

    def look_up(op: TableOp, k: Kernel, value: SSAValue) -> SSAValue:
        return k.load(table, [k.i32_to_index(k.sub(k.extend(value), op.least))])

    lower_unary(op, op.input, op.output, k, look_up)


def _lower_interpolated(op: TableOp, k: Kernel) -> None:
    entries = op.array
    table = k.table(entries.astype(np.int16), "table")
    is_steep = bool(np.abs(np.diff(entries)).max() >= 1 << 15)
    look_up = lookup_exact if element_type_of(op.output) == i32 else lookup

    def interpolate(op: TableOp, k: Kernel, value: SSAValue) -> SSAValue:
        found = look_up(k, table, k.extend(value), is_steep=is_steep)
        return k.narrow(found, element_type_of(op.output))

    lower_unary(op, op.input, op.output, k, interpolate)


@lowers(ClampOp, (i8, UI8, i16, f32))
def lower_clamp(op: ClampOp, k: Kernel) -> None:
    """Two comparisons."""

    def clamp(op: ClampOp, k: Kernel, value: SSAValue) -> SSAValue:
        element = element_type_of(op.output)
        if isinstance(element, Float32Type):
            return clamp_float(k, value, op.clamp)
        return k.narrow(clamp_integer(k, k.extend(value), op.clamp), element)

    lower_unary(op, op.input, op.output, k, clamp)


@lowers(LeakyReluOp, (i8, UI8, i16, f32))
def lower_leaky_relu(op: LeakyReluOp, k: Kernel) -> None:
    """Both slopes, of which the sign chooses."""

    def slope(op: LeakyReluOp, k: Kernel, value: SSAValue) -> SSAValue:
        if op.alpha is not None:
            above = k.comparef("ogt", value, k.floating(0.0))
            return k.select(above, value, k.mulf(value, op.alpha.value.data))
        assert op.quantised is not None, "verified: what has no slope is quantised"
        x, bound = steps(k, value, element_type_of(op.input), op.quantised.zero_points[0])
        above, below = (requantised(k, x, bound, op.quantised, factor) for factor in (0, 1))
        return k.select(k.compare("sge", x, 0), above, below)

    lower_unary(op, op.input, op.output, k, slope)


@lowers(AbsOp, (i8, UI8, i16))
def lower_abs(op: AbsOp, k: Kernel) -> None:
    """The magnitude of the steps, rescaled."""

    def magnitude(op: AbsOp, k: Kernel, value: SSAValue) -> SSAValue:
        x, bound = steps(k, value, element_type_of(op.input), op.quantised.zero_points[0])
        return requantised(k, k.select(k.compare("slt", x, 0), k.sub(0, x), x), bound, op.quantised, 0)

    lower_unary(op, op.input, op.output, k, magnitude)


@lowers(SigmoidOp, (i16,))
def lower_sigmoid(op: SigmoidOp, k: Kernel) -> None:
    """Two loads and an interpolation."""
    functions = Sigmoid16(k)
    function = functions.tanh if op.function.data is Sigmoid.TANH else functions.logistic
    multiplier, shift = op.multiplier.value.data, op.shift.value.data

    def interpolate(op: SigmoidOp, k: Kernel, value: SSAValue) -> SSAValue:
        return function(k.extend(value), multiplier, shift)

    lower_unary(op, op.input, op.output, k, interpolate)


@lowers(RsqrtOp, (i16,))
def lower_rsqrt(op: RsqrtOp, k: Kernel) -> None:
    """A few Newton steps for every element."""
    quantised = op.quantised
    from_zero, to_zero = quantised.zero_points
    to_output = Requantiser(k, quantised.rescale, to_zero, quantised.clamp, i16)
    most = int(quantised.clamp.bounds[1])

    def invert(op: RsqrtOp, k: Kernel, value: SSAValue) -> SSAValue:
        x, _ = steps(k, value, i16, from_zero)
        multiplier, shift = inverse_root(k, k.max(x, 1))
        inverse = k.emit(fx.RescaleOp(k.value(1, i32), multiplier, k.add(shift, RSQRT_BITS)))
        rescaled = to_output.apply(k, inverse, 0, 1 << RSQRT_BITS)
        return k.select(k.compare("sgt", x, 0), rescaled, most)

    lower_unary(op, op.input, op.output, k, invert)
