"""`nn.dynamic_range` and `nn.dynamic_quantize`."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import SSAValue

from ....dialects.nn import DynamicQuantizeOp, DynamicRangeOp
from ....dialects.nn.interfaces import shape_of
from ..hybrid import RowQuantisation, ends, quantised
from ..kernel import Kernel
from ..registry import lowers


@lowers(DynamicRangeOp, (f32, i32))
def lower_dynamic_range(op: DynamicRangeOp, k: Kernel) -> None:
    """For every slice the ends of its range, then the parameters."""
    shape = _slices(op.input)
    source = k.input(op.input, "input", shape)
    scales, inverses = k.output(op.scales, "scales"), k.output(op.inverses, "inverses")
    zero_points = None if op.zero_points is None else k.output(op.zero_points, "zero_points")
    found = ends(asymmetric=zero_points is not None)
    nest = k.nest({"row": shape[0]}, {"i": shape[1]})
    row, i = nest.dims

    def step(last: list[SSAValue]) -> Sequence[SSAValue]:
        value = k.load(source, [row, i], "value")
        return [end(k, value, each) for end, each in zip(found, last, strict=True)]

    def finish(last: list[SSAValue]) -> None:
        quantisation = RowQuantisation.within(k, last)
        k.store(quantisation.scale, scales, [row])
        k.store(quantisation.inverse, inverses, [row])
        if zero_points is not None and quantisation.zero_point is not None:
            k.store(quantisation.zero_point, zero_points, [row])

    nest.build(lambda: [k.floating(0.0) for _ in found], step, finish, hints=["extreme"] * len(found))


@lowers(DynamicQuantizeOp, (f32, i8, i32))
def lower_dynamic_quantize(op: DynamicQuantizeOp, k: Kernel) -> None:
    """Element by element."""
    shape = _slices(op.input)
    source, inverses = k.input(op.input, "input", shape), k.input(op.inverses, "inverses")
    zero_points = None if op.zero_points is None else k.input(op.zero_points, "zero_points")
    target = k.output(op.output, "output", shape)
    nest = k.nest({"row": shape[0], "i": shape[1]})
    row, i = nest.dims

    def quantise() -> None:
        inverse = k.load(inverses, [row], "inverse")
        zero_point = None if zero_points is None else k.load(zero_points, [row], "zero_point")
        value = k.load(source, [row, i], "value")
        k.store(quantised(k, value, inverse, zero_point), target, [row, i])

    nest.each(quantise)


def _slices(input: SSAValue) -> tuple[int, int]:
    """Return how many slices there are, and the elements of one."""
    count, *inner = shape_of(input)
    return count, math.prod(inner)
