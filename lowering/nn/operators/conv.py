"""`nn.conv2d`, grouped or not.

Source: TensorFlow Lite `reference_integer_ops::ConvPerChannel` and `reference_ops::Conv`.
"""

from __future__ import annotations

from ....dialects.nn import Conv2DOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.interfaces import shape_of
from ..accumulate import ELEMENTS, Accumulator, Factor
from ..kernel import Kernel
from ..registry import lowers
from ..window import Window


@lowers(Conv2DOp, ELEMENTS)
def lower_conv2d(op: Conv2DOp, k: Kernel) -> None:
    """For every output pixel, group and output channel: the taps inside the input, then the group's input channels."""
    (batch, *_, inputs), (channels, *kernel, depth) = shape_of(op.input), shape_of(op.filter)
    groups = inputs // depth
    window = Window(kernel, ints(op.strides), ints(op.pads), ints(op.dilations))
    sums = Accumulator.of(k, op, products=kernel[0] * kernel[1] * depth)
    positions = window.positions(batch, shape_of(op.output))
    if groups == 1:
        nest = k.nest({**positions, "oc": channels}, {**window.taps, "ic": depth})
        n, oy, ox, oc, ky, kx, ic = nest.dims
        ic_of_input = ic
    else:
        nest = k.nest({**positions, "group": groups, "o": channels // groups}, {**window.taps, "ic": depth})
        n, oy, ox, group, o, ky, kx, ic = nest.dims
        ic_of_input = nest.where("ic0", group * depth) + ic
        oc = nest.where("oc", nest.where("oc0", group * (channels // groups)) + o)
    iy, ix = window.places(nest)
    sums.build(
        nest,
        input=Factor([n, iy, ix, ic_of_input], clip=True),
        filter=Factor([oc, ky, kx, ic]),
        channel=oc,
        output=[n, oy, ox, oc],
    )
