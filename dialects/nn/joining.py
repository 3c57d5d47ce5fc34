"""Tensors put together and cut along an axis: `nn.concat`, `nn.split`."""

from __future__ import annotations

import abc
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..values import Value, integer
from .interfaces import expect_shape, shape_of
from .movement import Box, Movement, Walk, verify_axis
from .signature import SIGNATURE, OnTensors


class AlongAxis(OnTensors, Movement, abc.ABC):
    """Base of the two that have pieces one after the other along an axis of a whole; bytes move as they are."""

    axis = prop_def(IntegerAttr.constr(type=i64))
    assembly_format = "operands `axis` $axis" + SIGNATURE

    @property
    @abc.abstractmethod
    def whole(self) -> SSAValue:
        """The tensor that holds all pieces."""

    @property
    @abc.abstractmethod
    def pieces(self) -> Sequence[SSAValue]:
        """The pieces in order."""

    def walks(self) -> Iterator[tuple[int, tuple[int, ...], Walk]]:
        """For each piece its number, its shape, and where it lies in the whole."""
        shape, axis = shape_of(self.whole), self.axis.value.data
        begin = [0] * len(shape)
        for number, piece in enumerate(self.pieces):
            extents = shape_of(piece)
            yield number, extents, Walk.through(shape, begin)
            begin[axis] += extents[axis]

    def verify_(self) -> None:
        shape, axis = shape_of(self.whole), self.axis.value.data
        verify_axis(self, axis, len(shape))
        for piece in self.pieces:
            extents = shape_of(piece)
            extent = extents[axis] if len(extents) == len(shape) else 0
            expect_shape(self, "a piece", extents, [*shape[:axis], extent, *shape[axis + 1 :]])
        if sum(shape_of(piece)[axis] for piece in self.pieces) != shape[axis]:
            raise VerifyException(f"'{self.name}' op pieces do not add up to the {shape[axis]} elements of axis {axis}")
        self.verify_elements()


@irdl_op_definition
class ConcatOp(AlongAxis):
    """The inputs one after the other along an axis."""

    name = "nn.concat"
    inputs = var_operand_def(TensorType)
    output = result_def(TensorType)

    def __init__(self, inputs: Sequence[Value], axis: int, output_type: TensorType):
        super().__init__(operands=[inputs], result_types=[output_type], properties={"axis": integer(axis, i64)})

    @property
    def whole(self) -> SSAValue:
        return self.output

    @property
    def pieces(self) -> Sequence[SSAValue]:
        return self.inputs

    def boxes(self) -> Sequence[Box]:
        return [Box(shape, walk, Walk.through(shape), operand=number) for number, shape, walk in self.walks()]


@irdl_op_definition
class SplitOp(AlongAxis):
    """The input cut into parts along an axis."""

    name = "nn.split"
    input = operand_def(TensorType)
    parts = var_result_def(TensorType)

    def __init__(self, input: Value, axis: int, extents: Sequence[int]):
        source = SSAValue.get(input, type=TensorType)
        shape, element = source.type.get_shape(), source.type.get_element_type()
        types = [TensorType(element, [*shape[:axis], extent, *shape[axis + 1 :]]) for extent in extents]
        super().__init__(operands=[source], result_types=[types], properties={"axis": integer(axis, i64)})

    @property
    def whole(self) -> SSAValue:
        return self.input

    @property
    def pieces(self) -> Sequence[SSAValue]:
        return self.parts

    def boxes(self) -> Sequence[Box]:
        return [Box(shape, Walk.through(shape), walk, result=number) for number, shape, walk in self.walks()]
