"""`nn.transpose_conv2d`, gathered: every output pixel looks for the input pixels that contribute to it.

The reference (TensorFlow Lite `reference_ops::TransposeConv`) scatters into a buffer of accumulators; one output
element receives its products in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from ....dialects.nn import TransposeConv2DOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.interfaces import shape_of
from ...builder import Loops, Value
from ..accumulate import ELEMENTS, Accumulator
from ..kernel import Kernel
from ..registry import lowers


@dataclass(frozen=True)
class Contributors:
    """The input indices that contribute to one output index along one dimension."""

    place: Value
    """Of the output index in the result that is not cropped."""
    stride: int
    begin: Value
    end: Value

    @staticmethod
    def of(k: Loops, position: Value, *, extent: int, kernel: int, stride: int, crop: int, last: int) -> Contributors:
        """Those `i` for which `position + crop - i * stride` is a tap; `last` is the largest position."""
        place = k.add(position, crop)
        begin: Value = 0
        if last + crop >= kernel:
            begin = _rounded_up(k, k.max(k.sub(place, kernel - 1), 0), stride)
        end = k.add(k.div(place, stride), 1)
        if (last + crop) // stride >= extent:
            end = k.min(end, extent)
        return Contributors(place, stride, begin, end)

    def tap(self, k: Loops, index: Value) -> Value:
        """The tap that input `index` contributes with."""
        return k.sub(self.place, k.mul(index, self.stride))


def _rounded_up(k: Loops, value: Value, divisor: int) -> Value:
    return k.div(k.add(value, divisor - 1), divisor)


@lowers(TransposeConv2DOp, ELEMENTS)
def lower_transpose_conv2d(op: TransposeConv2DOp, k: Kernel) -> None:
    """For every output pixel and channel: the input pixels that reach it, then their channels."""
    batch, *extents, depth = shape_of(op.input)
    channels, *kernel, _ = shape_of(op.filter)
    _, height, width, _ = shape_of(op.output)
    strides, crops = ints(op.strides), ints(op.crops)
    reach = [-(-taps // stride) for taps, stride in zip(kernel, strides, strict=True)]
    sums = Accumulator.of(k, op, products=reach[0] * reach[1] * depth)

    def contributors(position: Value, d: int) -> Contributors:
        last = (height, width)[d] - 1
        return Contributors.of(
            k, position, extent=extents[d], kernel=kernel[d], stride=strides[d], crop=crops[2 * d], last=last
        )

    with k.loop("n", 0, batch) as n, k.loop("oy", 0, height) as oy:
        rows = contributors(oy, 0)
        with k.loop("ox", 0, width) as ox:
            columns = contributors(ox, 1)
            with k.loop("oc", 0, channels) as oc:

                def over_row(iy: Value, acc: SSAValue, oc: Value = oc, columns: Contributors = columns) -> SSAValue:
                    ky = rows.tap(k, iy)

                    def over_pixel(ix: Value, acc: SSAValue) -> SSAValue:
                        kx = columns.tap(k, ix)

                        def step(ic: Value, acc: SSAValue) -> SSAValue:
                            return sums.step(acc, [n, iy, ix, ic], [oc, ky, kx, ic])

                        return k.reduce("ic", 0, depth, acc, step)

                    return k.reduce("ix", columns.begin, columns.end, acc, over_pixel)

                acc = k.reduce("iy", rows.begin, rows.end, sums.start(oc), over_row)
                sums.finish(acc, oc, [n, oy, ox, oc])
