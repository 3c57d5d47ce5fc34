"""Elements put at computed places: `nn.scatter_nd`."""

from __future__ import annotations

from enum import auto

from xdsl.dialects.builtin import TensorType, i1
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, operand_def, opt_operand_def, prop_def, result_def
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from ..values import Value
from .gather import shape_of_rows, verify_indices
from .interfaces import TakesIndices, element_type_of, expect_shape, shape_of
from .signature import SIGNATURE, OnTensors


class Combination(StrEnum):
    """What becomes of an element and of an update that comes to its place."""

    ADD = auto()
    LARGER = auto()
    MULTIPLY = auto()
    REPLACE = auto()
    SMALLER = auto()


@irdl_attr_definition
class CombinationAttr(EnumAttribute[Combination], SpacedOpaqueSyntaxAttribute):
    """How elements are combined."""

    name = "nn.combination"


@irdl_op_definition
class ScatterNdOp(OnTensors, TakesIndices):
    """The input, or zeros without one, with slices of the updates put where the rows of the indices say.

    Updates come in their order. A row with an index outside its dimension is left out; TensorFlow Lite's kernel fails
    there. Sums and products of integers wrap.
    Source: TensorFlow Lite `reference_ops::ScatterNd` (`add` to zeros); ONNX `ScatterND`, of which this is the rest.
    """

    name = "nn.scatter_nd"
    combination = prop_def(CombinationAttr)
    indices = operand_def(TensorType)
    updates = operand_def(TensorType)
    input = opt_operand_def(TensorType)
    output = result_def(TensorType)
    assembly_format = "$combination operands" + SIGNATURE

    def __init__(
        self,
        indices: Value,
        updates: Value,
        output_type: TensorType,
        combination: Combination = Combination.ADD,
        input: Value | None = None,
    ):
        super().__init__(
            operands=[indices, updates, [] if input is None else [input]],
            properties={"combination": CombinationAttr(combination)},
            result_types=[output_type],
        )

    def index_bound(self) -> tuple[SSAValue, int]:
        return self.indices, min(shape_of(self.output)[: shape_of(self.indices)[-1]])

    def verify_(self) -> None:
        expected = shape_of_rows(self, self.indices, shape_of(self.output))
        expect_shape(self, "updates", shape_of(self.updates), expected)
        verify_indices(self, self.indices)
        element = element_type_of(self.output)
        if element_type_of(self.updates) != element:
            raise VerifyException(f"'{self.name}' op updates and result must have the same element type")
        if self.input is not None:
            expect_shape(self, "input", shape_of(self.input), shape_of(self.output))
            if element_type_of(self.input) != element:
                raise VerifyException(f"'{self.name}' op input and result must have the same element type")
        if element == i1 and self.combination.data is not Combination.REPLACE:
            raise VerifyException(f"'{self.name}' op truth values are replaced, not combined")
