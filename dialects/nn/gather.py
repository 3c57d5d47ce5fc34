"""Elements at places that are computed: `nn.gather`, `nn.gather_nd`.

Indices that are known only at run time are clamped to the dimension: nothing outside the input is ever read.
TensorFlow Lite's kernels fail there or read what lies behind.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import IntegerAttr, TensorType, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Properties, Value, integer
from .interfaces import Foldable, HasRanges, TakesIndices, channels_of, element_type_of, expect_shape, shape_of
from .movement import verify_axis
from .ranges import Ranges
from .signature import SIGNATURE, FromTensor


def verify_indices(op: Operation, indices: SSAValue) -> None:
    """Raise VerifyException unless indices are i32 or i64."""
    if element_type_of(indices) not in (i32, i64):
        raise VerifyException(f"'{op.name}' op indices must be i32 or i64, got {element_type_of(indices)}")


def shape_of_rows(op: Operation, indices: SSAValue, shape: Sequence[int]) -> tuple[int, ...]:
    """The shape of the slices that rows of `indices` name in a tensor, a leading dimension for each column.

    Raises:
        VerifyException: rows have no elements or more than there are dimensions.
    """
    rows = shape_of(indices)
    if not rows or not 1 <= rows[-1] <= len(shape):
        raise VerifyException(f"'{op.name}' op indices of shape {list(rows)} do not fit {list(shape)}")
    return (*rows[:-1], *shape[rows[-1] :])


class Gathering(FromTensor, Foldable, TakesIndices, HasRanges, abc.ABC):
    """Base: elements of the input at places that an operand names."""

    # Operands have the order of their declarations, those of a base come last.
    input = operand_def(TensorType)
    indices = operand_def(TensorType)

    def __init__(self, input: Value, indices: Value, output_type: TensorType, properties: Properties | None = None):
        super().__init__(input, output_type, properties, others=[indices])

    @abc.abstractmethod
    def inferred_shape(self) -> tuple[int, ...]:
        """Shape that the operands imply; raises VerifyException if they contradict."""

    @abc.abstractmethod
    def keeps_channels(self) -> bool:
        """Whether slices have all channels of the input."""

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """Ranges of the input's elements: nothing else is read."""
        input, channels = operands[0], channels_of(self.output)
        if input.is_real:
            return [Ranges.everything(element_type_of(self.output), channels)]
        if self.keeps_channels():
            return [input]
        return [Ranges(*(np.full(channels, end) for end in (input.least.min(), input.most.max())))]

    def verify_(self) -> None:
        expect_shape(self, "result", shape_of(self.output), self.inferred_shape())
        verify_indices(self, self.indices)
        self.verify_same_elements()


@irdl_op_definition
class GatherOp(Gathering):
    """The slices of the input along an axis that the indices name; the first `batch_dims` dimensions go together.

    Source: TensorFlow Lite `reference_ops::Gather`.
    """

    name = "nn.gather"
    axis = prop_def(IntegerAttr.constr(type=i64))
    batch_dims = prop_def(IntegerAttr.constr(type=i64))
    assembly_format = "$input `,` $indices `axis` $axis `batch_dims` $batch_dims" + SIGNATURE

    def __init__(self, input: Value, indices: Value, output_type: TensorType, *, axis: int = 0, batch_dims: int = 0):
        properties = {"axis": integer(axis, i64), "batch_dims": integer(batch_dims, i64)}
        super().__init__(input, indices, output_type, properties)

    def inferred_shape(self) -> tuple[int, ...]:
        shape, indices = shape_of(self.input), shape_of(self.indices)
        axis, batch = self.axis.value.data, self.batch_dims.value.data
        verify_axis(self, axis, len(shape))
        if not 0 <= batch <= min(axis, len(indices)) or shape[:batch] != indices[:batch]:
            raise VerifyException(
                f"'{self.name}' op {batch} batch dimensions do not fit shapes {list(shape)} and {list(indices)}"
            )
        return (*shape[:axis], *indices[batch:], *shape[axis + 1 :])

    def keeps_channels(self) -> bool:
        return self.axis.value.data < len(shape_of(self.input)) - 1

    def index_bound(self) -> tuple[SSAValue, int]:
        return self.indices, shape_of(self.input)[self.axis.value.data]

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        source, indices = operands
        axis, batch = self.axis.value.data, self.batch_dims.value.data
        places = np.clip(indices.astype(np.int64), 0, source.shape[axis] - 1)
        made = [np.take(source[at], places[at], axis - batch) for at in np.ndindex(*source.shape[:batch])]
        return [np.stack(made).reshape(shape_of(self.output))]


@irdl_op_definition
class GatherNdOp(Gathering):
    """The slices of the input that the rows of the indices name, a leading dimension for each column.

    Source: TensorFlow Lite `reference_ops::GatherNd`.
    """

    name = "nn.gather_nd"

    def inferred_shape(self) -> tuple[int, ...]:
        return shape_of_rows(self, self.indices, shape_of(self.input))

    def keeps_channels(self) -> bool:
        return shape_of(self.indices)[-1] < len(shape_of(self.input))

    def index_bound(self) -> tuple[SSAValue, int]:
        return self.indices, min(shape_of(self.input)[: shape_of(self.indices)[-1]])

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        source, indices = operands
        rows = indices.reshape(-1, indices.shape[-1]).astype(np.int64)
        places = [np.clip(column, 0, extent - 1) for column, extent in zip(rows.T, source.shape, strict=False)]
        return [source[tuple(places)].reshape(shape_of(self.output))]
