"""One TOSA operation while it is imported."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.builder import Builder
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    IntegerAttr,
    StringAttr,
    TensorType,
)
from xdsl.dialects.tosa import ConstOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import nn_keys
from ...dialects.nn.attributes import OriginAttr
from ...dialects.nn.constant import ConstantOp
from ...dialects.tosa.movement import ConstShapeOp
from ...errors import InputError
from ..emission import insert_sound, name_hint
from ..reasons import Reasons, Unsupported
from .constants import Array, array_of, stored_element, type_of, verify_known
from .variables import Variables

TENSOR_NAME = "tosa.tensor_name"
"""Attribute of an operation, an argument or a result: what the file calls the tensor."""


class Scope(ABC):
    """A block while it is imported: what stands for each of its values, and where operations go."""

    def __init__(self, source: str, reasons: Reasons, variables: Variables, outer: Scope | None = None):
        self.source, self.reasons, self.variables = source, reasons, variables
        self.outer = outer
        self.block = Block()
        self.builder = Builder(InsertPoint.at_end(self.block))
        self.values: dict[SSAValue, SSAValue] = dict(outer.values) if outer else {}
        self.deferred: set[SSAValue] = set(outer.deferred) if outer else set()
        """Values that whoever reads them makes: sums that have no form of their own."""
        self.shapes: dict[SSAValue, SSAValue] = outer.shapes if outer else {}
        """For every value, in regions too, one with its shape."""
        self.tensors: dict[str, SSAValue] = {}
        """Values of the block by the names that origins have."""
        self.numbers: dict[Operation, int] = outer.numbers if outer else {}
        """Numbers of operations in the order of the file, of which constants have none."""

    @abstractmethod
    def inner(self) -> Scope:
        """A block in a region of an operation here: it sees all values."""

    @abstractmethod
    def run(self, operations: Sequence[Operation]) -> Sequence[SSAValue]:
        """Import operations; what the last one returns or yields."""

    def argument(self, given: SSAValue, type: TensorType[Any]) -> SSAValue:
        """An argument of the block."""
        made = self.block.insert_arg(type, len(self.block.args))
        made.name_hint = given.name_hint
        self.values[given] = self.shapes[given] = made
        return made

    def value(self, given: SSAValue) -> SSAValue:
        """Return the imported value of one in the file.

        Raises:
            Unsupported: sums that only RESCALE can read.
        """
        if given in self.deferred:
            name = given.owner.name if isinstance(given.owner, Operation) else "argument"
            raise Unsupported(
                f"it reads the sums of {name.removeprefix('tosa.').upper()}, which RESCALE alone may read"
            )
        return self.values[given]


class Node:
    """An operation with its operands at hand."""

    def __init__(self, block: Scope, index: int, op: Operation, name: str | None = None):
        self.block, self.index, self.op = block, index, op
        self.title = op.name.removeprefix("tosa.").upper()
        told = op.attributes.get(TENSOR_NAME)
        hint = told.data if isinstance(told, StringAttr) else op.results[0].name_hint if op.results else None
        self.name = name or hint or f"{op.name.removeprefix('tosa.')}_{index}"

    @property
    def place(self) -> str:
        """Where it stands: `line:column` of a text, else its number."""
        location = self.op.location
        if isinstance(location, FileLineColLoc):
            return f"{location.line.data}:{location.column.data}"
        return f"{self.index} '{self.name}'"

    def malformed(self, message: str) -> InputError:
        """The error for an operation that contradicts itself."""
        source = self.block.source
        if isinstance(self.op.location, FileLineColLoc):
            return InputError(f"{source}:{self.place}: {self.title}: {message}")
        return InputError(f"malformed TOSA file {source}: operator {self.place} {self.title}: {message}")

    def value(self, operand: SSAValue) -> SSAValue:
        """An operand as `nn` has it."""
        return self.block.value(operand)

    def shape(self, operand: SSAValue) -> tuple[int, ...]:
        """The extents of an operand."""
        return type_of(self.value(operand)).get_shape()

    def element(self, operand: SSAValue) -> Attribute:
        """The element type of an operand."""
        return type_of(self.value(operand)).get_element_type()

    def array(self, operand: SSAValue, what: str) -> Array:
        """The elements of an operand that must be a constant."""
        owner = operand.owner
        if isinstance(owner, ConstOp | ConstShapeOp):
            return array_of(owner.values)
        if operand in self.block.values:
            made = self.value(operand).owner
            if isinstance(made, ConstantOp):
                return made.array
        raise Unsupported(f"{what} is computed at run time; it must be a constant")

    def extents(self, operand: SSAValue, what: str) -> list[int]:
        """The integers of a shape that must be known."""
        return [int(extent) for extent in self.array(operand, what).reshape(-1)]

    def number(self, operand: SSAValue, what: str, *, unsigned: bool = False) -> int:
        """The one integer of a constant, such as a zero point; floats must be whole."""
        array = self.array(operand, what)
        if array.size != 1:
            raise self.malformed(f"{what} has {array.size} elements, expected 1")
        number = int(array.reshape(-1)[0])
        bits = 8 * array.dtype.itemsize
        return number & ((1 << bits) - 1) if unsigned and array.dtype.kind == "i" and bits < 32 else number

    def emit(self, operation: Operation) -> SSAValue:
        """Append an operation with one result."""
        return self.emit_all(operation)[0]

    def emit_all(self, operation: Operation) -> Sequence[SSAValue]:
        """Append an operation; its results."""
        origin = OriginAttr.get(self.index, self.title, self.name)
        return insert_sound(self.block.builder, operation, origin, self.name, self.malformed)

    def literal(self, array: Any, element: Attribute, name: str | None = None) -> SSAValue:
        """A constant of the IR."""
        name = name or f"{self.name}/constant"
        verify_known(np.shape(array))
        operation = ConstantOp.of(np.asarray(array), element)
        nn_keys.NAME.put(operation.attributes, name)
        self.block.builder.insert(operation)
        operation.result.name_hint = name_hint(name)
        return operation.result

    def constant(self, values: DenseIntOrFPElementsAttr) -> SSAValue:
        """A constant of the file."""
        type: Any = values.type
        return self.literal(array_of(values), stored_element(type.get_element_type()), self.name)

    def axis(self, attribute: IntegerAttr, rank: int) -> int:
        """An axis that a tensor of so many dimensions has."""
        axis = attribute.value.data
        if not 0 <= axis < rank:
            raise self.malformed(f"axis {axis} is none of the {rank} dimensions")
        return axis

    def integers(self, attribute: DenseArrayBase, count: int, what: str) -> tuple[int, ...]:
        """The numbers of an attribute that has so many."""
        given: Any = attribute
        found = tuple(int(value) for value in given.get_values())
        if len(found) != count:
            raise self.malformed(f"{what} has {len(found)} numbers, expected {count}")
        return found
