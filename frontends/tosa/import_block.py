"""Imports the operations of one block, and those of the regions in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerType, TensorType, UnrealizedConversionCastOp
from xdsl.dialects.func import ReturnOp
from xdsl.dialects.tosa import ConstOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.nn.quantised import UI8
from ...dialects.tosa.control_flow import VariableOp, YieldOp
from ...dialects.tosa.movement import ConstShapeOp
from ...errors import InputError
from ..emission import LARGEST
from ..reasons import Unsupported
from . import operators as operators  # enters the importers
from .constants import ELEMENTS, stored_element, type_of, typed
from .node import Node, Scope
from .registry import lookup


class BlockImport(Scope):
    """Imports the operations of a block."""

    def inner(self) -> BlockImport:
        """A block in a region of an operation here: it sees all values."""
        return BlockImport(self.source, self.reasons, self.variables, self)

    def run(self, operations: Sequence[Operation]) -> Sequence[SSAValue]:
        """Import operations; what the last one returns or yields."""
        for op in operations:
            if isinstance(op, ReturnOp | YieldOp):
                return self._ends(op)
            self._operation(op)
        raise InputError(f"{self.source}: a block does not end in func.return or tosa.yield")

    def _ends(self, op: Operation) -> Sequence[SSAValue]:
        node = Node(self, len(self.numbers), op)
        found: list[SSAValue] = []
        for operand in op.operands:
            try:
                found.append(self.value(operand))
            except Unsupported as reason:
                self.reasons.add_operator(node.title, str(reason), node.place)
                found.append(self._placeholder(operand.type))
        return found

    def _operation(self, op: Operation) -> None:
        if isinstance(op, ConstShapeOp | VariableOp):
            return
        if not isinstance(op, ConstOp):
            self.numbers[op] = len(self.numbers)
        node = Node(self, self.numbers.get(op, 0), op)
        try:
            made = self._made(node)
        except Unsupported as reason:
            self.reasons.add_operator(node.title, str(reason), node.place)
            made = [self._placeholder(result.type) for result in op.results]
        except (VerifyException, ValueError, IndexError, KeyError, OverflowError) as error:
            made = self._failed(node, node.malformed(f"{error}" or type(error).__name__), error)
        except InputError as error:
            made = self._failed(node, error, error)
        if made is None:
            self.deferred |= set(op.results)
            return
        for result, value in zip(op.results, made, strict=True):
            self.values[result] = self.shapes[result] = value
        if op.results and type_of(made[0]).get_element_type() != UI8:
            self.tensors[node.name] = op.results[0]

    def _failed(self, node: Node, error: InputError, cause: Exception) -> Sequence[SSAValue]:
        """It may be wrong only beside what stands for a refused operator."""
        if self.reasons.is_empty:
            raise error from cause
        return [self._placeholder(result.type) for result in node.op.results]

    def _made(self, node: Node) -> Sequence[SSAValue] | None:
        op = node.op
        if isinstance(op, ConstOp):
            return [node.constant(op.values)]
        importer = lookup(op)
        if importer is None:
            raise Unsupported("the operator cannot be compiled")
        made = importer(op, node)
        if made is None:
            return None
        results = [made] if isinstance(made, SSAValue) else made
        if len(results) != len(op.results):
            raise node.malformed(f"it has {len(op.results)} results, expected {len(results)}")
        for declared, value in zip(op.results, results, strict=True):
            verify_declared(node, declared.type, value)
        return results

    def _placeholder(self, declared: Attribute) -> SSAValue:
        """Stands for what a refused operator gives, so that others are looked at, too."""
        type = static(declared) if isinstance(declared, TensorType) else typed(ELEMENTS[-1], [1])
        cast = UnrealizedConversionCastOp(operands=[[]], result_types=[[type]])
        self.builder.insert(cast)
        return cast.results[0]


def static(declared: TensorType[Any], shape: Sequence[int] | None = None) -> TensorType[Any]:
    """A type as `nn` has it, with open extents of 1 unless a shape says more."""
    extents = declared.get_shape() if shape is None else shape
    return typed(stored_element(declared.get_element_type()), [max(extent, 1) for extent in extents])


def verify_declared(node: Node, declared: Attribute, value: SSAValue) -> None:
    """Check what was made against what the file says.

    Raises:
        InputError: they differ.
        Unsupported: the element type cannot be compiled, or there are too many elements.
    """
    if not isinstance(declared, TensorType):
        raise node.malformed(f"its result is {declared}, expected a tensor")
    made = type_of(value)
    if made.get_element_type() not in ELEMENTS:
        raise Unsupported(f"elements of type {made.get_element_type()} cannot be compiled")
    shape: Any = declared.get_shape()
    fits = len(shape) == len(made.get_shape()) and all(
        given < 0 or given == extent for given, extent in zip(shape, made.get_shape(), strict=True)
    )
    if not fits:
        raise node.malformed(f"its result has the shape {list(made.get_shape())}, the file says {list(shape)}")
    given: Any = declared.get_element_type()
    if _width(given) != _width(made.get_element_type()):
        raise node.malformed(f"its result has elements of type {made.get_element_type()}, the file says {given}")
    if math.prod(made.get_shape()) >= LARGEST:
        raise Unsupported(f"tensors of {math.prod(made.get_shape())} elements cannot be compiled")


def _width(element: Attribute) -> Attribute | int:
    """Element type without its sign; stored widths count."""
    kept = stored_element(element)
    return kept.width.data if isinstance(kept, IntegerType) else kept
