"""Channels that a product needs of its input, and its weights and bias without the rest.

A channel is not needed if its weights are the zero point, if it has one value, which the bias takes, or if another one
that stays holds the same elements, whose weights take its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import auto
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import i32
from xdsl.utils.str_enum import StrEnum

from ....dialects.fx.fixed_point_arrays import Truths
from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.ranges import Ranges
from ....dialects.nn.taps import Taps
from .links import Channels

NIBBLE = -8, 7
"""Range of four bits: weights within it stay so."""


class Reason(StrEnum):
    """Why a channel goes."""

    CONSTANT = auto()
    UNUSED = auto()
    TWIN = auto()


EVERY_REASON = tuple(Reason)


def _anywhere(weights: Truths) -> Truths:
    """For each input channel, whether something holds for one of its weights."""
    outputs, taps, inputs = weights.shape
    return np.logical_or.reduce(weights.reshape(outputs * taps, inputs), axis=0)


@dataclass(frozen=True)
class Product:
    """A convolution or matrix product without groups, and what is known of its input."""

    taps: Taps
    bias: npt.NDArray[np.int64] | None
    """None of floats, whose sums are rounded."""
    zero_points: tuple[int, int]
    """Zero points of input and filter."""
    limits: tuple[int, int]
    """Least and largest weight that may be written."""
    most: int
    """The largest bias."""
    input: Ranges
    numbers: Channels
    reasons: Sequence[Reason]

    @staticmethod
    def of(op: Accumulate, input: Ranges, numbers: Channels, reasons: Sequence[Reason]) -> Product:
        """Return the product of an operation that has links."""
        taps, quantised = op.taps(), op.quantised
        assert taps is not None, "has links"
        if quantised is None:
            return Product(taps, None, (0, 0), (0, 0), 0, input, numbers, reasons)
        bias = np.zeros(taps.weights.shape[0], np.int64)
        if op.bias is not None:
            assert isinstance(op.bias.owner, ConstantOp), "has links"
            bias = op.bias.owner.array.astype(np.int64)
        limits = integer_range(element_type_of(op.filter))
        if limits[0] < 0:
            # Symmetric weights stay so: kernels of others count on it.
            limits = max(limits[0], min(int(taps.weights.min()), -limits[1])), limits[1]
        if limits[0] <= NIBBLE[0] and ((taps.weights >= NIBBLE[0]) & (taps.weights <= NIBBLE[1])).all():
            limits = NIBBLE
        zero_points = quantised.input_zero_point, quantised.filter_zero_point
        most = (1 << (quantised.accumulator.width.data - 1)) - 1 if quantised.accumulator == i32 else 1 << 53
        return Product(taps, bias, zero_points, limits, most, input, numbers, reasons)

    def needs(self, kept: Truths, rows: Truths) -> Truths:
        """Which input channels must stay, of which some are `kept` in any case, for some of the output channels."""
        read = self._read(rows)
        if Reason.UNUSED not in self.reasons:
            read = np.ones_like(read)
        needed = read & ~self._foldable(rows)
        if self.bias is None or Reason.TWIN not in self.reasons:
            return needed
        for first, others in self._classes(kept, needed):
            sums = self._weights(first, rows)
            for other in others:
                if kept[other]:
                    # Its weights stay its own.
                    continue
                both = sums + self._weights(other, rows)
                written = both + self.zero_points[1]
                if written.min(initial=0) >= self.limits[0] and written.max(initial=0) <= self.limits[1]:
                    sums, needed[other] = both, False
        return needed

    def without(self, kept: Truths, rows: Truths) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64] | None]:
        """Weights [output channels, taps, input channels] and bias of the rows and channels that stay."""
        if self.bias is None:
            return self.taps.weights[rows][:, :, kept], None
        zero = self.zero_points[1]
        weights = self.taps.weights.astype(np.int64) - zero
        gone = ~kept & self._read(rows)
        folded = gone & self._foldable(rows)
        bias = self.bias + self._contributions(folded).sum(axis=1)
        for first, others in self._classes(kept, gone & ~folded):
            for other in others:
                if not kept[other]:
                    weights[:, :, first] += weights[:, :, other]
        return weights[rows][:, :, kept] + zero, bias[rows]

    def _weights(self, channel: int, rows: Truths) -> npt.NDArray[np.int64]:
        return self.taps.weights[rows][:, :, channel].astype(np.int64) - self.zero_points[1]

    def _nonzero(self) -> Truths:
        return (self.taps.weights != self.zero_points[1]) & self.taps.inside[:, None]

    def _read(self, rows: Truths) -> Truths:
        return _anywhere(self._nonzero()[rows])

    def _contributions(self, channels: Truths) -> npt.NDArray[np.int64]:
        """Numbers that constant channels add to each sum, [output channels, input channels]; 0 for other channels."""
        steps = np.where(channels, self.input.least - self.zero_points[0], 0)
        inside = (self.taps.weights.astype(np.float64) - self.zero_points[1]) * self.taps.inside[:, None]
        return (inside.sum(axis=1) * steps).astype(np.int64)

    def _foldable(self, rows: Truths) -> Truths:
        """Constant channels that the bias can take: taps outside the input count as zero points."""
        if Reason.CONSTANT not in self.reasons:
            return np.zeros(len(self.numbers), np.bool_)
        if self.bias is None:
            return self.input.constant & (self.input.least == 0)
        at_zero = self.input.least == self.zero_points[0]
        at_border = _anywhere((self._nonzero() & self.taps.outside[:, None])[rows])
        found = self.input.constant & (at_zero | ~at_border)
        added = np.abs(self._contributions(found & ~at_zero)).sum(axis=1)
        if (added + np.abs(self.bias))[rows].max(initial=0) > self.most:
            return found & at_zero
        return found

    def _classes(self, kept: Truths, asked: Truths) -> list[tuple[int, list[int]]]:
        """Channels with equal elements: which takes the others' weights, and those of them that are asked for."""
        members: dict[int, list[int]] = {}
        for channel in np.flatnonzero(asked | kept).tolist():
            members.setdefault(int(self.numbers[channel]), []).append(channel)
        found: list[tuple[int, list[int]]] = []
        for same in members.values():
            if len(same) > 1:
                first = next((channel for channel in same if kept[channel]), same[0])
                found.append((first, [channel for channel in same if channel != first and asked[channel]]))
        return found
