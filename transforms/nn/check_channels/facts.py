"""Facts of channels: values, and which are equal: one channel at a time, from the operators that it comes from."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i1
from xdsl.ir import Operation, OpResult, SSAValue

from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.activation import ClampOp, RescaledBySign, TableOp
from ....dialects.nn.attributes import ClampAttr, ints
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.conv import Conv2DOp, DepthwiseConv2DOp
from ....dialects.nn.element_functions import Binary, BinaryOp
from ....dialects.nn.elementwise import AddOp, Arithmetic, MulOp, SubOp
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import ByChannel, Elementwise, HasRanges, element_type_of, shape_of
from ....dialects.nn.matmul import FullyConnectedOp
from ....dialects.nn.movement import Movement
from ....dialects.nn.pooling import AveragePool2DOp, MaxPool2DOp
from ....dialects.nn.quantise import DequantizeOp, QuantizeOp, RescaleOp
from ....dialects.nn.ranges import Ranges
from ....dialects.nn.reduction import MeanOp, ReduceSumOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.transpose_conv import TransposeConv2DOp
from .reading import (
    array_of,
    channels_of,
    equal_arrays,
    factor_of,
    filter_of,
    groups_of,
    moved,
    numbered,
    reach_of,
    spot_of,
)
from .rules import RANGED, ranged
from .scaling import Range, clamped, of_sums, requantised, rescaled


@dataclass
class Facts:
    """Facts of the channels of one function without removals."""

    _ranges: dict[tuple[SSAValue, int], Range] = field(default_factory=dict[tuple[SSAValue, int], Range])
    _equal: dict[tuple[SSAValue, int, int], bool] = field(default_factory=dict[tuple[SSAValue, int, int], bool])
    _maps: dict[Operation, list[npt.NDArray[Any]]] = field(default_factory=dict[Operation, list[npt.NDArray[Any]]])

    def value(self, value: SSAValue, channel: int) -> int | None:
        """The only value that a channel has; of reals 0 alone."""
        if not isinstance(element_type_of(value), IntegerType):
            return 0 if self.is_zero(value, channel) else None
        least, most = self.range(value, channel)
        return least if least == most else None

    def is_zero(self, value: SSAValue, channel: int) -> bool:
        """Whether a channel of reals is 0 in every run."""
        return self._reals(value, channel) == (0, 0)

    def _reals(self, value: SSAValue, channel: int) -> tuple[float, float] | None:
        """Least and most of a channel of reals, of which the signs are exact; None for anything, and for no number."""
        op, made = value.owner, None
        if isinstance(op, Accumulate) and op.quantised is None and op.hybrid is None:
            if not any(weight for tap in filter_of(op)[channel] for weight in tap):
                number = 0.0 if op.bias is None else float(array_of(op.bias)[channel])
                made = number, number
        elif isinstance(op, DequantizeOp):
            least, most = self.range(op.input, channel)
            made = float(least - op.zero_point.value.data), float(most - op.zero_point.value.data)
        elif isinstance(op, ClampOp):
            made = self._reals(op.input, channel)
        elif isinstance(op, Movement | ReshapeOp) and isinstance(value, OpResult):
            every = [self._reals(*source) for source in self._sources(op, channel, value.index)]
            if isinstance(op, Movement) and self._filled(op, channel, value.index):
                every.append((float(op.fill), float(op.fill)))
            known = [one for one in every if one is not None]
            if len(known) == len(every) > 0:
                made = min(least for least, _ in known), max(most for _, most in known)
        clamp = op.clamp if isinstance(op, Accumulate | ClampOp) else None
        if made is None or clamp is None:
            return made
        least, most = (min(max(end, clamp.bounds[0]), clamp.bounds[1]) for end in made)
        return least, most

    def range(self, value: SSAValue, channel: int) -> Range:
        """Least and most of a channel of integers."""
        key = value, channel
        if key not in self._ranges:
            self._ranges[key] = self._range(value, channel)
        return self._ranges[key]

    def _range(self, value: SSAValue, channel: int) -> Range:
        op, element = value.owner, element_type_of(value)
        everything = integer_range(element)
        if element == i1:
            return everything
        if isinstance(op, QuantizeOp):
            number = op.zero_point.value.data
            return (number, number) if self.is_zero(op.input, channel) else everything
        if isinstance(op, ConstantOp):
            column = array_of(value).reshape(-1, channels_of(value))[:, channel].tolist()
            return min(column), max(column)
        if isinstance(op, Accumulate):
            return self._sums(op, channel)
        if isinstance(op, AveragePool2DOp | MaxPool2DOp):
            return clamped(self.range(op.input, channel), op.clamp)
        if isinstance(op, ClampOp):
            return clamped(self.range(op.input, channel), op.clamp)
        if isinstance(op, RescaleOp):
            least, most = self.range(op.input, channel)
            zero = ints(op.zero_points)
            return requantised((least - zero[0], most - zero[0]), op.rescale, 0, zero[1], op.clamp)
        if isinstance(op, RANGED):
            return ranged(op, channel, self.range)
        if isinstance(op, AddOp | SubOp | MulOp) and op.quantised is not None:
            return self._arithmetic(op, channel)
        if isinstance(op, MeanOp | ReduceSumOp) and op.quantised is not None and op.keeps_channels():
            least, most = self.range(op.input, channel)
            zero, count = op.quantised.zero_points, math.prod(shape_of(op.input)) // math.prod(shape_of(op.output))
            ends = (least - zero[0]) * count, (most - zero[0]) * count
            return requantised(ends, op.quantised.rescale, 0, zero[1], op.quantised.clamp)
        if isinstance(op, Movement) and op.channel_moves() is None:
            return everything
        if isinstance(op, Movement | ReshapeOp):
            assert isinstance(value, OpResult), "made by an operation"
            ranges = [self.range(*source) for source in self._sources(op, channel, value.index)]
            if isinstance(op, Movement) and self._filled(op, channel, value.index):
                ranges.append((int(op.fill), int(op.fill)))
            return min(one for one, _ in ranges), max(other for _, other in ranges)
        if isinstance(op, HasRanges) and not op.name.startswith("nn."):
            assert isinstance(value, OpResult), "made by an operation"
            return self._foreign(op, value.index, channel)
        if not isinstance(op, Arithmetic | RescaledBySign) or op.quantised is None:
            return everything
        return clamped(everything, op.quantised.clamp)

    def stays_within(self, value: SSAValue, bounds: ClampAttr) -> bool:
        """Whether all channels of a value of integers stay within bounds."""
        if not bounds.is_integer or not isinstance(element_type_of(value), IntegerType):
            return False
        ends = [self.range(value, channel) for channel in range(channels_of(value))]
        least, most = bounds.bounds
        return all(least <= one and other <= most for one, other in ends)

    def is_part(self, op: TableOp, entries: DenseArrayBase) -> bool:
        """Whether a table of some of the entries has those for all elements that can be."""
        begin, some = op.least - integer_range(element_type_of(op.input))[0], ints(op.values)
        bounds = ClampAttr.get(op.least, op.least + len(some) - 1)
        return some == ints(entries)[begin : begin + len(some)] and self.stays_within(op.input, bounds)

    def same_operand(self, op: ClampOp | BinaryOp) -> SSAValue | None:
        """The operand that equals the result in every run: no constant, and of its type."""
        found = [one for one in op.operands if one.type == op.results[0].type and not isinstance(one.owner, ConstantOp)]
        return next((one for one in found if self._equals(op, one)), None)

    def _equals(self, op: ClampOp | BinaryOp, operand: SSAValue) -> bool:
        if isinstance(op, ClampOp):
            return self.stays_within(operand, op.clamp)
        if op.function.data not in (Binary.MAXIMUM, Binary.MINIMUM) or not isinstance(
            element_type_of(op.output), IntegerType
        ):
            return False
        other = op.rhs if operand is op.lhs else op.lhs
        for channel in range(channels_of(op.output)):
            own, beside = (self.range(one, channel if channels_of(one) > 1 else 0) for one in (operand, other))
            above, below = (own, beside) if op.function.data == Binary.MAXIMUM else (beside, own)
            if above[0] < below[1]:
                return False
        return True

    def _foreign(self, op: HasRanges, result: int, channel: int) -> Range:
        """Facts that an operation of another package states itself: nobody else knows them."""
        if not all(isinstance(element_type_of(operand), IntegerType) for operand in op.operands):
            return integer_range(element_type_of(op.results[result]))
        every = [[self.range(operand, n) for n in range(channels_of(operand))] for operand in op.operands]
        found = op.ranges([Ranges(*np.array(each, np.int64).T) for each in every])[result]
        return int(found.least[channel]), int(found.most[channel])

    def _arithmetic(self, op: AddOp | SubOp | MulOp, channel: int) -> Range:
        quantised = op.quantised
        assert quantised is not None, "asked for quantised elements"
        ends: list[Range] = []
        for operand, zero in zip(op.operands, quantised.zero_points, strict=False):
            least, most = self.range(operand, channel if channels_of(operand) > 1 else 0)
            ends.append((least - zero, most - zero))
        if isinstance(op, MulOp):
            products = [a * b for a in ends[0] for b in ends[1]]
            ends_of_all = min(products), max(products)
            return requantised(ends_of_all, quantised.rescale, 0, quantised.zero_points[2], op.clamp)
        scaled: list[Range] = []
        for number, (least, most) in enumerate(ends):
            made = [rescaled(end * quantised.headroom, quantised.rescale, number) for end in (least, most)]
            if None in made:
                return clamped(integer_range(element_type_of(op.output)), op.clamp)
            scaled.append((made[0] or 0, made[1] or 0))
        (a, b), (c, d) = scaled
        total = (a + c, b + d) if isinstance(op, AddOp) else (a - d, b - c)
        return requantised(total, quantised.rescale, 2, quantised.zero_points[2], op.clamp)

    def _sums(self, op: Accumulate, channel: int) -> Range:
        quantised = op.quantised
        if quantised is None:
            return integer_range(element_type_of(op.output))
        anything = clamped(integer_range(element_type_of(op.output)), op.clamp)
        is_known = isinstance(op, Conv2DOp | DepthwiseConv2DOp | FullyConnectedOp | TransposeConv2DOp)
        if not is_known or not isinstance(op.filter.owner, ConstantOp):
            return anything
        if op.bias is not None and not isinstance(op.bias.owner, ConstantOp):
            return anything
        start = 0 if op.bias is None else int(array_of(op.bias)[channel])
        filter, least, most = filter_of(op)[channel], start, start
        group = channel * groups_of(op) // channels_of(op.output)
        ends = [self.range(op.input, group * len(filter[0]) + n) for n in range(len(filter[0]))]
        steps = [(a - quantised.input_zero_point, b - quantised.input_zero_point) for a, b in ends]
        for tap, (inside, outside) in zip(filter, reach_of(op), strict=True):
            if not inside:
                continue
            low = high = 0
            for weight, (a, b) in zip(tap, steps, strict=True):
                w = weight - quantised.filter_zero_point
                low, high = (low + w * a, high + w * b) if w >= 0 else (low + w * b, high + w * a)
            least += min(low, 0) if outside else low
            most += max(high, 0) if outside else high
        return of_sums((least, most), quantised, channel, op)

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
            array = array_of(value)
            return equal_arrays(array[..., first], array[..., second])
        if isinstance(op, Accumulate):
            filter, count = filter_of(op), channels_of(op.output)
            bias = None if op.bias is None else array_of(op.bias)
            groups = [number * groups_of(op) // count for number in (first, second)]
            inputs = len(filter[0][0])
            return (
                filter[first] == filter[second]
                and (bias is None or bias[first] == bias[second])
                and (op.rescale is None or factor_of(op.rescale, first) == factor_of(op.rescale, second))
                and all(self.equal(op.input, *(group * inputs + n for group in groups)) for n in range(inputs))
            )
        if isinstance(op, Elementwise):
            return all(channels_of(operand) == 1 or self.equal(operand, first, second) for operand in op.operands)
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
            spots = [spot_of(number - 1, op.operands, sizes) for number in (one, other)]
            if spots[0][:2] != spots[1][:2]:
                return False
            pairs.add((spots[0][0], spots[0][2], spots[1][2]))
        return all(self.equal(op.operands[operand], a, b) for operand, a, b in pairs)

    def _map(self, op: Operation) -> list[npt.NDArray[Any]]:
        """For each result element, the operand element that it is, counted from 1; 0 for filled ones."""
        if op not in self._maps:
            made = zip(moved(op, numbered(op)), op.results, strict=True)
            self._maps[op] = [places.reshape(-1, channels_of(result)) for places, result in made]
        return self._maps[op]

    def _sources(self, op: Operation, channel: int, result: int = 0) -> set[tuple[SSAValue, int]]:
        """Which channels the elements of a channel come from."""
        sizes = [math.prod(shape_of(operand)) for operand in op.operands]
        spots = (
            spot_of(number - 1, op.operands, sizes)
            for number in set(self._map(op)[result][..., channel].reshape(-1).tolist())
            if number
        )
        return {(op.operands[operand], source) for operand, _, source in spots}

    def _filled(self, op: Operation, channel: int, result: int) -> bool:
        return bool((self._map(op)[result][..., channel] == 0).any())
