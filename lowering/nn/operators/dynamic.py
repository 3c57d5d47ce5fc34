"""`nn.dynamic_quantize`."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import SSAValue

from ....dialects.nn import DynamicQuantizeOp
from ....dialects.nn.interfaces import shape_of
from ...builder import Value
from ..hybrid import RowQuantisation
from ..kernel import Kernel
from ..registry import lowers


@lowers(DynamicQuantizeOp, (f32, i8, i32))
def lower_dynamic_quantize(op: DynamicQuantizeOp, k: Kernel) -> None:
    """For every slice: its range, the parameters, the elements."""
    count, *inner = shape_of(op.input)
    shape = (count, math.prod(inner))
    source = k.input(op.input, "input", shape)
    target, scales = k.output(op.output, "output", shape), k.output(op.scales, "scales")
    zero_points = None if op.zero_points is None else k.output(op.zero_points, "zero_points")
    with k.loop("row", 0, count) as row:

        def element(i: Value, row: Value = row) -> SSAValue:
            return k.load(source, [row, i])

        quantisation = RowQuantisation.of(k, shape[1], element, asymmetric=zero_points is not None)
        if zero_points is not None and quantisation.zero_point is not None:
            k.store(quantisation.zero_point, zero_points, [row])
        k.store(quantisation.scale, scales, [row])
        with k.loop("i", 0, shape[1]) as i:
            k.store(quantisation.apply(k, element(i)), target, [row, i])
