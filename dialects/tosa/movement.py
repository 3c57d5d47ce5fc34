"""Operations that move elements, and extents as values."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, IntegerAttr, StringAttr, TensorType
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def, var_operand_def, var_result_def
from xdsl.traits import Pure

from .assembly import TosaOp
from .attributes import ResizeModeAttr, ShapeType


@irdl_op_definition
class ConstShapeOp(TosaOp):
    """Extents that are known."""

    name = "tosa.const_shape"
    values = prop_def(DenseIntOrFPElementsAttr)
    output = result_def(ShapeType)
    traits = traits_def(Pure())


@irdl_op_definition
class GatherOp(TosaOp):
    """Rows of `values` [N, K, C] that `indices` [N, W] name."""

    name = "tosa.gather"
    values = operand_def(TensorType)
    indices = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class PadOp(TosaOp):
    """A margin of one value; `padding` holds before and after for each dimension."""

    name = "tosa.pad"
    input1 = operand_def(TensorType)
    padding = operand_def(ShapeType)
    pad_const = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class ReshapeOp(TosaOp):
    """Give the elements another shape in the same order."""

    name = "tosa.reshape"
    input1 = operand_def(TensorType)
    shape = operand_def(ShapeType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class ResizeOp(TosaOp):
    """Images of another size; `scale` is numerator and denominator of height, then of width."""

    name = "tosa.resize"
    input = operand_def(TensorType)
    scale = operand_def(ShapeType)
    offset = operand_def(ShapeType)
    border = operand_def(ShapeType)
    output = result_def(TensorType)
    mode = prop_def(ResizeModeAttr)
    traits = traits_def(Pure())


@irdl_op_definition
class ReverseOp(TosaOp):
    """Elements along an axis in the other order."""

    name = "tosa.reverse"
    input1 = operand_def(TensorType)
    output = result_def(TensorType)
    axis = prop_def(IntegerAttr)
    traits = traits_def(Pure())


@irdl_op_definition
class ScatterOp(TosaOp):
    """`values_in` [N, K, C] with the rows that `indices` [N, W] name taken from `input`."""

    name = "tosa.scatter"
    values_in = operand_def(TensorType)
    indices = operand_def(TensorType)
    input = operand_def(TensorType)
    values_out = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class SliceOp(TosaOp):
    """A part that begins at `start` and has the extents `size`."""

    name = "tosa.slice"
    input1 = operand_def(TensorType)
    start = operand_def(ShapeType)
    size = operand_def(ShapeType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class TileOp(TosaOp):
    """Elements repeated."""

    name = "tosa.tile"
    input1 = operand_def(TensorType)
    multiples = operand_def(ShapeType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class TransposeOp(TosaOp):
    """Dimensions in another order."""

    name = "tosa.transpose"
    input1 = operand_def(TensorType)
    output = result_def(TensorType)
    perms = prop_def(DenseArrayBase)
    traits = traits_def(Pure())


@irdl_op_definition
class CustomOp(TosaOp):
    """Something that TOSA does not define."""

    name = "tosa.custom"
    input_list = var_operand_def(TensorType)
    output_list = var_result_def(TensorType)
    operator_name = prop_def(StringAttr)
    domain_name = prop_def(StringAttr)
    implementation_attrs = prop_def(StringAttr)


OPS: Sequence[type[Operation]] = (
    ConstShapeOp,
    CustomOp,
    GatherOp,
    PadOp,
    ReshapeOp,
    ResizeOp,
    ReverseOp,
    ScatterOp,
    SliceOp,
    TileOp,
    TransposeOp,
)
