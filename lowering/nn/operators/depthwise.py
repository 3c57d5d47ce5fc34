"""`nn.depthwise_conv2d`.

Source: TensorFlow Lite `reference_integer_ops::DepthwiseConvPerChannel` and `reference_ops::DepthwiseConv`.
"""

from __future__ import annotations

from ....dialects.nn import DepthwiseConv2DOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.interfaces import shape_of
from ..accumulate import ELEMENTS, Accumulator, Factor
from ..kernel import Kernel
from ..registry import lowers
from ..window import Window


@lowers(DepthwiseConv2DOp, ELEMENTS)
def lower_depthwise_conv2d(op: DepthwiseConv2DOp, k: Kernel) -> None:
    """For every output pixel, input channel and its output channels: the taps inside the input."""
    batch, *_, channels = shape_of(op.input)
    kernel = shape_of(op.filter)[1:3]
    multiplier = op.depth_multiplier
    window = Window(kernel, ints(op.strides), ints(op.pads), ints(op.dilations))
    sums = Accumulator.of(k, op, products=kernel[0] * kernel[1])
    positions = window.positions(batch, shape_of(op.output))
    if multiplier == 1:
        nest = k.nest({**positions, "oc": channels}, window.taps)
        n, oy, ox, oc, ky, kx = nest.dims
        ic = oc
    else:
        nest = k.nest({**positions, "ic": channels, "m": multiplier}, window.taps)
        n, oy, ox, ic, m, ky, kx = nest.dims
        oc = nest.where("oc", nest.where("oc0", ic * multiplier) + m)
    iy, ix = window.places(nest)
    sums.build(
        nest,
        input=Factor([n, iy, ix, ic], clip=True),
        filter=Factor([0, ky, kx, oc]),
        channel=oc,
        output=[n, oy, ox, oc],
    )
