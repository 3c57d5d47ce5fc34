"""All constants of a nest as one stream in the order of use, so that one pointer reaches them.

For each block of channels that run side by side: where their sums start, their packed weights, and what each reads at
its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np
from xdsl.dialects.builtin import i8
from xdsl.ir import SSAValue

from ....dialects.simd.rescaling import Rescaling
from ....dialects.task.domain import Linear
from ...builder import Value
from ...constants import Numbers, Use, plain_start
from ...constants.elements import Wide
from ..ending import rescaling_of
from ..point import Point
from .pack import Packed


@dataclass(frozen=True)
class Stream:
    """The constants of a nest, and where those of a channel lie in its block."""

    packed: Packed
    channel: int
    """The dimension of the channels."""
    record: int
    """Words that are there for the end of a channel."""
    places: tuple[int, ...]
    """Which of them each operand of `finish` is."""
    parts: tuple[SSAValue, ...]
    """What the nest reads in its place: where sums start, packed words, and rows of words for the end."""
    uses: tuple[Sequence[Use], ...]
    """The constants behind each of these."""

    @staticmethod
    def planned(packed: Packed, channel: int) -> Stream | None:
        """The stream that there would be; nothing changes.

        Args:
            packed: the packed weights of the nest.
            channel: the dimension of the channels.

        Returns:
            None where sums do not start from constants, one for each channel, or where the end reads anything but a
            row of constants for each channel.
        """
        nest = packed.nest
        start, ends = plain_start(nest), nest.accesses("finish_reads")
        if start is None or packed.sums is not None or dict(packed.filled) != {channel: 1}:
            return None
        rows = {access.buffer: access.type for access in ends}
        places = [place for access in ends if (place := nest.column(access, channel)) is not None]
        parts = (start.buffer, packed.words, *rows)
        uses = packed.constants.uses_of_nest(nest, parts)
        if nest.column(start, channel) != 0 or len(rows) > 1 or len(places) < len(ends) or uses is None:
            return None
        record = sum(prod(type.get_shape()[1:]) for type in rows.values())
        return Stream(packed, channel, record, tuple(places), parts, uses)

    def put(self, block: int, *, by_channel: bool = False) -> Stream:
        """Put the stream in the place of the constants that the nest reads, whose operands change.

        Args:
            block: channels that run side by side; what remains at the end is a smaller block.
            by_channel: whether all words of one channel lie side by side.
        """
        nest, constants, own = self.packed.nest, self.packed.constants, self.packed.words
        parts = [[constants.values(use) for use in uses] for uses in zip(*self.uses, strict=True)]
        made = [self._in_order(each, block, by_channel=by_channel) for each in parts]
        layout = (
            f"{self.packed.layout.text(1 if by_channel else block)}; starts, words, {self.record} for the end of each"
        )
        words = constants.replace(own, self.uses[1], made, "stream", layout)
        for buffer, uses in zip(self.parts, self.uses, strict=True):
            if buffer is own:
                continue
            for use in list(buffer.uses):
                nest.operands[use.index] = words
            constants.remove(buffer, uses)
        return replace(self, packed=replace(self.packed, words=words))

    def _in_order(self, parts: Sequence[Wide], block: int, *, by_channel: bool) -> Numbers:
        """The stream of one call."""
        bias, words, *rows = parts
        pairs, channels = self.packed.plan.pairs, self.packed.layout.channels
        if by_channel:
            # [block, word, channel of the block] becomes [channel, word], which are blocks of one channel.
            words, block = words.reshape(-1, pairs, block).transpose(0, 2, 1).reshape(-1), 1
        rows += [] if self.started is None else [np.full(len(bias), self.started)]
        made: list[Wide] = []
        for first in range(0, len(bias), block):
            begin, end = (n // channels * pairs for n in (first, first + block))
            made += [bias[first : first + block], words[begin:end]]
            made += [each[first : first + block].reshape(-1) for each in rows]
        return np.concatenate(made).astype(np.int32)

    @cached_property
    def ending(self) -> Rescaling | None:
        """How the nest turns sums into bytes of all channels side by side; None if it ends otherwise."""
        nest, plan = self.packed.nest, self.packed.plan
        # Bytes have no room for weights that are doubled: the operation doubles their sums.
        writes, rescaling = nest.accesses("writes"), rescaling_of(nest.finish.block, doubles=plan.step.bytes)
        if rescaling is None or len(writes) != 1 or self.record != rescaling.apart:
            return None
        *outer, last = nest.steps_along(writes[0], self.channel) or [0]
        lies_in_row = writes[0].is_dense_of(i8) and last == 1 and not any(outer)
        return rescaling if lies_in_row and self.places == tuple(range(rescaling.apart)) else None

    @property
    def started(self) -> int | None:
        """A word that there is once more for each channel at the end of a block, if there is one."""
        return None if self.ending is None else self.ending.started

    def begin(self, point: Point) -> Value:
        """Return the beginning of the words of a block of channels; `point` is at the first of them."""
        of_channel = self.ends(1) + self.record + (self.started is not None)
        return self.packed.k.mul(point.value(Linear(((self.channel, 1),), 0)), of_channel)

    def start(self, begin: Value, number: int) -> SSAValue:
        """Return the start of a channel's sum; `number` is that of the channel in its block."""
        return self._word(begin, number, "acc")

    def ends(self, count: int) -> int:
        """Return the beginning of what channels read at their end."""
        return count * (1 + self.packed.plan.pairs)

    def end(self, begin: Value, count: int, number: int, hints: Sequence[str | None]) -> list[SSAValue]:
        """Return what the end of a channel reads."""
        first = self.ends(count) + number * self.record
        return [self._word(begin, first + place, hint) for place, hint in zip(self.places, hints, strict=True)]

    def _word(self, begin: Value, place: int, hint: str | None) -> SSAValue:
        return self.packed.k.load(self.packed.words, [self.packed.k.add(begin, place)], hint)
