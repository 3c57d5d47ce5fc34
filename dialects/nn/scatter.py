"""Elements added at computed places: `nn.scatter_nd`."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value
from .gather import shape_of_rows, verify_indices
from .interfaces import TakesIndices, element_type_of, expect_shape, shape_of
from .signature import OnTensors


@irdl_op_definition
class ScatterNdOp(OnTensors, TakesIndices):
    """Zeros, to which each slice of the updates is added at the place that its row of the indices names.

    A row with an index outside its dimension is left out; TensorFlow Lite's kernel fails there. Integers wrap.
    Source: TensorFlow Lite `reference_ops::ScatterNd`.
    """

    name = "nn.scatter_nd"
    indices = operand_def(TensorType)
    updates = operand_def(TensorType)
    output = result_def(TensorType)

    def __init__(self, indices: Value, updates: Value, output_type: TensorType):
        super().__init__(operands=[indices, updates], result_types=[output_type])

    def index_bound(self) -> tuple[SSAValue, int]:
        return self.indices, min(shape_of(self.output)[: shape_of(self.indices)[-1]])

    def verify_(self) -> None:
        expected = shape_of_rows(self, self.indices, shape_of(self.output))
        expect_shape(self, "updates", shape_of(self.updates), expected)
        verify_indices(self, self.indices)
        if element_type_of(self.updates) != element_type_of(self.output):
            raise VerifyException(f"'{self.name}' op updates and result must have the same element type")
