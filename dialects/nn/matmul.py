"""Matrix products: `nn.fully_connected` and `nn.batch_matmul`."""

from __future__ import annotations

import math
from typing import ClassVar, Unpack

from xdsl.dialects.builtin import TensorType, UnitAttr, f32, i8, i16
from xdsl.irdl import irdl_op_definition, opt_prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, flag
from .accumulate import QUANTISATION_FORMAT, Accumulate, AccumulatorScaling, ElementTypes
from .constant import ConstantOp
from .interfaces import expect_rank, shape_of
from .taps import Taps


@irdl_op_definition
class FullyConnectedOp(Accumulate):
    """Matrix product: input [N, K], filter [M, K], bias [M], output [N, M].

    Numeric rule: see `accumulate.py` (TensorFlow Lite `reference_integer_ops::FullyConnected` and
    `FullyConnectedPerChannel`, `reference_ops::FullyConnected`). Inputs of other ranks are reshaped before.
    """

    name = "nn.fully_connected"
    assembly_format = "$input `,` $filter (`,` $extras^)?" + QUANTISATION_FORMAT

    def inferred_shape(self) -> tuple[int, ...]:
        rows, depth = expect_rank(self, "input", self.input, 2)
        columns, filter_depth = expect_rank(self, "filter", self.filter, 2)
        if depth != filter_depth:
            raise VerifyException(f"'{self.name}' op filter has depth {filter_depth}, the input {depth}")
        return rows, columns

    def taps(self) -> Taps | None:
        weights = self.filter.owner
        if not isinstance(weights, ConstantOp):
            return None
        return Taps.of(weights.array[:, None, None, :])

    def macs(self) -> int:
        rows, columns = shape_of(self.output)
        return rows * columns * shape_of(self.filter)[1]


@irdl_op_definition
class BatchMatmulOp(Accumulate):
    """Products of matrices: input [..., M, K], filter [..., K, N], output [..., M, N]; leading extents broadcast.

    With `adjoint_input` the input is [..., K, M], with `adjoint_filter` the filter is [..., N, K]. No bias. Numeric
    rule: see `accumulate.py` (TensorFlow Lite `reference_ops::BatchMatMul`).
    """

    ELEMENT_TYPES: ClassVar[ElementTypes] = ((i8, i8, i8), (i16, i16, i16), (f32, f32, f32))

    name = "nn.batch_matmul"
    adjoint_input = opt_prop_def(UnitAttr)
    adjoint_filter = opt_prop_def(UnitAttr)
    assembly_format = (
        "$input `,` $filter (`,` $extras^)? (`adjoint_input` $adjoint_input^)? (`adjoint_filter` $adjoint_filter^)?"
        + QUANTISATION_FORMAT
    )

    def __init__(
        self,
        input: Value,
        filter: Value,
        *,
        output_type: TensorType,
        adjoint: tuple[bool, bool] = (False, False),
        **scaling: Unpack[AccumulatorScaling],
    ):
        flags = {"adjoint_input": flag(adjoint[0]), "adjoint_filter": flag(adjoint[1])}
        super().__init__(input, filter, None, flags, output_type=output_type, **scaling)

    def matrices(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Shapes [..., M, K] and [..., K, N] of the operands as they take part in the product, of one rank.

        Raises:
            VerifyException: an operand has fewer than two dimensions.
        """
        shapes: list[tuple[int, ...]] = []
        rank = max(len(shape_of(self.input)), len(shape_of(self.filter)))
        for what, value, adjoint in (
            ("input", self.input, self.adjoint_input),
            ("filter", self.filter, self.adjoint_filter),
        ):
            shape = shape_of(value)
            if len(shape) < 2:
                raise VerifyException(f"'{self.name}' op {what} must be at least a matrix, got shape {list(shape)}")
            *batch, rows, columns = shape
            batch = [1] * (rank - len(shape)) + batch
            shapes.append((*batch, columns, rows) if adjoint else (*batch, rows, columns))
        return shapes[0], shapes[1]

    def inferred_shape(self) -> tuple[int, ...]:
        (*batch, rows, depth), (*filter_batch, filter_depth, columns) = self.matrices()
        if self.bias is not None:
            raise VerifyException(f"'{self.name}' op takes no bias")
        if depth != filter_depth:
            raise VerifyException(f"'{self.name}' op filter has depth {filter_depth}, the input {depth}")
        pairs = list(zip(batch, filter_batch, strict=True))
        if any(one != other and 1 not in (one, other) for one, other in pairs):
            raise VerifyException(f"'{self.name}' op leading extents {batch} and {filter_batch} do not broadcast")
        return *(other if one == 1 else one for one, other in pairs), rows, columns

    def macs(self) -> int:
        return math.prod(shape_of(self.output)) * self.matrices()[0][-1]
