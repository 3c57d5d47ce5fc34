"""IF, WHILE, CALL_ONCE and STABLEHLO_COMPOSITE: operators that run subgraphs."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Block, SSAValue

from ....dialects.nn.attributes import VariableType
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.control_flow import CondIfOp, WhileLoopOp, YieldOp
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.variable import AssignVariableOp, VariableOp
from ..node import Node, Scope, Unsupported, tensor_type
from ..quantisation import QuantisationError
from ..schema import Tensor
from .registry import operator

ANY = ("FLOAT32", "INT8", "UINT8", "INT16", "INT32", "INT64", "BOOL")
MANY = (0, 1 << 16)


@operator("IF", inputs=(1, MANY[1]), outputs=None, types=ANY)
def if_(node: Node) -> Sequence[SSAValue]:
    """The subgraphs see the inputs as they are."""
    condition, *given = _inputs(node)
    values = [node.value(tensor) for tensor in given]
    branches = [_inner(node, index, given) for index in node.operator.subgraphs]
    for branch in branches:
        branch.bind(values)
        branch.run()
        _end(node, branch, branch.outputs)
    first = branches[0].outputs
    if len(first) != len(node.outputs):
        raise node.malformed(f"its subgraphs have {len(first)} outputs, it has {len(node.outputs)}")
    types = [tensor_type(tensor) for tensor in first]
    then, otherwise = (branch.block for branch in branches)
    made = node.emit(CondIfOp(node.value(condition), then, otherwise, types))
    return _results(node, made.results)


@operator("WHILE", inputs=(1, MANY[1]), outputs=None, types=ANY)
def while_(node: Node) -> Sequence[SSAValue]:
    """Import a loop. Values the body hands on unchanged need no place: the loop's regions see them from outside."""
    given = _inputs(node)
    condition, body = (_inner(node, index, given) for index in node.operator.subgraphs)
    if len(body.graph.outputs) != len(given) or len(node.outputs) != len(given):
        raise node.malformed(
            f"it has {len(given)} inputs and {len(node.outputs)} outputs, its body {len(body.graph.outputs)} outputs"
        )
    if len(condition.graph.outputs) != 1:
        raise node.malformed(f"its condition has {len(condition.graph.outputs)} outputs")
    values = [node.value(tensor) for tensor in given]
    kept = [
        into == out or isinstance(value.type, VariableType)
        for into, out, value in zip(body.graph.inputs, body.graph.outputs, values, strict=True)
    ]
    for graph in (condition, body):
        graph.bind(
            [
                value if keeps else graph.block.insert_arg(value.type, len(graph.block.args))
                for keeps, value in zip(kept, values, strict=True)
            ]
        )
        graph.run()
    _end(node, condition, condition.outputs)
    _end(node, body, [output for keeps, output in zip(kept, body.outputs, strict=True) if not keeps])
    carried = [value for keeps, value in zip(kept, values, strict=True) if not keeps]
    made = iter(node.emit(WhileLoopOp(carried, condition.block, body.block)).results)
    return _results(node, [value if keeps else next(made) for keeps, value in zip(kept, values, strict=True)])


@operator("STABLEHLO_COMPOSITE", inputs=MANY, outputs=None, types=ANY)
def composite(node: Node) -> Sequence[SSAValue]:
    """Its decomposition into other operators stands in its place."""
    (index,) = node.operator.subgraphs
    given = _inputs(node)
    graph = _inner(node, index, given, node.graph.block)
    graph.bind([node.value(tensor) for tensor in given])
    graph.run()
    if len(graph.outputs) != len(node.outputs):
        raise node.malformed(f"its subgraph has {len(graph.outputs)} outputs, it has {len(node.outputs)}")
    return _results(node, [graph.values.get(tensor) for tensor in graph.outputs])


@operator("CALL_ONCE", inputs=0, outputs=0, types=ANY)
def call_once(node: Node) -> Sequence[SSAValue]:
    """Import the assignments of variables: values after a reset."""
    (index,) = node.operator.subgraphs
    graph = _inner(node, index, ())
    graph.run()
    for op in list(graph.block.ops):
        if isinstance(op, AssignVariableOp):
            variable, value = op.variable.owner, op.value.owner
            assert isinstance(variable, VariableOp), "resources are bound to what makes their variable"
            if any(not graph.block.is_ancestor(use.operation) for use in variable.result.uses):
                raise Unsupported(f"the variable '{variable.variable.data}' is used before it is initialised")
            if not isinstance(value, ConstantOp):
                raise Unsupported(f"the initial value of the variable '{variable.variable.data}' is no constant")
            node.variables.initialise(variable, value.value)
        elif not isinstance(op, ConstantOp | UnrealizedConversionCastOp):
            raise Unsupported(f"its subgraph does more than to assign constants: {op.name}")
    for op in reversed(list(graph.block.ops)):
        op.detach()
        op.erase()
    return ()


def _inputs(node: Node) -> list[Tensor]:
    return [node.input(position) for position in range(len(node.operator.inputs))]


def _inner(node: Node, index: int, given: Sequence[Tensor], block: Block | None = None) -> Scope:
    graph = node.graph.inner(index, block or Block())
    if len(graph.graph.inputs) != len(given):
        raise node.malformed(f"subgraph {index} has {len(graph.graph.inputs)} inputs, it gets {len(given)}")
    for tensor, wanted in zip(given, graph.inputs, strict=True):
        fits = tensor.shape == wanted.shape or graph.leaves_open(wanted)
        if tensor.element_type is not wanted.element_type or not fits:
            raise node.malformed(
                f"{tensor} of shape {list(tensor.shape)} does not fit {wanted} of shape {list(wanted.shape)} in "
                f"subgraph {index}"
            )
    return graph


def _end(node: Node, graph: Scope, outputs: Sequence[Tensor]) -> None:
    """Yield the outputs at the end of a subgraph's block."""
    graph.block.add_op(YieldOp(*(graph.values.get(tensor) for tensor in outputs)))


def _results(node: Node, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """Give the outputs the shapes of the results."""
    for position, (tensor, value) in enumerate(zip(list(node.outputs), values, strict=True)):
        if isinstance(value.type, VariableType):
            continue
        if element_type_of(value) != tensor_type(tensor).get_element_type():
            raise node.malformed(f"{tensor} has the type {tensor.element_type.name}, its subgraph makes another one")
        if shape_of(value) == tensor.shape:
            continue
        if not node.graph.leaves_open(tensor):
            raise QuantisationError(
                f"{tensor} has shape {list(tensor.shape)}, its subgraph makes {list(shape_of(value))}"
            )
        node.reshape_output(position, shape_of(value))
    return values
