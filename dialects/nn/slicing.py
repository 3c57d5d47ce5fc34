"""Parts of tensors: `nn.slice`, `nn.split`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, TensorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .attributes import ints
from .interfaces import expect_length, expect_shape, shape_of
from .movement import Box, Movement, Walk, verify_axis


@irdl_op_definition
class SliceOp(IRDLOperation, Movement):
    """Element i of the result is element `begin + i * step` of the input, in every dimension; steps may be negative."""

    name = "nn.slice"
    input = operand_def(TensorType)
    output = result_def(TensorType)
    begin = prop_def(DenseArrayBase.constr(i64))
    step = prop_def(DenseArrayBase.constr(i64))
    traits = traits_def(Pure())
    assembly_format = "$input `begin` $begin `step` $step attr-dict `:` functional-type(operands, results)"

    def __init__(self, input: SSAValue | Operation, begin: Sequence[int], step: Sequence[int], extents: Sequence[int]):
        source = SSAValue.get(input, type=TensorType)
        super().__init__(
            operands=[source],
            result_types=[TensorType(source.type.get_element_type(), extents)],
            properties={
                "begin": DenseArrayBase.from_list(i64, begin),
                "step": DenseArrayBase.from_list(i64, step),
            },
        )

    def boxes(self) -> Sequence[Box]:
        shape = shape_of(self.output)
        source = Walk.through(shape_of(self.input), ints(self.begin), ints(self.step))
        return [Box(shape, Walk.through(shape), source)]

    def verify_(self) -> None:
        shape, extents = shape_of(self.input), shape_of(self.output)
        expect_length(self, "begin", len(self.begin), len(shape))
        expect_length(self, "step", len(self.step), len(shape))
        expect_length(self, "the result's shape", len(extents), len(shape))
        for d, (begin, step, extent) in enumerate(zip(ints(self.begin), ints(self.step), extents, strict=True)):
            if not (0 <= begin < shape[d] and 0 <= begin + (extent - 1) * step < shape[d]):
                raise VerifyException(f"'{self.name}' op leaves dimension {d} of {shape[d]} elements")
        self.verify_elements()


@irdl_op_definition
class SplitOp(IRDLOperation, Movement):
    """The input cut into parts along an axis."""

    name = "nn.split"
    input = operand_def(TensorType)
    parts = var_result_def(TensorType)
    axis = prop_def(IntegerAttr.constr(type=i64))
    traits = traits_def(Pure())
    assembly_format = "$input `axis` $axis attr-dict `:` functional-type(operands, results)"

    def __init__(self, input: SSAValue | Operation, axis: int, extents: Sequence[int]):
        source = SSAValue.get(input, type=TensorType)
        shape = source.type.get_shape()
        types = [
            TensorType(source.type.get_element_type(), [*shape[:axis], extent, *shape[axis + 1 :]])
            for extent in extents
        ]
        super().__init__(operands=[source], result_types=[types], properties={"axis": IntegerAttr(axis, i64)})

    def boxes(self) -> Sequence[Box]:
        shape, axis = shape_of(self.input), self.axis.value.data
        boxes: list[Box] = []
        begin = [0] * len(shape)
        for number, part in enumerate(self.parts):
            extents = shape_of(part)
            boxes.append(Box(extents, Walk.through(extents), Walk.through(shape, begin), result=number))
            begin[axis] += extents[axis]
        return boxes

    def verify_(self) -> None:
        shape, axis = shape_of(self.input), self.axis.value.data
        verify_axis(self, axis, len(shape))
        for part in self.parts:
            extents = shape_of(part)
            extent = extents[axis] if len(extents) == len(shape) else 0
            expect_shape(self, "a part", extents, [*shape[:axis], extent, *shape[axis + 1 :]])
        if sum(shape_of(part)[axis] for part in self.parts) != shape[axis]:
            raise VerifyException(f"'{self.name}' op parts do not add up to the {shape[axis]} elements of axis {axis}")
        self.verify_elements()
