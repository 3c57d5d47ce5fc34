"""`nn.depthwise_conv2d`.

Source: TensorFlow Lite `reference_integer_ops::DepthwiseConvPerChannel` and `reference_ops::DepthwiseConv`.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects.nn import DepthwiseConv2DOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.interfaces import shape_of
from ...builder import Value
from ..accumulate import ELEMENTS, Accumulator
from ..kernel import Kernel
from ..registry import lowers
from ..window import Tap, Window


@lowers(DepthwiseConv2DOp, ELEMENTS)
def lower_depthwise_conv2d(op: DepthwiseConv2DOp, k: Kernel) -> None:
    """For every output pixel, input channel and its output channels: the taps inside the input."""
    input_shape, output_shape = shape_of(op.input), shape_of(op.output)
    _, kernel_h, kernel_w, _ = shape_of(op.filter)
    multiplier = op.depth_multiplier
    window = Window.of(
        input_shape, output_shape, (kernel_h, kernel_w), ints(op.strides), ints(op.pads), ints(op.dilations)
    )
    sums = Accumulator.of(k, op, products=kernel_h * kernel_w)
    with window.positions(k, output_shape[0]) as pixel:
        with k.loop("oc" if multiplier == 1 else "ic", 0, input_shape[3]) as ic:
            first = k.mul(ic, multiplier, "oc0")
            with k.loop("m", 0, multiplier) as m:
                oc = k.add(first, m, "oc")

                def step(tap: Tap, acc: SSAValue, ic: Value = ic, oc: Value = oc) -> SSAValue:
                    return sums.step(acc, [pixel.n, tap.iy, tap.ix, ic], [0, tap.ky, tap.kx, oc])

                acc = pixel.reduce(sums.start(oc), step)
                sums.finish(acc, oc, [pixel.n, pixel.oy, pixel.ox, oc])
