"""Branches and loops on tensors as `scf` around the lowered operators.

Results of branches and carried values of loops have buffers outside; what happens inside allocates its own.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from xdsl.builder import Builder
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i8
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from ...dialects.nn import CondIfOp, ScanOp, WhileLoopOp, YieldOp
from ...dialects.nn.interfaces import element_type_of, shape_of
from ..builder import Loops, Value
from .storage import storage_type
from .trip_count import trip_count


class Blocks(ABC):
    """What lowers the operations of blocks: the part that regions need of it."""

    builder: Builder

    @abstractmethod
    def lower(self, operations: Iterable[Operation], results: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> None:
        """Lower the operations of a block, so that its results end in the buffers `outputs`.

        Raises:
            PassFailedException: one of them has no lowering.
        """

    @abstractmethod
    def inside(self, block: Block) -> AbstractContextManager[None]:
        """Emit into a region's block; what is computed there is not seen outside."""

    @abstractmethod
    def bind(self, value: SSAValue, buffer: SSAValue) -> None:
        """Say that a tensor lives in a buffer."""

    @abstractmethod
    def copy(self, source: SSAValue, target: SSAValue) -> None:
        """Emit a copy of a whole buffer."""

    @abstractmethod
    def shares_buffer(self, value: SSAValue, others: Sequence[SSAValue]) -> bool:
        """Whether a tensor is, through any number of views, one of the others."""

    @abstractmethod
    def allocated(self, result: OpResult) -> SSAValue:
        """The buffer of an operation's result in its own shape, a new one if it has none yet."""

    @abstractmethod
    def allocate(self, result: SSAValue) -> SSAValue:
        """A new buffer for what `result`, of an operation or of a block, holds."""

    @abstractmethod
    def buffer(self, value: SSAValue) -> SSAValue:
        """The buffer of a tensor in its own shape."""

    @abstractmethod
    def view(self, value: SSAValue, type: MemRefType) -> SSAValue:
        """The buffer of `value`, seen as `type`."""


def lower_if(op: CondIfOp, lowering: Blocks) -> None:
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


def lower_while(op: WhileLoopOp, lowering: Blocks) -> None:
    """The carried values live in the buffers of the results all the time: copied there before, and after each round.

    A loop whose rounds are known is counted, and its condition not computed.
    """
    carried = [lowering.allocated(result) for result in op.outputs]
    for value, buffer in zip(op.inputs, carried, strict=True):
        lowering.copy(lowering.buffer(value), buffer)
    rounds = trip_count(op)
    body = Block(arg_types=[] if rounds is None else [IndexType()])
    with lowering.inside(body):
        _enter(op.body.block.args, carried, lowering)
        _lower_body(op, carried, lowering)
        lowering.builder.insert(scf.YieldOp())
    if rounds is not None:
        _counted(rounds, body, lowering)
        return
    condition = Block()
    with lowering.inside(condition):
        _enter(op.condition.block.args, carried, lowering)
        lowering.lower(op.condition.block.ops, (), ())
        lowering.builder.insert(scf.ConditionOp(truth(yielded(op.condition.block)[0], lowering)))
    lowering.builder.insert(scf.WhileOp([], [], Region(condition), Region(body)))


def lower_scan(op: ScanOp, lowering: Blocks) -> None:
    """The states live in the buffers of the last ones; a slice is copied before a round, what is stacked after it."""
    count, results = len(op.initial), [lowering.allocated(result) for result in op.outputs]
    for value, buffer in zip(op.initial, results, strict=False):
        lowering.copy(lowering.buffer(value), buffer)
    inner, body = op.body.block, Block(arg_types=[IndexType()])
    with lowering.inside(body):
        k, round = Loops(body), body.args[0]
        place = k.sub(op.steps - 1, round) if op.reverse is not None else round
        for argument, sequence in zip(inner.args[count:], op.sequences, strict=True):
            lowering.bind(argument, lowering.allocate(argument))
            _copy_slices(k, lowering, (sequence, place), (argument, 0))
        _enter(inner.args[:count], results[:count], lowering)
        lowering.lower(inner.ops, (), ())
        values = yielded(inner)
        for value, result in zip(values[count:], op.outputs[count:], strict=True):
            _copy_slices(k, lowering, (value, 0), (result, place))
        _carry(values[:count], inner.args[:count], op.outputs[:count], results[:count], lowering)
        lowering.builder.insert(scf.YieldOp())
    _counted(op.steps, body, lowering)


def _copy_slices(k: Loops, lowering: Blocks, source: tuple[SSAValue, Value], target: tuple[SSAValue, Value]) -> None:
    """Copy one slice, as large as the smaller of two tensors, which lies at a number of such slices in both."""
    size = min(math.prod(shape_of(value)) for value, _ in (source, target))
    if not size:
        return
    buffers = [_in_slices(value, size, lowering) for value, _ in (source, target)]
    with k.loop("i", 0, size) as i:
        k.store(k.load(buffers[0], [source[1], i]), buffers[1], [target[1], i])


def _in_slices(value: SSAValue, size: int, lowering: Blocks) -> SSAValue:
    shape = (math.prod(shape_of(value)) // size, size)
    return lowering.view(value, MemRefType(storage_type(element_type_of(value)), shape))


def _lower_body(op: WhileLoopOp, carried: list[SSAValue], lowering: Blocks) -> None:
    lowering.lower(op.body.block.ops, (), ())
    _carry(yielded(op.body.block), op.body.block.args, op.outputs, carried, lowering)


def _carry(
    values: Sequence[SSAValue],
    arguments: Sequence[SSAValue],
    results: Sequence[OpResult],
    carried: list[SSAValue],
    lowering: Blocks,
) -> None:
    """All next values are complete before the first of them is carried over; those that change places step aside."""
    sources = [lowering.buffer(value) for value in values]
    for number, (source, result) in enumerate(zip(sources, results, strict=True)):
        if lowering.shares_buffer(values[number], arguments) and source is not carried[number]:
            aside = lowering.allocate(result)
            lowering.copy(source, aside)
            sources[number] = aside
    for source, buffer in zip(sources, carried, strict=True):
        if source is not buffer:
            lowering.copy(source, buffer)


def _counted(rounds: int, body: Block, lowering: Blocks) -> None:
    lower, upper, step = (
        lowering.builder.insert(arith.ConstantOp(IntegerAttr(number, IndexType()))).result for number in (0, rounds, 1)
    )
    lowering.builder.insert(scf.ForOp(lower, upper, step, [], Region(body)))


def _enter(arguments: Sequence[SSAValue], carried: Sequence[SSAValue], lowering: Blocks) -> None:
    for argument, buffer in zip(arguments, carried, strict=True):
        lowering.bind(argument, buffer)


def yielded(block: Block) -> list[SSAValue]:
    """Return what a region's block yields."""
    last = block.last_op
    assert isinstance(last, YieldOp), "verified: regions end with what they yield"
    return list(last.values)


def truth(value: SSAValue, lowering: Blocks) -> SSAValue:
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
