"""Elements at places that are computed: `nn.gather`, `nn.gather_nd`.

Indices that are known only at run time are clamped to the dimension: nothing outside the input is ever read.
TensorFlow Lite's kernels fail there or read what lies behind.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import IntegerAttr, TensorType, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .interfaces import Foldable, TakesIndices, element_type_of, expect_shape, shape_of
from .movement import verify_axis


def _verify_elements(op: Operation) -> None:
    input, indices = op.operands
    if element_type_of(indices) not in (i32, i64):
        raise VerifyException(f"'{op.name}' op indices must be i32 or i64, got {element_type_of(indices)}")
    if element_type_of(input) != element_type_of(op.results[0]):
        raise VerifyException(f"'{op.name}' op input and result must have the same element type")


@irdl_op_definition
class GatherOp(IRDLOperation, Foldable, TakesIndices):
    """The slices of the input along an axis that the indices name; the first `batch_dims` dimensions go together.

    Source: TensorFlow Lite `reference_ops::Gather`.
    """

    name = "nn.gather"
    input = operand_def(TensorType)
    indices = operand_def(TensorType)
    output = result_def(TensorType)
    axis = prop_def(IntegerAttr.constr(type=i64))
    batch_dims = prop_def(IntegerAttr.constr(type=i64))
    traits = traits_def(Pure())
    assembly_format = (
        "$input `,` $indices `axis` $axis `batch_dims` $batch_dims attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        input: SSAValue | Operation,
        indices: SSAValue | Operation,
        output_type: TensorType,
        *,
        axis: int = 0,
        batch_dims: int = 0,
    ):
        super().__init__(
            operands=[input, indices],
            result_types=[output_type],
            properties={"axis": IntegerAttr(axis, i64), "batch_dims": IntegerAttr(batch_dims, i64)},
        )

    def inferred_shape(self) -> tuple[int, ...]:
        """What the operands imply; raises VerifyException if they contradict."""
        shape, indices = shape_of(self.input), shape_of(self.indices)
        axis, batch = self.axis.value.data, self.batch_dims.value.data
        verify_axis(self, axis, len(shape))
        if not 0 <= batch <= min(axis, len(indices)) or shape[:batch] != indices[:batch]:
            raise VerifyException(
                f"'{self.name}' op {batch} batch dimensions do not fit shapes {list(shape)} and {list(indices)}"
            )
        return (*shape[:axis], *indices[batch:], *shape[axis + 1 :])

    def index_bound(self) -> tuple[SSAValue, int]:
        return self.indices, shape_of(self.input)[self.axis.value.data]

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        source, indices = operands
        axis, batch = self.axis.value.data, self.batch_dims.value.data
        places = np.clip(indices.astype(np.int64), 0, source.shape[axis] - 1)
        made = [np.take(source[at], places[at], axis - batch) for at in np.ndindex(*source.shape[:batch])]
        return [np.stack(made).reshape(shape_of(self.output))]

    def verify_(self) -> None:
        expect_shape(self, "result", shape_of(self.output), self.inferred_shape())
        _verify_elements(self)


@irdl_op_definition
class GatherNdOp(IRDLOperation, Foldable, TakesIndices):
    """The slices of the input that the rows of the indices name, a leading dimension for each column.

    Source: TensorFlow Lite `reference_ops::GatherNd`.
    """

    name = "nn.gather_nd"
    input = operand_def(TensorType)
    indices = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$input `,` $indices attr-dict `:` functional-type(operands, results)"

    def __init__(self, input: SSAValue | Operation, indices: SSAValue | Operation, output_type: TensorType):
        super().__init__(operands=[input, indices], result_types=[output_type])

    def index_bound(self) -> tuple[SSAValue, int]:
        return self.indices, min(shape_of(self.input)[: shape_of(self.indices)[-1]])

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        source, indices = operands
        rows = indices.reshape(-1, indices.shape[-1]).astype(np.int64)
        places = [np.clip(column, 0, extent - 1) for column, extent in zip(rows.T, source.shape, strict=False)]
        return [source[tuple(places)].reshape(shape_of(self.output))]

    def verify_(self) -> None:
        shape, indices = shape_of(self.input), shape_of(self.indices)
        if not indices or not 1 <= indices[-1] <= len(shape):
            raise VerifyException(f"'{self.name}' op indices of shape {list(indices)} do not fit {list(shape)}")
        expect_shape(self, "result", shape_of(self.output), (*indices[:-1], *shape[indices[-1] :]))
        _verify_elements(self)
