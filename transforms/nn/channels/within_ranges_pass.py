"""The pass `nn-within-ranges`: bounds, choices and entries of tables that no run meets go, bit for bit.

It stands before `nn-channels`: its ranges are those of all channels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, ModuleOp, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ....dialects.nn.activation import ClampOp, TableOp
from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.element_functions import Binary, BinaryOp
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import FusesClamp, HasRanges, channels_of, element_type_of
from ....dialects.nn.ranges import Ranges, united
from .analysis import block_ranges, is_narrow
from .channels_pass import functions

WIDE = 16
"""Bits of the elements whose tables are interpolated."""


@dataclass(frozen=True)
class NnWithinRangesPass(ModulePass):
    """Drop what the ranges of integers prove to do nothing."""

    name: ClassVar[str] = "nn-within-ranges"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in (function.body.block for function in functions(op)):
            if is_narrow(block):
                drop_idle(block)


def drop_idle(block: Block) -> None:
    """Drop what does nothing from the operations of a block."""
    ranges = dict(block_ranges(block))
    tables: dict[tuple[Attribute, ...], list[TableOp]] = {}
    for op in list(block.ops):
        given = [ranges[operand] for operand in op.operands if operand in ranges]
        if len(given) != len(op.operands) or any(each.is_real for each in given):
            continue
        same = _operand(op, given)
        if same is not None and same.type == op.results[0].type and not isinstance(same.owner, ConstantOp):
            Rewriter.replace_op(op, [], [same])
        elif isinstance(op, HasRanges) and isinstance(op, FusesClamp) and not isinstance(op, ClampOp):
            _widen(op, given)
        elif isinstance(op, TableOp):
            key = op.values, element_type_of(op.input), element_type_of(op.output)
            tables.setdefault(key, []).append(op)
    for same_tables in tables.values():
        _shorten(same_tables, united([_all_channels(ranges[op.input]) for op in same_tables]))


def _all_channels(ranges: Ranges) -> Ranges:
    return Ranges(ranges.least.min(keepdims=True), ranges.most.max(keepdims=True))


def _operand(op: Operation, given: Sequence[Ranges]) -> SSAValue | None:
    """The operand that the result always equals: of clamps that never act, of extremes of ordered values."""
    if isinstance(op, ClampOp):
        return op.input if _are_within(given[0], op.clamp) else None
    chosen = _LARGER.get(op.function.data) if isinstance(op, BinaryOp) else None
    if chosen is None:
        return None
    channels = channels_of(op.results[0])
    lhs, rhs = (each.broadcast(channels) for each in given)
    for one, other, number in ((lhs, rhs, chosen), (rhs, lhs, 1 - chosen)):
        if (one.least >= other.most).all():
            return op.operands[number]
    return None


_LARGER: Mapping[Binary, int] = {Binary.MAXIMUM: 0, Binary.MINIMUM: 1}
"""Which operand is the result where the first is never smaller."""


def _widen(op: HasRanges, given: Sequence[Ranges]) -> None:
    """Give an operation the range of its type as bounds, which costs least, where its own never act.

    A least value above that of the type stays where it is rescaled: it may say that sums are not negative.
    """
    bounds, element = op.properties.get("clamp"), element_type_of(op.results[0])
    if not isinstance(bounds, ClampAttr) or not isinstance(element, IntegerType):
        return
    full = ClampAttr.get(*integer_range(element))
    if bounds == full or (op.properties.get("rescale") is not None and bounds.bounds[0] != full.bounds[0]):
        return
    op.properties["clamp"] = full
    if not all(_are_within(each, bounds) for each in op.ranges(given)):
        op.properties["clamp"] = bounds


def _shorten(ops: Sequence[TableOp], given: Ranges) -> None:
    """Leave out entries before the first and behind the last element that can be; equal tables stay one."""
    element = element_type_of(ops[0].input)
    assert isinstance(element, IntegerType), "ranges are of integers"
    if element.width.data == WIDE:
        return
    first, last = int(given.least[0]), int(given.most[0])
    for op in ops:
        entries = op.array[first - op.least : last + 1 - op.least]
        if len(entries) < len(op.values):
            op.values, op.first = DenseArrayBase.from_list(i32, entries.tolist()), IntegerAttr(first, i32)


def _are_within(ranges: Ranges, clamp: ClampAttr) -> bool:
    least, most = clamp.bounds
    return bool((ranges.least >= least).all() and (ranges.most <= most).all())
