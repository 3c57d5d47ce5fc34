"""Judge again what `nn-channels` removed, with plain integers and none of its code.

Ranges are computed one channel at a time, from the operators that a removed channel comes from. Every operator with
fewer channels must compute for those that stay what it computed before: the same weights, and what went in its bias.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType, i16, i64
from xdsl.ir import Block, Operation, OpResult, SSAValue

from ...dialects import nn_keys
from ...dialects.fx import fixed_point
from ...dialects.nn.accumulate import Accumulate, QuantisedSums
from ...dialects.nn.activation import ClampOp, TableOp
from ...dialects.nn.attributes import RescaleAttr, ints
from ...dialects.nn.constant import ConstantOp
from ...dialects.nn.conv import Conv2DOp, Convolution, DepthwiseConv2DOp
from ...dialects.nn.elementwise import AddOp, MulOp, SubOp
from ...dialects.nn.interfaces import ByChannel, Elementwise, element_type_of, shape_of
from ...dialects.nn.matmul import FullyConnectedOp
from ...dialects.nn.movement import Movement
from ...dialects.nn.pooling import AveragePool2DOp, MaxPool2DOp
from ...dialects.nn.quantise import RescaleOp
from ...dialects.nn.quantised import integer_range
from ...dialects.nn.reduction import MeanOp, ReduceSumOp
from ...dialects.nn.removed import Removal
from ...dialects.nn.rounding import Rounding
from ...dialects.nn.shape import ReshapeOp
from ...dialects.nn.transpose_conv import TransposeConv2DOp

Range = tuple[int, int]

MOST_MOVED = 1 << 22
"""Elements of a movement that are followed one by one."""


class Refuted(Exception):
    """A removal that is not shown to be right; says which and why."""


def check_channels(before: ModuleOp, after: ModuleOp) -> int:
    """Judge what `nn-channels` made of a module.

    Args:
        before: the module without the pass.
        after: with it, and its records.

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
    _ranges: dict[tuple[SSAValue, int], Range] = field(default_factory=dict[tuple[SSAValue, int], Range])
    _equal: dict[tuple[SSAValue, int, int], bool] = field(default_factory=dict[tuple[SSAValue, int, int], bool])

    @cached_property
    def counterparts(self) -> dict[SSAValue, SSAValue]:
        """What became of each value that is no constant."""
        pairs: list[tuple[SSAValue, SSAValue]] = list(zip(self.old.args, self.new.args, strict=True))
        for old, new in self._pairs():
            pairs += zip(old.results, new.results, strict=True)
        return dict(pairs)

    @cached_property
    def gone(self) -> dict[SSAValue, dict[int, Removal]]:
        """The removed channels of each value."""
        found: dict[SSAValue, dict[int, Removal]] = {}
        for old, new in self._pairs():
            records = nn_keys.REMOVED.get(new.attributes) or ()
            for result, record in zip(old.results, records, strict=False):
                total = record.total.data
                if total != _channels(result):
                    raise Refuted(f"{_name(old)}: the record is of {total} channels, not {_channels(result)}")
                found[result] = {one.channel: one for one in record.removals}
        return found

    def _pairs(self) -> Iterator[tuple[Operation, Operation]]:
        lists = [[op for op in block.ops if not isinstance(op, ConstantOp)] for block in (self.old, self.new)]
        if [op.name for op in lists[0]] != [op.name for op in lists[1]]:
            raise Refuted("there are other operators")
        return zip(*lists, strict=True)

    def run(self) -> int:
        """Judge everything; gives how many channels went."""
        for value, removals in self.gone.items():
            for one in removals.values():
                self._judge_record(value, one)
        for old, new in self._pairs():
            self._judge_operator(old, new)
        return sum(map(len, self.gone.values()))

    def kept(self, value: SSAValue) -> list[int]:
        """The channels of a value that stay."""
        gone = self.gone.get(value, {})
        return [channel for channel in range(_channels(value)) if channel not in gone]

    def _judge_record(self, value: SSAValue, one: Removal) -> None:
        where = f"{_name(value.owner)} channel {one.channel}"
        if isinstance(element_type_of(value), IntegerType):
            least, most = self.range(value, one.channel)
            if (least, most) != (one.least, one.most):
                raise Refuted(f"{where}: it is {least} to {most}, the record says {one.least} to {one.most}")
        elif one.least <= one.most and not (one.least == one.most == 0 and self.is_zero(value, one.channel)):
            raise Refuted(f"{where}: it is not shown to be 0")
        if one.twin >= 0 and (one.twin not in self.kept(value) or not self.equal(value, one.channel, one.twin)):
            raise Refuted(f"{where}: it is not shown to be channel {one.twin}")

    def _judge_operator(self, old: Operation, new: Operation) -> None:
        where = _name(old)
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
        if old.properties != new.properties:
            raise Refuted(f"{_name(old)}: its properties changed")
        for before, after in zip(old.operands, new.operands, strict=True):
            if isinstance(before.owner, ConstantOp) and not _same_constant(before, after):
                raise Refuted(f"{_name(old)}: a constant changed")

    def _judge_by_channel(self, old: Operation, new: Operation) -> None:
        if isinstance(old, ByChannel) and not old.keeps_channels():
            raise Refuted(f"{_name(old)}: it mixes channels")
        if old.properties != new.properties:
            raise Refuted(f"{_name(old)}: its properties changed")
        kept = self.kept(old.results[0])
        for before, after in zip(old.operands, new.operands, strict=True):
            width = _channels(before)
            if isinstance(before.owner, ConstantOp):
                chosen = _array(before)[..., kept] if width == _channels(old.results[0]) > 1 else _array(before)
                if not _equal_arrays(chosen, _array(after)):
                    raise Refuted(f"{_name(old)}: a constant changed")
            elif self.kept(before) != (kept if width > 1 or _channels(old.results[0]) == 1 else [0]):
                raise Refuted(f"{_name(old)}: it needs channels that went")

    def _judge_moved(self, old: Operation, new: Operation) -> None:
        """Number all elements, and move the numbers both ways."""
        if sum(math.prod(shape_of(result)) for result in old.results) > MOST_MOVED:
            raise Refuted(f"{_name(old)}: it has too many elements to follow")
        numbers: list[npt.NDArray[Any]] = []
        first = 1
        for operand in old.operands:
            size = math.prod(shape_of(operand))
            numbers.append(np.arange(first, first + size).reshape(shape_of(operand)))
            first += size
        moved = _moved(old, numbers)
        fewer = _moved(new, [each[..., self.kept(v)] for each, v in zip(numbers, old.operands, strict=True)])
        for result, whole, part in zip(old.results, moved, fewer, strict=True):
            if not _equal_arrays(whole[..., self.kept(result)], part):
                raise Refuted(f"{_name(old)}: elements go elsewhere")

    def _judge_sums(self, old: Accumulate, new: Accumulate) -> None:
        rows, where = self.kept(old.output), _name(old)
        inputs = self.kept(old.input)
        wanted = {key: value for key, value in old.properties.items() if key != "rescale"}
        if {key: value for key, value in new.properties.items() if key != "rescale"} != wanted:
            raise Refuted(f"{where}: its properties changed")
        if not _same_factors(old.rescale, new.rescale, rows):
            raise Refuted(f"{where}: its factors changed")
        if old.hybrid is not None:
            raise Refuted(f"{where}: it cannot do with fewer channels")
        before, after = _filter(old), _filter(new)
        bias = [0] * len(before) if old.bias is None else _array(old.bias).tolist()
        found = [0] * len(rows) if new.bias is None else _array(new.bias).tolist()
        groups = _groups(old)
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
        """What is wrong with a product of all channels, if what goes into the bias comes first or last."""
        (filter, bias), (rows, inputs), quantised = before, kept, op.quantised
        zeros = (0, 0) if quantised is None else (quantised.input_zero_point, quantised.filter_zero_point)
        taps = _reach(op)
        for number, row in enumerate(rows):
            weights = [[weight - zeros[1] for weight in tap] for tap in filter[row]]
            total = bias[row]
            for channel, record in self.gone.get(op.input, {}).items():
                column = [tap[channel] if inside else 0 for tap, (inside, _) in zip(weights, taps, strict=True)]
                if not any(column):
                    continue
                known = self._value(op.input, channel)
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

    def _value(self, value: SSAValue, channel: int) -> int | None:
        """The only value that a channel has; of reals 0 alone."""
        if not isinstance(element_type_of(value), IntegerType):
            return 0 if self.is_zero(value, channel) else None
        least, most = self.range(value, channel)
        return least if least == most else None

    def is_zero(self, value: SSAValue, channel: int) -> bool:
        """Whether a channel of reals is 0 in every run."""
        op = value.owner
        if isinstance(op, Accumulate) and op.quantised is None and op.hybrid is None:
            if any(weight for tap in _filter(op)[channel] for weight in tap):
                return False
            constant = 0.0 if op.bias is None else float(_array(op.bias)[channel])
            bounds = (-math.inf, math.inf) if op.clamp is None else op.clamp.bounds
            return min(max(constant, bounds[0]), bounds[1]) == 0
        if isinstance(op, ClampOp):
            return self.is_zero(op.input, channel) and op.clamp.bounds[0] <= 0 <= op.clamp.bounds[1]
        if not isinstance(op, Movement | ReshapeOp) or not isinstance(value, OpResult):
            return False
        if isinstance(op, Movement) and self._filled(op, channel, value.index) and op.fill:
            return False
        return all(self.is_zero(*one) for one in self._sources(op, channel, value.index))

    def range(self, value: SSAValue, channel: int) -> Range:
        """Least and most of a channel of integers."""
        key = value, channel
        if key not in self._ranges:
            self._ranges[key] = self._range(value, channel)
        return self._ranges[key]

    def _range(self, value: SSAValue, channel: int) -> Range:
        op, element = value.owner, element_type_of(value)
        everything = integer_range(element)
        if isinstance(op, ConstantOp):
            column = _array(value)[..., channel].reshape(-1).tolist()
            return min(column), max(column)
        if isinstance(op, Accumulate):
            return self._sums(op, channel)
        if isinstance(op, AveragePool2DOp | MaxPool2DOp):
            return _clamped(self.range(op.input, channel), op.clamp)
        if isinstance(op, ClampOp):
            return _clamped(self.range(op.input, channel), op.clamp)
        if isinstance(op, RescaleOp):
            least, most = self.range(op.input, channel)
            zero = ints(op.zero_points)
            return _requantised((least - zero[0], most - zero[0]), op.rescale, 0, zero[1], op.clamp)
        if isinstance(op, TableOp) and element_type_of(op.input) != i16:
            least, most = self.range(op.input, channel)
            first = integer_range(element_type_of(op.input))[0]
            entries = op.array.tolist()[least - first : most - first + 1]
            return min(entries), max(entries)
        if isinstance(op, AddOp | SubOp | MulOp) and op.quantised is not None:
            return self._arithmetic(op, channel)
        if isinstance(op, MeanOp | ReduceSumOp) and op.quantised is not None and op.keeps_channels():
            least, most = self.range(op.input, channel)
            zero, count = op.quantised.zero_points, math.prod(shape_of(op.input)) // math.prod(shape_of(op.output))
            ends = (least - zero[0]) * count, (most - zero[0]) * count
            return _requantised(ends, op.quantised.rescale, 0, zero[1], op.quantised.clamp)
        if isinstance(op, Movement | ReshapeOp):
            assert isinstance(value, OpResult), "made by an operation"
            ranges = [self.range(*source) for source in self._sources(op, channel, value.index)]
            if isinstance(op, Movement) and self._filled(op, channel, value.index):
                ranges.append((int(op.fill), int(op.fill)))
            return min(one for one, _ in ranges), max(other for _, other in ranges)
        clamp = op.properties.get("clamp") if isinstance(op, Elementwise) else None
        return everything if clamp is None else _clamped(everything, clamp)

    def _arithmetic(self, op: AddOp | SubOp | MulOp, channel: int) -> Range:
        quantised = op.quantised
        assert quantised is not None, "asked for quantised elements"
        ends: list[Range] = []
        for operand, zero in zip(op.operands, quantised.zero_points, strict=False):
            least, most = self.range(operand, channel if _channels(operand) > 1 else 0)
            ends.append((least - zero, most - zero))
        if isinstance(op, MulOp):
            products = [a * b for a in ends[0] for b in ends[1]]
            ends_of_all = min(products), max(products)
            return _requantised(ends_of_all, quantised.rescale, 0, quantised.zero_points[2], op.clamp)
        scaled: list[Range] = []
        for number, (least, most) in enumerate(ends):
            made = [_rescaled(end * quantised.headroom, quantised.rescale, number) for end in (least, most)]
            if None in made:
                return _clamped(integer_range(element_type_of(op.output)), op.clamp)
            scaled.append((made[0] or 0, made[1] or 0))
        (a, b), (c, d) = scaled
        total = (a + c, b + d) if isinstance(op, AddOp) else (a - d, b - c)
        return _requantised(total, quantised.rescale, 2, quantised.zero_points[2], op.clamp)

    def _sums(self, op: Accumulate, channel: int) -> Range:
        quantised = op.quantised
        if quantised is None:
            return integer_range(element_type_of(op.output))
        anything = _clamped(integer_range(element_type_of(op.output)), op.clamp)
        is_known = isinstance(op, Conv2DOp | DepthwiseConv2DOp | FullyConnectedOp | TransposeConv2DOp)
        if not is_known or not isinstance(op.filter.owner, ConstantOp):
            return anything
        if op.bias is not None and not isinstance(op.bias.owner, ConstantOp):
            return anything
        start = 0 if op.bias is None else int(_array(op.bias)[channel])
        filter, least, most = _filter(op)[channel], start, start
        group = channel * _groups(op) // _channels(op.output)
        ends = [self.range(op.input, group * len(filter[0]) + n) for n in range(len(filter[0]))]
        steps = [(a - quantised.input_zero_point, b - quantised.input_zero_point) for a, b in ends]
        for tap, (inside, outside) in zip(filter, _reach(op), strict=True):
            if not inside:
                continue
            low = high = 0
            for weight, (a, b) in zip(tap, steps, strict=True):
                w = weight - quantised.filter_zero_point
                low, high = (low + w * a, high + w * b) if w >= 0 else (low + w * b, high + w * a)
            least += min(low, 0) if outside else low
            most += max(high, 0) if outside else high
        return _of_sums((least, most), quantised, channel, op)

    def equal(self, value: SSAValue, first: int, second: int) -> bool:
        """Whether two channels of a value hold equal elements in every run."""
        key = value, first, second
        if first == second:
            return True
        if key not in self._equal:
            self._equal[key] = self._same(value, first, second)
        return self._equal[key]

    def _same(self, value: SSAValue, first: int, second: int) -> bool:
        op = value.owner
        if isinstance(op, ConstantOp):
            array = _array(value)
            return _equal_arrays(array[..., first], array[..., second])
        if isinstance(op, Accumulate):
            filter, count = _filter(op), _channels(op.output)
            bias = None if op.bias is None else _array(op.bias)
            groups = [number * _groups(op) // count for number in (first, second)]
            inputs = len(filter[0][0])
            return (
                filter[first] == filter[second]
                and (bias is None or bias[first] == bias[second])
                and (op.rescale is None or _factor(op.rescale, first) == _factor(op.rescale, second))
                and all(self.equal(op.input, *(group * inputs + n for group in groups)) for n in range(inputs))
            )
        if isinstance(op, Elementwise):
            return all(_channels(operand) == 1 or self.equal(operand, first, second) for operand in op.operands)
        if isinstance(op, ByChannel):
            return op.keeps_channels() and self.equal(op.operands[0], first, second)
        if isinstance(op, Movement | ReshapeOp):
            return self._same_moved(op, value, first, second)
        return False

    def _same_moved(self, op: Operation, value: SSAValue, first: int, second: int) -> bool:
        """Element by element: from the same place of channels that are equal."""
        assert isinstance(value, OpResult), "made by an operation"
        places = self._map(op)[value.index]
        found = set(zip(places[..., first].reshape(-1).tolist(), places[..., second].reshape(-1).tolist(), strict=True))
        sizes = [math.prod(shape_of(operand)) for operand in op.operands]
        pairs: set[tuple[int, int, int]] = set()
        for one, other in found:
            if one == other:
                continue
            if 0 in (one, other):
                return False
            spots = [_spot(number - 1, op.operands, sizes) for number in (one, other)]
            if spots[0][:2] != spots[1][:2]:
                return False
            pairs.add((spots[0][0], spots[0][2], spots[1][2]))
        return all(self.equal(op.operands[operand], a, b) for operand, a, b in pairs)

    def _map(self, op: Operation) -> list[npt.NDArray[Any]]:
        """Of each result element, which operand element it is, counted from 1; 0 of filled ones."""
        if op not in self._maps:
            numbers: list[npt.NDArray[Any]] = []
            first = 1
            for operand in op.operands:
                size = math.prod(shape_of(operand))
                numbers.append(np.arange(first, first + size).reshape(shape_of(operand)))
                first += size
            self._maps[op] = _moved(op, numbers)
        return self._maps[op]

    _maps: dict[Operation, list[npt.NDArray[Any]]] = field(default_factory=dict[Operation, list[npt.NDArray[Any]]])

    def _sources(self, op: Operation, channel: int, result: int = 0) -> set[tuple[SSAValue, int]]:
        """Which channels the elements of a channel come from."""
        sizes = [math.prod(shape_of(operand)) for operand in op.operands]
        spots = (
            _spot(number - 1, op.operands, sizes)
            for number in set(self._map(op)[result][..., channel].reshape(-1).tolist())
            if number
        )
        return {(op.operands[operand], source) for operand, _, source in spots}

    def _filled(self, op: Operation, channel: int, result: int) -> bool:
        return bool((self._map(op)[result][..., channel] == 0).any())


def _spot(number: int, operands: Sequence[SSAValue], sizes: Sequence[int]) -> tuple[int, int, int]:
    """Operand, pixel and channel of an element."""
    for operand, size in enumerate(sizes):
        if number < size:
            return operand, *divmod(number, _channels(operands[operand]))
        number -= size
    raise AssertionError("elements are those of operands")


def _moved(op: Operation, numbers: list[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    if isinstance(op, ReshapeOp):
        return [numbers[0].reshape(shape_of(op.output))]
    assert isinstance(op, Movement), "asked for movements"
    filled = [box for box in op.boxes() if box.source is None]
    moved = [each.reshape(-1).copy() for each in op.fold(numbers)]
    for box in filled:
        index = np.indices(box.extents).reshape(len(box.extents), -1)
        moved[box.result][box.target.offset + np.array(box.target.strides, np.int64) @ index] = 0
    return [each.reshape(shape_of(result)) for each, result in zip(moved, op.results, strict=True)]


def _channels(value: SSAValue) -> int:
    shape = shape_of(value) if isinstance(value.type, TensorType) else ()
    return shape[-1] if shape else 1


def _array(value: SSAValue) -> npt.NDArray[Any]:
    if not isinstance(value.owner, ConstantOp):
        raise Refuted("a constant became something else")
    return value.owner.array


def _equal_arrays(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    return one.shape == other.shape and bool((one == other).all())


def _same_constant(one: SSAValue, other: SSAValue) -> bool:
    return element_type_of(one) == element_type_of(other) and _equal_arrays(_array(one), _array(other))


def _name(op: Operation | Block) -> str:
    if isinstance(op, Block):
        return "an argument"
    origin = nn_keys.ORIGIN.get(op.attributes)
    return op.name if origin is None else f"{op.name} (index {origin.index.data}, {origin.tensor.data})"


def _factor(rescale: RescaleAttr, channel: int) -> tuple[int, int]:
    number = channel if rescale.is_per_channel else 0
    return rescale.multipliers[number], rescale.shifts[number]


def _same_factors(old: RescaleAttr | None, new: RescaleAttr | None, rows: Sequence[int]) -> bool:
    if old is None or new is None:
        return old is new
    same = [_factor(old, row) == _factor(new, number) for number, row in enumerate(rows)]
    return old.rounding is new.rounding and all(same)


def _groups(op: Accumulate) -> int:
    if isinstance(op, DepthwiseConv2DOp):
        return shape_of(op.input)[3]
    return shape_of(op.input)[3] // shape_of(op.filter)[3] if isinstance(op, Conv2DOp) else 1


def _filter(op: Accumulate) -> list[list[list[Any]]]:
    """Weights by output channel, tap and input channel of the group."""
    array = _array(op.filter)
    if isinstance(op, FullyConnectedOp):
        return array[:, None, :].tolist()
    if isinstance(op, DepthwiseConv2DOp):
        _, rows, columns, outputs = array.shape
        return array.reshape(rows * columns, outputs).T[:, :, None].tolist()
    outputs, rows, columns, inputs = array.shape
    return array.reshape(outputs, rows * columns, inputs).tolist()


def _reach(op: Accumulate) -> list[tuple[bool, bool]]:
    """Of each tap, whether it ever lies inside and ever outside of the input."""
    if isinstance(op, FullyConnectedOp):
        return [(True, False)]
    kernel = shape_of(op.filter)[1:3]
    if not isinstance(op, Convolution):
        return [(True, True)] * math.prod(kernel)
    places: list[list[tuple[bool, bool]]] = []
    for d in range(2):
        extent, stride, dilation = shape_of(op.input)[1 + d], ints(op.strides)[d], ints(op.dilations)[d]
        before, results = ints(op.pads)[2 * d], shape_of(op.output)[1 + d]
        spots = [[y * stride + k * dilation - before for y in range(results)] for k in range(kernel[d])]
        places.append([(any(0 <= p < extent for p in one), any(not 0 <= p < extent for p in one)) for one in spots])
    return [(a and c, b or d) for a, b in places[0] for c, d in places[1]]


def _clamped(ends: Range, clamp: Any) -> Range:
    if clamp is None:
        return ends
    lower, upper = clamp.bounds
    return min(max(ends[0], lower), upper), min(max(ends[1], lower), upper)


def _fits(value: int) -> bool:
    return fixed_point.INT32_MIN <= value <= fixed_point.INT32_MAX


def _rescaled(value: int, factors: RescaleAttr, number: int) -> int | None:
    """A product with a factor; None where a word of 32 bits would not hold it."""
    multiplier, shift = _factor(factors, number)
    if not _fits(value):
        return None
    if factors.rounding is Rounding.REAL:
        return fixed_point.rescale_real(value, multiplier, shift)
    if factors.rounding is Rounding.SINGLE:
        found = fixed_point.rescale_single(value, multiplier, shift)
        return found if _fits(found) else None
    return fixed_point.rescale(value, multiplier, shift) if _fits(value << max(shift, 0)) else None


def _wide(value: int, factors: RescaleAttr, number: int) -> int | None:
    multiplier, shift = _factor(factors, number)
    short = 0x7FFF if multiplier >= 0x7FFF0000 else (multiplier + (1 << 15)) >> 16
    right = 15 - shift
    found = (value * short + (1 << (right - 1))) >> right
    return found if abs(value) < 1 << 47 and _fits(found) else None


def _to_element(ends: Sequence[int | None], zero_point: int, clamp: Any) -> Range:
    known = [end + zero_point for end in ends if end is not None and _fits(end + zero_point)]
    if len(known) < 2:
        return int(clamp.bounds[0]), int(clamp.bounds[1])
    return _clamped((known[0], known[1]), clamp)


def _requantised(ends: Range, factors: RescaleAttr, number: int, zero_point: int, clamp: Any) -> Range:
    return _to_element([_rescaled(end, factors, number) for end in ends], zero_point, clamp)


def _of_sums(ends: Range, quantised: QuantisedSums, channel: int, op: Accumulate) -> Range:
    factor, zero_point, clamp = quantised.factor, quantised.output_zero_point, quantised.clamp
    if isinstance(factor, RescaleAttr):
        rule = _wide if quantised.accumulator == i64 else _rescaled
        return _to_element([rule(end, factor, channel) for end in ends], zero_point, clamp)
    if not all(map(_fits, ends)) or not 0 <= factor < 2.0**31:
        return int(clamp.bounds[0]), int(clamp.bounds[1])
    reals = [end * factor for end in ends]
    return _to_element(sorted(map(_half_away, reals)), zero_point, clamp)


def _half_away(real: float) -> int:
    whole = math.trunc(real)
    return whole + (int(math.copysign(1, real)) if abs(real - whole) >= 0.5 else 0)
