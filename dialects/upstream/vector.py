"""`vector`: operations that vectorising loops makes and xDSL does not have."""

from __future__ import annotations

from xdsl.dialects import vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .patch import Patch, operation, superseded


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """Give the elements another shape in row-major order.

    See https://mlir.llvm.org/docs/Dialects/Vector/#vectorshape_cast-vectorshapecastop.
    """

    name = "vector.shape_cast"

    source = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def verify_(self) -> None:
        """The number of elements stays."""
        source, result = self.source.type, self.result.type
        assert isinstance(source, VectorType), "checked by the definition"
        assert isinstance(result, VectorType), "checked by the definition"
        if source.element_count() != result.element_count() or source.element_type != result.element_type:
            raise VerifyException(f"'{self.name}' op cannot make {result} of {source}")


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """Ones below the given extent in every dimension, zeros elsewhere.

    See https://mlir.llvm.org/docs/Dialects/Vector/#vectorconstant_mask-vectorconstantmaskop.
    """

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())
    assembly_format = "$mask_dim_sizes attr-dict `:` type(results)"


@irdl_op_definition
class StepOp(IRDLOperation):
    """0, 1, 2, ...

    See https://mlir.llvm.org/docs/Dialects/Vector/#vectorstep-vectorstepop.
    """

    name = "vector.step"

    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"


PATCHES: tuple[Patch, ...] = tuple(operation(vector.Vector, op) for op in (ShapeCastOp, ConstantMaskOp, StepOp))

SUPERSEDED = superseded(PATCHES)
