"""Judge what `nn-channels` and `nn-within-ranges` made of each operator."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects import nn_keys
from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.activation import ClampOp, TableOp
from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.element_functions import BinaryOp
from ....dialects.nn.interfaces import ByChannel, Elementwise, element_type_of, shape_of
from ....dialects.nn.movement import Movement
from ....dialects.nn.removed import Removal
from ....dialects.nn.shape import ReshapeOp
from .facts import Facts
from .reading import (
    Refuted,
    array_of,
    channels_of,
    equal_arrays,
    filter_of,
    groups_of,
    moved,
    name_of,
    numbered,
    reach_of,
    same_constant,
    same_factors,
)

MOST_MOVED = 1 << 22
"""Elements of a movement that are followed one by one."""


def check_channels(before: ModuleOp, after: ModuleOp) -> int:
    """Judge what `nn-channels`, and `nn-within-ranges` before it, made of a module.

    Args:
        before: the module without the passes.
        after: with them, and their records.

    Returns:
        how many channels went.

    Raises:
        Refuted: one of them is not shown to be right.
    """
    pairs = [[one for one in module.ops if isinstance(one, func.FuncOp)] for module in (before, after)]
    if len(pairs[0]) != len(pairs[1]):
        raise Refuted("there are other functions")
    removed = 0
    for old, new in zip(*pairs, strict=True):
        if len(old.body.blocks) == 1:
            removed += Check(old.body.block, new.body.block).run()
    return removed


@dataclass
class Check:
    """One function without removals and with them."""

    old: Block
    new: Block
    _facts: Facts = field(default_factory=Facts)

    @cached_property
    def counterparts(self) -> dict[SSAValue, SSAValue]:
        """The new value for each old one that is no constant."""
        found = dict[SSAValue, SSAValue](zip(self.old.args, self.new.args, strict=True))
        for op in self.old.ops:
            if op in self._pairs:
                found.update(zip(op.results, self._pairs[op].results, strict=True))
            elif op in self.idle:
                found[op.results[0]] = found[self.idle[op]]
        return found

    @cached_property
    def gone(self) -> dict[SSAValue, dict[int, Removal]]:
        """The removed channels of each value."""
        found: dict[SSAValue, dict[int, Removal]] = {}
        for old, new in self._pairs.items():
            records = nn_keys.REMOVED.get(new.attributes) or ()
            if records == nn_keys.REMOVED.get(old.attributes):
                # The module came with them, from a compilation that had what went.
                continue
            for result, record in zip(old.results, records, strict=False):
                total = record.total.data
                if total != channels_of(result):
                    raise Refuted(f"{name_of(old)}: the record is of {total} channels, not {channels_of(result)}")
                found[result] = {one.channel: one for one in record.removals}
        for op, operand in self.idle.items():
            found[op.results[0]] = found.get(operand, {})
        return found

    @cached_property
    def idle(self) -> dict[Operation, SSAValue]:
        """Old operations that are left out, and the operand that each one's result equals, in order."""
        if len(_operations(self.old)) == len(_operations(self.new)):
            return {}
        found = {op: self._facts.same_operand(op) for op in self.old.ops if isinstance(op, ClampOp | BinaryOp)}
        return {op: operand for op, operand in found.items() if operand is not None}

    @cached_property
    def _pairs(self) -> dict[Operation, Operation]:
        """The new operation for each old one that is not left out; constants aside."""
        news = _operations(self.new)
        olds = [op for op in _operations(self.old) if op not in self.idle]
        if len(olds) > len(news):
            unread = self._unread()
            olds = [op for op in olds if op not in unread]
        if [op.name for op in olds] != [op.name for op in news]:
            raise Refuted("there are other operators")
        return dict(zip(olds, news, strict=True))

    def _unread(self) -> set[Operation]:
        """Old operations whose results nobody reads but what is left out."""
        found: set[Operation] = set()
        for op in reversed(_operations(self.old)):
            uses = [(use.operation, result) for result in op.results for use in result.uses]
            if op.results and all(user in found or self.idle.get(user, value) is not value for user, value in uses):
                found.add(op)
        return found

    def run(self) -> int:
        """Judge everything; gives how many channels went."""
        for value, removals in self.gone.items():
            for one in removals.values():
                self._judge_record(value, one)
        for old, new in self._pairs.items():
            self._judge_operator(old, new)
        return sum(len(each) for value, each in self.gone.items() if value.owner not in self.idle)

    def kept(self, value: SSAValue) -> list[int]:
        """The channels of a value that stay."""
        gone = self.gone.get(value, {})
        return [channel for channel in range(channels_of(value)) if channel not in gone]

    def _judge_record(self, value: SSAValue, one: Removal) -> None:
        where = f"{name_of(value.owner)} channel {one.channel}"
        if isinstance(element_type_of(value), IntegerType):
            least, most = self._facts.range(value, one.channel)
            if (least, most) != (one.least, one.most):
                raise Refuted(f"{where}: it is {least} to {most}, the record says {one.least} to {one.most}")
        elif one.least <= one.most and not (one.least == one.most == 0 and self._facts.is_zero(value, one.channel)):
            raise Refuted(f"{where}: it is not shown to be 0")
        if one.twin >= 0 and (one.twin not in self.kept(value) or not self._facts.equal(value, one.channel, one.twin)):
            raise Refuted(f"{where}: it is not shown to be channel {one.twin}")

    def _judge_operator(self, old: Operation, new: Operation) -> None:
        where = name_of(old)
        for before, after in zip(old.operands, new.operands, strict=False):
            if not isinstance(before.owner, ConstantOp) and self.counterparts[before] is not after:
                raise Refuted(f"{where}: it reads another value")
        for before, after in zip(old.results, new.results, strict=True):
            shape = shape_of(before) if isinstance(before.type, TensorType) else ()
            if shape and shape_of(after) != (*shape[:-1], len(self.kept(before))):
                raise Refuted(f"{where}: its result has another shape than the record says")
        is_same = not any(map(self.gone.get, (*old.operands, *old.results)))
        if is_same:
            self._judge_same(old, new)
        elif isinstance(old, Accumulate) and isinstance(new, Accumulate):
            self._judge_sums(old, new)
        elif isinstance(old, Elementwise | ByChannel):
            self._judge_by_channel(old, new)
        elif isinstance(old, Movement | ReshapeOp) and isinstance(new, Movement | ReshapeOp):
            self._judge_moved(old, new)
        else:
            raise Refuted(f"{where}: it cannot do with fewer channels")

    def _judge_same(self, old: Operation, new: Operation) -> None:
        if not self._has_properties(new, old.properties):
            raise Refuted(f"{name_of(old)}: its properties changed")
        for before, after in zip(old.operands, new.operands, strict=True):
            if isinstance(before.owner, ConstantOp) and not same_constant(before, after):
                raise Refuted(f"{name_of(old)}: a constant changed")

    def _has_properties(self, new: Operation, wanted: Mapping[str, Attribute], besides: str = "") -> bool:
        """Whether a new operation has the wanted properties, but for bounds and entries that no run meets."""
        given, wanted = ({k: v for k, v in each.items() if k != besides} for each in (new.properties, dict(wanted)))
        if given == wanted:
            return True
        if isinstance(new, TableOp):
            entries = wanted.get("values")
            is_rest_same = {**given, "values": entries, "first": None} == {**wanted, "first": None}
            return is_rest_same and isinstance(entries, DenseArrayBase) and self._facts.is_part(new, entries)
        bounds, full = wanted.pop("clamp", None), given.pop("clamp", None)
        if given != wanted or not isinstance(bounds, ClampAttr) or not isinstance(full, ClampAttr):
            return False
        return all(self._facts.stays_within(result, bounds) for result in new.results)

    def _judge_by_channel(self, old: Operation, new: Operation) -> None:
        if isinstance(old, ByChannel) and not old.keeps_channels():
            raise Refuted(f"{name_of(old)}: it mixes channels")
        if not self._has_properties(new, old.properties):
            raise Refuted(f"{name_of(old)}: its properties changed")
        kept = self.kept(old.results[0])
        for before, after in zip(old.operands, new.operands, strict=True):
            width = channels_of(before)
            if isinstance(before.owner, ConstantOp):
                chosen = array_of(before)[..., kept] if width == channels_of(old.results[0]) > 1 else array_of(before)
                if not equal_arrays(chosen, array_of(after)):
                    raise Refuted(f"{name_of(old)}: a constant changed")
            elif self.kept(before) != (kept if width > 1 or channels_of(old.results[0]) == 1 else [0]):
                raise Refuted(f"{name_of(old)}: it needs channels that went")

    def _judge_moved(self, old: Operation, new: Operation) -> None:
        """Number all elements, and move the numbers both ways."""
        if sum(math.prod(shape_of(result)) for result in old.results) > MOST_MOVED:
            raise Refuted(f"{name_of(old)}: it has too many elements to follow")
        numbers = numbered(old)
        everything = moved(old, numbers)
        fewer = moved(new, [each[..., self.kept(v)] for each, v in zip(numbers, old.operands, strict=True)])
        for result, whole, part in zip(old.results, everything, fewer, strict=True):
            if not equal_arrays(whole[..., self.kept(result)], part):
                raise Refuted(f"{name_of(old)}: elements go elsewhere")

    def _judge_sums(self, old: Accumulate, new: Accumulate) -> None:
        rows, where = self.kept(old.output), name_of(old)
        inputs = self.kept(old.input)
        if not self._has_properties(new, old.properties, besides="rescale"):
            raise Refuted(f"{where}: its properties changed")
        if not same_factors(old.rescale, new.rescale, rows):
            raise Refuted(f"{where}: its factors changed")
        if old.hybrid is not None:
            raise Refuted(f"{where}: it cannot do with fewer channels")
        before, after = filter_of(old), filter_of(new)
        bias = [0] * len(before) if old.bias is None else array_of(old.bias).tolist()
        found = [0] * len(rows) if new.bias is None else array_of(new.bias).tolist()
        groups = groups_of(old)
        if groups == 1:
            error = None
            for fold_first in (True, False):
                error = self._dense(old, (before, bias), (after, found), (rows, inputs), fold_first=fold_first)
                if error is None:
                    return
            raise Refuted(f"{where}: {error}")
        outputs, own = len(before) // groups, len(before[0][0])
        needed = sorted({row // outputs for row in rows})
        if rows != [g * outputs + n for g in needed for n in range(outputs)]:
            raise Refuted(f"{where}: a group lost some of its channels")
        if inputs != [g * own + n for g in needed for n in range(own)]:
            raise Refuted(f"{where}: it needs channels that went")
        if after != [before[row] for row in rows] or found != [bias[row] for row in rows]:
            raise Refuted(f"{where}: its weights changed")

    def _dense(
        self,
        op: Accumulate,
        before: tuple[list[list[list[Any]]], list[Any]],
        after: tuple[list[list[list[Any]]], list[Any]],
        kept: tuple[list[int], list[int]],
        *,
        fold_first: bool,
    ) -> str | None:
        """Fault of a product of all channels, if what goes into the bias comes first or last."""
        (filter, bias), (rows, inputs), quantised = before, kept, op.quantised
        zeros = (0, 0) if quantised is None else (quantised.input_zero_point, quantised.filter_zero_point)
        taps = reach_of(op)
        for number, row in enumerate(rows):
            weights = [[weight - zeros[1] for weight in tap] for tap in filter[row]]
            total = bias[row]
            for channel, record in self.gone.get(op.input, {}).items():
                column = [tap[channel] if inside else 0 for tap, (inside, _) in zip(weights, taps, strict=True)]
                if not any(column):
                    continue
                known = self._facts.value(op.input, channel)
                crosses = any(weight and outside for weight, (_, outside) in zip(column, taps, strict=True))
                folds = known is not None and (known == zeros[0] or (not crosses and quantised is not None))
                twin = record.twin if quantised is not None else -1
                if folds and (fold_first or twin < 0):
                    assert known is not None, "folds what is constant"
                    total += sum(column) * (known - zeros[0])
                elif twin >= 0:
                    for tap, weight in zip(weights, column, strict=True):
                        tap[twin] += weight
                else:
                    return f"channel {channel} of its input is read, and went"
            expected = [[tap[channel] + zeros[1] for channel in inputs] for tap in weights]
            inside = [one for one, _ in taps]
            got = after[0][number]
            if any(a != b for a, b, is_in in zip(expected, got, inside, strict=True) if is_in):
                return f"weights of output channel {row} are other ones"
            if total != after[1][number]:
                return f"the bias of output channel {row} is {after[1][number]}, not {total}"
        return None


def _operations(block: Block) -> list[Operation]:
    """Operations of a block; constants aside."""
    return [op for op in block.ops if not isinstance(op, ConstantOp)]
