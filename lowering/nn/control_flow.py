"""Branches and loops on tensors as `scf` around the lowered operators.

Results of branches and carried values of loops have buffers outside; what happens inside allocates its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i8
from xdsl.ir import Block, Region, SSAValue

from ...dialects.nn import CondIfOp, WhileLoopOp, YieldOp
from .trip_count import trip_count

if TYPE_CHECKING:
    from .block import BlockLowering


def lower_if(op: CondIfOp, lowering: BlockLowering) -> None:
    """Both branches write their results into the buffers of the operation's."""
    outputs = [lowering.allocated(result) for result in op.outputs]
    condition = truth(op.condition, lowering)
    blocks: list[Block] = []
    for region in (op.then_region, op.else_region):
        block = Block()
        with lowering.inside(block):
            lowering.lower(region.block.ops, yielded(region.block), outputs)
            lowering.builder.insert(scf.YieldOp())
        blocks.append(block)
    lowering.builder.insert(scf.IfOp(condition, [], Region(blocks[0]), Region(blocks[1])))


def lower_while(op: WhileLoopOp, lowering: BlockLowering) -> None:
    """The carried values live in the buffers of the results all the time: copied there before, and after each round.

    A loop whose rounds are known is counted, and its condition not computed.
    """
    carried = [lowering.allocated(result) for result in op.outputs]
    for value, buffer in zip(op.inputs, carried, strict=True):
        lowering.copy(lowering.buffer(value), buffer)
    rounds = trip_count(op)
    body = Block(arg_types=[] if rounds is None else [IndexType()])
    with lowering.inside(body):
        _enter(op.body.block, carried, lowering)
        _lower_body(op, carried, lowering)
        lowering.builder.insert(scf.YieldOp())
    if rounds is not None:
        lower, upper, step = (
            lowering.builder.insert(arith.ConstantOp(IntegerAttr(number, IndexType()))).result
            for number in (0, rounds, 1)
        )
        lowering.builder.insert(scf.ForOp(lower, upper, step, [], Region(body)))
        return
    condition = Block()
    with lowering.inside(condition):
        _enter(op.condition.block, carried, lowering)
        lowering.lower(op.condition.block.ops, (), ())
        lowering.builder.insert(scf.ConditionOp(truth(yielded(op.condition.block)[0], lowering)))
    lowering.builder.insert(scf.WhileOp([], [], Region(condition), Region(body)))


def _lower_body(op: WhileLoopOp, carried: list[SSAValue], lowering: BlockLowering) -> None:
    """All next values are complete before the first of them is carried over; those that change places step aside."""
    lowering.lower(op.body.block.ops, (), ())
    values = yielded(op.body.block)
    sources = [lowering.buffer(value) for value in values]
    for number, (source, result) in enumerate(zip(sources, op.outputs, strict=True)):
        if lowering.shares_buffer(values[number], op.body.block.args) and source is not carried[number]:
            aside = lowering.allocate(result)
            lowering.copy(source, aside)
            sources[number] = aside
    for source, buffer in zip(sources, carried, strict=True):
        if source is not buffer:
            lowering.copy(source, buffer)


def _enter(block: Block, carried: list[SSAValue], lowering: BlockLowering) -> None:
    for argument, buffer in zip(block.args, carried, strict=True):
        lowering.bind(argument, buffer)


def yielded(block: Block) -> list[SSAValue]:
    """What a region's block yields."""
    last = block.last_op
    assert isinstance(last, YieldOp), "verified: regions end with what they yield"
    return list(last.values)


def truth(value: SSAValue, lowering: BlockLowering) -> SSAValue:
    """The one element of a tensor of truth values as i1."""
    buffer = lowering.buffer(value)
    build = lowering.builder
    zero = build.insert(arith.ConstantOp(IntegerAttr(0, i8))).result
    assert isinstance(buffer.type, MemRefType), "tensors live in memrefs"
    indices: list[SSAValue] = []
    if buffer.type.get_shape():
        indices = [build.insert(arith.ConstantOp(IntegerAttr(0, IndexType()))).result] * len(buffer.type.get_shape())
    element = build.insert(memref.LoadOp.get(buffer, indices)).res
    return build.insert(arith.CmpiOp(element, zero, "ne")).result
