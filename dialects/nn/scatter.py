"""Elements added at computed places: `nn.scatter_nd`."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .interfaces import TakesIndices, element_type_of, expect_shape, shape_of


@irdl_op_definition
class ScatterNdOp(IRDLOperation, TakesIndices):
    """Zeros, to which each slice of the updates is added at the place that its row of the indices names.

    A row with an index outside its dimension is left out; TensorFlow Lite's kernel fails there. Integers wrap.
    Source: TensorFlow Lite `reference_ops::ScatterNd`.
    """

    name = "nn.scatter_nd"
    indices = operand_def(TensorType)
    updates = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$indices `,` $updates attr-dict `:` functional-type(operands, results)"

    def __init__(self, indices: SSAValue | Operation, updates: SSAValue | Operation, output_type: TensorType):
        super().__init__(operands=[indices, updates], result_types=[output_type])

    def index_bound(self) -> tuple[SSAValue, int]:
        return self.indices, min(shape_of(self.output)[: shape_of(self.indices)[-1]])

    def verify_(self) -> None:
        indices, shape = shape_of(self.indices), shape_of(self.output)
        if not indices or not 1 <= indices[-1] <= len(shape):
            raise VerifyException(f"'{self.name}' op indices of shape {list(indices)} do not fit {list(shape)}")
        expect_shape(self, "updates", shape_of(self.updates), (*indices[:-1], *shape[indices[-1] :]))
        if element_type_of(self.indices) not in (i32, i64):
            raise VerifyException(f"'{self.name}' op indices must be i32 or i64, got {element_type_of(self.indices)}")
        if element_type_of(self.updates) != element_type_of(self.output):
            raise VerifyException(f"'{self.name}' op updates and result must have the same element type")
