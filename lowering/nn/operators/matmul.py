"""`nn.fully_connected`.

Source: TensorFlow Lite `reference_integer_ops::FullyConnected` and `reference_ops::FullyConnected`.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects.nn import FullyConnectedOp
from ....dialects.nn.interfaces import shape_of
from ...builder import Value
from ..accumulate import ELEMENTS, Accumulator
from ..kernel import Kernel
from ..registry import lowers


@lowers(FullyConnectedOp, ELEMENTS)
def lower_fully_connected(op: FullyConnectedOp, k: Kernel) -> None:
    """For every row of the input and every output channel: the products over the input's channels."""
    rows, depth = shape_of(op.input)
    channels = shape_of(op.filter)[0]
    sums = Accumulator.of(k, op, products=depth)
    with k.loop("n", 0, rows) as n, k.loop("oc", 0, channels) as oc:

        def step(ic: Value, acc: SSAValue) -> SSAValue:
            return sums.step(acc, [n, ic], [oc, ic])

        acc = k.reduce("ic", 0, depth, sums.start(oc), step)
        sums.finish(acc, oc, [n, oc])
