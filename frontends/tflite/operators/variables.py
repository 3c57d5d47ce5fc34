"""VAR_HANDLE, READ_VARIABLE and ASSIGN_VARIABLE."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.nn.attributes import VariableType
from ....dialects.nn.interfaces import shape_of
from ....dialects.nn.variable import AssignVariableOp, ReadVariableOp
from ..node import Node, Unsupported, tensor_type
from ..schema import Tensor
from .movement import TYPES
from .registry import operator


@operator("VAR_HANDLE", inputs=0, types=TYPES)
def var_handle(node: Node) -> Sequence[SSAValue]:
    """The variable of a name."""
    if node.output.element_type.name != "RESOURCE":
        raise node.malformed(f"{node.output} has the type {node.output.element_type.name}, expected RESOURCE")
    container, name = (node.operator.options.get(field, "") for field in ("Container", "SharedName"))
    return [node.variables.resource(str(container), str(name))]


@operator("READ_VARIABLE", inputs=1, types=TYPES)
def read_variable(node: Node) -> Operation:
    """Read the variable."""
    handle = node.value(node.input(0))
    if node.graph.leaves_open(node.output) and isinstance(handle.type, VariableType):
        is_known = 0 not in (held := shape_of(handle))
        node.reshape_output(0, held if is_known else node.output.shape)
    variable = _variable(node, node.output)
    return node.emit(ReadVariableOp(variable, tensor_type(node.output)))


@operator("ASSIGN_VARIABLE", inputs=2, outputs=0, types=TYPES)
def assign_variable(node: Node) -> Sequence[SSAValue]:
    """A new value for the variable."""
    value = node.input(1)
    node.emit(AssignVariableOp(_variable(node, value), node.value(value)))
    return ()


def _variable(node: Node, held: Tensor) -> SSAValue:
    if held.element_type.name not in TYPES:
        raise Unsupported(f"a variable of elements of type {held.element_type.name} cannot be compiled")
    handle = node.value(node.input(0))
    if not isinstance(handle.type, VariableType):
        raise node.malformed(f"{node.input(0)} is no variable")
    node.variables.holds(handle, held, tensor_type(held))
    return handle
