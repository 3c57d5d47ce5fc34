"""Tensors put together: `nn.concat`, `nn.tile`, `nn.broadcast`."""

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
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .attributes import ints
from .interfaces import expect_length, expect_shape, shape_of
from .movement import Box, Movement, Walk, row_major, verify_axis


@irdl_op_definition
class ConcatOp(IRDLOperation, Movement):
    """The inputs one after the other along an axis; their bytes move as they are."""

    name = "nn.concat"
    inputs = var_operand_def(TensorType)
    output = result_def(TensorType)
    axis = prop_def(IntegerAttr.constr(type=i64))
    traits = traits_def(Pure())
    assembly_format = "$inputs `axis` $axis attr-dict `:` functional-type(operands, results)"

    def __init__(self, inputs: Sequence[SSAValue | Operation], axis: int, output_type: TensorType):
        super().__init__(operands=[inputs], result_types=[output_type], properties={"axis": IntegerAttr(axis, i64)})

    def boxes(self) -> Sequence[Box]:
        shape, axis = shape_of(self.output), self.axis.value.data
        boxes: list[Box] = []
        begin = [0] * len(shape)
        for number, value in enumerate(self.inputs):
            extents = shape_of(value)
            boxes.append(Box(extents, Walk.through(shape, begin), Walk.through(extents), operand=number))
            begin[axis] += extents[axis]
        return boxes

    def verify_(self) -> None:
        shape, axis = shape_of(self.output), self.axis.value.data
        verify_axis(self, axis, len(shape))
        for value in self.inputs:
            extents = shape_of(value)
            extent = extents[axis] if len(extents) == len(shape) else 0
            expect_shape(self, "an input", extents, [*shape[:axis], extent, *shape[axis + 1 :]])
        if sum(shape_of(value)[axis] for value in self.inputs) != shape[axis]:
            raise VerifyException(f"'{self.name}' op inputs do not add up to the {shape[axis]} elements of axis {axis}")
        self.verify_elements()


@irdl_op_definition
class TileOp(IRDLOperation, Movement):
    """The input repeated `multiples[d]` times along dimension d."""

    name = "nn.tile"
    input = operand_def(TensorType)
    output = result_def(TensorType)
    multiples = prop_def(DenseArrayBase.constr(i64))
    traits = traits_def(Pure())
    assembly_format = "$input `multiples` $multiples attr-dict `:` functional-type(operands, results)"

    def __init__(self, input: SSAValue | Operation, multiples: Sequence[int]):
        source = SSAValue.get(input, type=TensorType)
        shape = [a * b for a, b in zip(source.type.get_shape(), multiples, strict=True)]
        super().__init__(
            operands=[source],
            result_types=[TensorType(source.type.get_element_type(), shape)],
            properties={"multiples": DenseArrayBase.from_list(i64, multiples)},
        )

    def boxes(self) -> Sequence[Box]:
        shape, multiples = shape_of(self.input), ints(self.multiples)
        # Dimensions in pairs: which repetition, which element.
        extents = tuple(extent for pair in zip(multiples, shape, strict=True) for extent in pair)
        source = Walk(0, tuple(step for stride in Walk.through(shape).strides for step in (0, stride)))
        return [Box(extents, Walk.through(extents), source)]

    def verify_(self) -> None:
        shape = shape_of(self.input)
        expect_length(self, "multiples", len(self.multiples), len(shape))
        if any(multiple < 1 for multiple in ints(self.multiples)):
            raise VerifyException(f"'{self.name}' op multiples must be at least 1")
        expect_shape(
            self, "result", shape_of(self.output), [a * b for a, b in zip(shape, ints(self.multiples), strict=True)]
        )
        self.verify_elements()


@irdl_op_definition
class BroadcastOp(IRDLOperation, Movement):
    """The input repeated along the dimensions of extent 1 or that it lacks, aligned at the last one."""

    name = "nn.broadcast"
    input = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` functional-type(operands, results)"

    def __init__(self, input: SSAValue | Operation, output_type: TensorType):
        super().__init__(operands=[input], result_types=[output_type])

    def boxes(self) -> Sequence[Box]:
        shape, given = shape_of(self.output), shape_of(self.input)
        steps = [0 if extent == 1 else step for extent, step in zip(given, row_major(given), strict=True)]
        return [Box(shape, Walk.through(shape), Walk(0, (*(0,) * (len(shape) - len(given)), *steps)))]

    def verify_(self) -> None:
        shape, given = shape_of(self.output), shape_of(self.input)
        aligned = shape[len(shape) - len(given) :] if len(given) <= len(shape) else ()
        if len(aligned) != len(given) or any(a not in (1, b) for a, b in zip(given, aligned, strict=True)):
            raise VerifyException(f"'{self.name}' op {list(given)} does not broadcast to {list(shape)}")
        self.verify_elements()
