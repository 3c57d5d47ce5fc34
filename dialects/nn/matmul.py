"""Matrix products: `nn.fully_connected` and `nn.batch_matmul`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, TensorType, UnitAttr, f32, i8, i16
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .accumulate import QUANTISATION_FORMAT, Accumulate, ElementTypes, Hybrid, extra_operands, quantisation_properties
from .attributes import ClampAttr, RescaleAttr
from .interfaces import expect_rank, shape_of


@irdl_op_definition
class FullyConnectedOp(Accumulate):
    """Matrix product: input [N, K], filter [M, K], bias [M], output [N, M].

    Numeric rule: see `accumulate.py` (TensorFlow Lite `reference_integer_ops::FullyConnected` and
    `FullyConnectedPerChannel`, `reference_ops::FullyConnected`). Inputs of other ranks are reshaped before.
    """

    name = "nn.fully_connected"
    traits = traits_def(Pure())
    assembly_format = "$input `,` $filter (`,` $extras^)?" + QUANTISATION_FORMAT

    def __init__(
        self,
        input: SSAValue | Operation,
        filter: SSAValue | Operation,
        bias: SSAValue | Operation | None,
        *,
        output_type: TensorType,
        zero_points: Sequence[int] | None = None,
        rescale: RescaleAttr | None = None,
        clamp: ClampAttr | None = None,
        acc_type: IntegerType | None = None,
        hybrid: Hybrid | None = None,
        factor: float | None = None,
    ):
        super().__init__(
            operands=[input, filter, extra_operands(bias, hybrid)],
            result_types=[output_type],
            properties=quantisation_properties(zero_points, rescale, clamp, acc_type, hybrid, factor),
        )

    def inferred_shape(self) -> tuple[int, ...]:
        rows, depth = expect_rank(self, "input", self.input, 2)
        columns, filter_depth = expect_rank(self, "filter", self.filter, 2)
        if depth != filter_depth:
            raise VerifyException(f"'{self.name}' op filter has depth {filter_depth}, the input {depth}")
        return rows, columns

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
    traits = traits_def(Pure())
    assembly_format = (
        "$input `,` $filter (`,` $extras^)? (`adjoint_input` $adjoint_input^)? (`adjoint_filter` $adjoint_filter^)?"
        + QUANTISATION_FORMAT
    )

    def __init__(
        self,
        input: SSAValue | Operation,
        filter: SSAValue | Operation,
        *,
        output_type: TensorType,
        adjoint: tuple[bool, bool] = (False, False),
        zero_points: Sequence[int] | None = None,
        rescale: RescaleAttr | None = None,
        clamp: ClampAttr | None = None,
        acc_type: IntegerType | None = None,
    ):
        super().__init__(
            operands=[input, filter, []],
            result_types=[output_type],
            properties={
                "adjoint_input": UnitAttr() if adjoint[0] else None,
                "adjoint_filter": UnitAttr() if adjoint[1] else None,
                **quantisation_properties(zero_points, rescale, clamp, acc_type),
            },
        )

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
