"""`nn.fully_connected` and `nn.batch_matmul`.

Source: TensorFlow Lite `reference_integer_ops::FullyConnected`, `reference_ops::FullyConnected` and `BatchMatMul`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir.affine import AffineExpr

from ....dialects.nn import BatchMatmulOp, FullyConnectedOp
from ....dialects.nn.interfaces import shape_of
from ..accumulate import ELEMENTS, Accumulator, Factor
from ..kernel import Kernel
from ..nest import Place
from ..registry import lowers


@lowers(FullyConnectedOp, ELEMENTS)
def lower_fully_connected(op: FullyConnectedOp, k: Kernel) -> None:
    """For every row of the input and every output channel: the products over the input's channels."""
    rows, depth = shape_of(op.input)
    sums = Accumulator.of(k, op, products=depth)
    nest = k.nest({"n": rows, "oc": shape_of(op.filter)[0]}, {"ic": depth})
    n, oc, ic = nest.dims
    sums.build(nest, input=Factor([n, ic]), filter=Factor([oc, ic]), channel=oc, output=[n, oc])


@lowers(BatchMatmulOp, ELEMENTS)
def lower_batch_matmul(op: BatchMatmulOp, k: Kernel) -> None:
    """For every pair of matrices, row and column: the products along the depth."""
    shapes = op.matrices()
    *batch, rows, columns = shape_of(op.output)
    sums = Accumulator.of(k, op, products=shapes[0][-1])
    outer = {f"b{d}": extent for d, extent in enumerate(batch)}
    nest = k.nest({**outer, "row": rows, "column": columns}, {"i": shapes[0][-1]})
    *matrix, row, column, i = nest.dims
    lhs, rhs = (
        _matrix(matrix, shape, len(shape_of(value))) for shape, value in zip(shapes, (op.input, op.filter), strict=True)
    )
    sums.build(
        nest,
        input=Factor([*lhs, *([i, row] if op.adjoint_input else [row, i])]),
        filter=Factor([*rhs, *([column, i] if op.adjoint_filter else [i, column])]),
        channel=column,
        output=[*matrix, row, column],
    )


def _matrix(outer: Sequence[AffineExpr], shape: Sequence[int], rank: int) -> list[Place]:
    """Return the indices of an operand's matrix: its own leading ones, 0 where it broadcasts."""
    indices: list[Place] = [0 if extent == 1 else index for index, extent in zip(outer, shape, strict=False)]
    return indices[len(shape) - rank :]
