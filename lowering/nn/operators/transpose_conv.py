"""`nn.transpose_conv2d`, gathered: every output pixel looks for the input pixels that contribute to it.

The reference (TensorFlow Lite `reference_ops::TransposeConv`) scatters into a buffer of accumulators; one output
element receives its products in the same order.
"""

from __future__ import annotations

from ....dialects.nn import TransposeConv2DOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.interfaces import shape_of
from ..accumulate import ELEMENTS, Accumulator, Factor
from ..kernel import Kernel
from ..registry import lowers


@lowers(TransposeConv2DOp, ELEMENTS)
def lower_transpose_conv2d(op: TransposeConv2DOp, k: Kernel) -> None:
    """For every output pixel and channel: the input pixels that reach it with a tap of the filter, then their channels.

    Input row `iy` reaches output row `oy` with tap `oy + crop - iy * stride`, if the filter has that tap.
    """
    batch, *extents, depth = shape_of(op.input)
    channels, *kernel, _ = shape_of(op.filter)
    _, height, width, _ = shape_of(op.output)
    strides, crops = ints(op.strides), ints(op.crops)
    reach = [-(-taps // stride) for taps, stride in zip(kernel, strides, strict=True)]
    sums = Accumulator.of(k, op, products=reach[0] * reach[1] * depth)
    nest = k.nest(
        {"n": batch, "oy": height, "ox": width, "oc": channels}, {"iy": extents[0], "ix": extents[1], "ic": depth}
    )
    n, oy, ox, oc, iy, ix, ic = nest.dims
    rows, columns = nest.where("_y", oy + crops[0]), nest.where("_x", ox + crops[2])
    ky = nest.where("_ky", rows - iy * strides[0])
    kx = nest.where("_kx", columns - ix * strides[1])
    sums.build(
        nest,
        input=Factor([n, iy, ix, ic]),
        filter=Factor([oc, ky, kx, ic], clip=True),
        channel=oc,
        output=[n, oy, ox, oc],
    )
