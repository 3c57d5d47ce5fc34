"""COND_IF, WHILE_LOOP and variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Block, SSAValue

from ....dialects.nn.control_flow import CondIfOp, WhileLoopOp, YieldOp
from ....dialects.nn.interfaces import tensor_type
from ....dialects.nn.variable import AssignVariableOp, ReadVariableOp
from ....dialects.tosa import control_flow as tosa
from ...reasons import Unsupported
from ..node import Node
from ..registry import imports


@imports(tosa.IfOp)
def cond_if(op: tosa.IfOp, node: Node) -> Sequence[SSAValue]:
    """Import the branch of a constant condition; else both, which see the values around them."""
    given = [node.value(value) for value in op.input_list]
    try:
        chosen = bool(node.array(op.cond, "the condition").reshape(-1)[0])
    except Unsupported:
        blocks: list[Block] = []
        types: Sequence[Any] = []
        for region in (op.then_graph, op.else_graph):
            results, block = _branch(node, region.block, given)
            types = [value.type for value in results]
            block.add_op(YieldOp(*results))
            blocks.append(block)
        return node.emit_all(CondIfOp(node.value(op.cond), blocks[0], blocks[1], types))
    region = op.then_graph if chosen else op.else_graph
    _bind(node, region.block, given)
    return node.block.run(list(region.block.ops))


def _bind(node: Node, block: Block, given: Sequence[SSAValue]) -> None:
    if len(block.args) not in (0, len(given)):
        raise node.malformed(f"a branch takes {len(block.args)} values, it gets {len(given)}")
    node.block.values |= dict(zip(block.args, given, strict=False))


def _branch(node: Node, block: Block, given: Sequence[SSAValue]) -> tuple[Sequence[SSAValue], Block]:
    _bind(node, block, given)
    inner = node.block.inner()
    return inner.run(list(block.ops)), inner.block


@imports(tosa.WhileOp)
def while_loop(op: tosa.WhileOp, node: Node) -> Sequence[SSAValue]:
    """Both regions take the carried values."""
    given = [node.value(value) for value in op.input_list]
    blocks: list[Block] = []
    for region in (op.cond_graph, op.body_graph):
        if len(region.block.args) != len(given):
            raise node.malformed(f"a region takes {len(region.block.args)} values, it gets {len(given)}")
        inner = node.block.inner()
        for argument, value in zip(region.block.args, given, strict=True):
            inner.argument(argument, tensor_type(value))
        results = inner.run(list(region.block.ops))
        inner.block.add_op(YieldOp(*results))
        blocks.append(inner.block)
    return node.emit_all(WhileLoopOp(given, blocks[0], blocks[1]))


@imports(tosa.VariableReadOp)
def variable_read(op: tosa.VariableReadOp, node: Node) -> SSAValue:
    """Read a variable at this point."""
    variable = node.block.variables.of(op.variable.data)
    return node.emit(ReadVariableOp(variable, tensor_type(variable)))


@imports(tosa.VariableWriteOp)
def variable_write(op: tosa.VariableWriteOp, node: Node) -> Sequence[SSAValue]:
    """Other elements."""
    return node.emit_all(AssignVariableOp(node.block.variables.of(op.variable.data), node.value(op.input1)))
