"""`nn.fully_connected` and `nn.batch_matmul`.

Source: TensorFlow Lite `reference_integer_ops::FullyConnected`, `reference_ops::FullyConnected` and `BatchMatMul`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from xdsl.ir import SSAValue

from ....dialects.nn import BatchMatmulOp, FullyConnectedOp
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


@lowers(BatchMatmulOp, ELEMENTS)
def lower_batch_matmul(op: BatchMatmulOp, k: Kernel) -> None:
    """For every pair of matrices, row and column: the products along the depth."""
    shapes = op.matrices()
    *batch, rows, columns = shape_of(op.output)
    depth = shapes[0][-1]
    sums = Accumulator.of(k, op, products=depth)
    with ExitStack() as nest:
        outer = [nest.enter_context(k.loop(f"b{d}", 0, extent)) for d, extent in enumerate(batch)]
        row = nest.enter_context(k.loop("row", 0, rows))
        column = nest.enter_context(k.loop("column", 0, columns))
        lhs, rhs = (
            _matrix(outer, shape, len(shape_of(value)))
            for shape, value in zip(shapes, (op.input, op.filter), strict=True)
        )

        def step(i: Value, acc: SSAValue) -> SSAValue:
            input_at = [i, row] if op.adjoint_input else [row, i]
            filter_at = [column, i] if op.adjoint_filter else [i, column]
            return sums.step(acc, [*lhs, *input_at], [*rhs, *filter_at])

        acc = k.reduce("i", 0, depth, sums.start(column), step)
        sums.finish(acc, column, [*outer, row, column])


def _matrix(outer: Sequence[Value], shape: Sequence[int], rank: int) -> list[Value]:
    """Where an operand's matrix lies: its own leading indices, 0 where it broadcasts."""
    indices: list[Value] = [0 if extent == 1 else index for index, extent in zip(outer, shape, strict=False)]
    return indices[len(shape) - rank :]
