"""Matrix products: `nn.fully_connected`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .accumulate import Accumulate, quantisation_properties
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
    assembly_format = (
        "$input `,` $filter (`,` $bias^)?"
        " (`zero_points` $zero_points^)? (`rescale` $rescale^)? (`acc_type` $acc_type^)? (`clamp` $clamp^)?"
        " attr-dict `:` functional-type(operands, results)"
    )

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
    ):
        super().__init__(
            operands=[input, filter, [] if bias is None else [bias]],
            result_types=[output_type],
            properties=quantisation_properties(zero_points, rescale, clamp, acc_type),
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
