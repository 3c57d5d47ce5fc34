"""`nn.conv2d`, grouped or not.

Source: TensorFlow Lite `reference_integer_ops::ConvPerChannel` and `reference_ops::Conv`.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects.nn import Conv2DOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.interfaces import shape_of
from ...builder import Value
from ..accumulate import ELEMENTS, Accumulator
from ..kernel import Kernel
from ..registry import lowers
from ..window import Tap, Window


@lowers(Conv2DOp, ELEMENTS)
def lower_conv2d(op: Conv2DOp, k: Kernel) -> None:
    """For every output pixel, group and output channel: the taps inside the input, then the group's input channels."""
    input_shape, output_shape = shape_of(op.input), shape_of(op.output)
    channels, kernel_h, kernel_w, depth = shape_of(op.filter)
    groups = input_shape[3] // depth
    window = Window.of(
        input_shape, output_shape, (kernel_h, kernel_w), ints(op.strides), ints(op.pads), ints(op.dilations)
    )
    sums = Accumulator.of(k, op, products=kernel_h * kernel_w * depth)
    with window.positions(k, output_shape[0]) as pixel, k.loop("group", 0, groups) as group:
        first_input, first_output = k.mul(group, depth, "ic0"), k.mul(group, channels // groups, "oc0")
        with k.loop("oc" if groups == 1 else "o", 0, channels // groups) as o:
            oc = k.add(first_output, o, "oc")

            def over_channels(tap: Tap, acc: SSAValue, oc: Value = oc) -> SSAValue:
                def step(ic: Value, acc: SSAValue) -> SSAValue:
                    input_at = [pixel.n, tap.iy, tap.ix, k.add(first_input, ic)]
                    return sums.step(acc, input_at, [oc, tap.ky, tap.kx, ic])

                return k.reduce("ic", 0, depth, acc, step)

            acc = pixel.reduce(sums.start(oc), over_channels)
            sums.finish(acc, oc, [pixel.n, pixel.oy, pixel.ox, oc])
