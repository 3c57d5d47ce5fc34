"""All constants of a nest as one stream in the order of use, so that one pointer reaches them.

For each block of channels that run side by side: where their sums start, their packed weights, and what each reads at
its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from xdsl.dialects.builtin import i8, i32
from xdsl.ir import SSAValue

from ....dialects.simd.rescaling import Rescaling
from ....dialects.task import NestOp
from ....dialects.task.domain import Linear
from ....dialects.task.dual import DualPlan
from ....dialects.task.syntax import Access
from ...builder import Loops, Value
from ...constants import Constants, Numbers, Use, plain_start
from ...constants.elements import Wide
from ..point import Point
from ..reading import is_dense
from .ending import rescaling_of
from .layouts import Layout
from .pack import Packed


@dataclass(frozen=True)
class Stream:
    """The constants of a nest, and where those of a channel lie in its block."""

    words: SSAValue
    channel: int
    """The dimension of the channels."""
    pairs: int
    """Packed words of a channel, or of those together that share words."""
    layout: Layout
    record: int
    """Words that are there for the end of a channel."""
    places: tuple[int, ...]
    """Which of them each operand of `finish` is."""
    parts: tuple[SSAValue, ...]
    """What the nest reads in its place: where sums start, packed words, and rows of words for the end."""
    uses: tuple[Sequence[Use], ...]
    """The constants behind each of these."""
    started: int | None = None
    """A word that there is once more for each channel, behind those."""

    @staticmethod
    def planned(nest: NestOp, plan: DualPlan, packed: Packed, channel: int, constants: Constants) -> Stream | None:
        """The stream that there would be; nothing changes.

        Args:
            nest: the nest.
            plan: what its schedule says.
            packed: its packed weights.
            channel: the dimension of the channels.
            constants: of the module.

        Returns:
            None where sums do not start from constants, one for each channel, or where the end reads anything but a
            row of constants for each channel.
        """
        start, ends = plain_start(nest), nest.accesses("finish_reads")
        if start is None or packed.sums is not None or dict(packed.filled) != {channel: 1}:
            return None
        rows = {access.buffer: access.type for access in ends}
        places = [place for access in ends if (place := column(nest, access, channel)) is not None]
        parts = (start.buffer, packed.words, *rows)
        uses = constants.uses_of_nest(nest, parts)
        if column(nest, start, channel) != 0 or len(rows) > 1 or len(places) < len(ends) or uses is None:
            return None
        record = sum(prod(type.get_shape()[1:]) for type in rows.values())
        return Stream(packed.words, channel, plan.pairs, packed.layout, record, tuple(places), parts, uses)

    def put(
        self, nest: NestOp, block: int, constants: Constants, *, by_channel: bool = False, started: int | None = None
    ) -> Stream:
        """Put the stream in the place of the constants that the nest reads, whose operands change.

        Args:
            nest: the nest.
            block: channels that run side by side; what remains at the end is a smaller block.
            constants: of the module.
            by_channel: whether all words of one channel lie side by side.
            started: a word for each channel at the end of blocks, if there is one.
        """
        made = [
            self._in_order([constants.values(use) for use in uses], block, by_channel=by_channel, started=started)
            for uses in zip(*self.uses, strict=True)
        ]
        layout = f"{self.layout.text(1 if by_channel else block)}; starts, words, {self.record} for the end of each"
        words = constants.replace(self.words, self.uses[1], made, "stream", layout)
        for buffer, uses in zip(self.parts, self.uses, strict=True):
            if buffer is self.words:
                continue
            for use in list(buffer.uses):
                nest.operands[use.index] = words
            constants.remove(buffer, uses)
        return replace(self, words=words, started=started)

    def _in_order(self, parts: Sequence[Wide], block: int, *, by_channel: bool, started: int | None) -> Numbers:
        """The stream of one call."""
        bias, words, *rows = parts
        if by_channel:
            # [block, word, channel of the block] becomes [channel, word], which are blocks of one channel.
            words, block = words.reshape(-1, self.pairs, block).transpose(0, 2, 1).reshape(-1), 1
        made: list[Wide] = []
        for first in range(0, len(bias), block):
            end = min(first + block, len(bias))
            begin, stop = (n // self.layout.channels * self.pairs for n in (first, end))
            made += [bias[first:end], words[begin:stop]]
            made += [each[first:end].reshape(-1) for each in rows]
            made += [] if started is None else [np.full(end - first, started)]
        return np.concatenate(made).astype(np.int32)

    def ending(self, nest: NestOp, *, doubles: bool = False) -> Rescaling | None:
        """Return how the nest turns sums into bytes of all channels side by side; None if it ends otherwise.

        Args:
            nest: whose sums are doubled, or with `doubles` are not yet.
            doubles: whether the operation doubles sums.
        """
        writes, rescaling = nest.accesses("writes"), rescaling_of(nest.finish.block, doubles=doubles)
        if rescaling is None or len(writes) != 1 or self.record != rescaling.apart:
            return None
        *outer, last = nest.steps_along(writes[0], self.channel) or [0]
        lies_in_row = is_dense(writes[0], i8) and last == 1 and not any(outer)
        return rescaling if lies_in_row and self.places == tuple(range(rescaling.apart)) else None

    def begin(self, k: Loops, point: Point) -> Value:
        """Return the beginning of the words of a block of channels; `point` is at the first of them."""
        of_channel = 1 + self.pairs + self.record + (self.started is not None)
        return k.mul(point.value(Linear(((self.channel, 1),), 0)), of_channel)

    def start(self, k: Loops, begin: Value, number: int) -> SSAValue:
        """Return the start of a channel's sum; `number` is that of the channel in its block."""
        return k.load(self.words, [k.add(begin, number)], "acc")

    def ends(self, count: int) -> int:
        """Return the beginning of what channels read at their end."""
        return count * (1 + self.pairs)

    def end(self, k: Loops, begin: Value, count: int, number: int, hints: Sequence[str | None]) -> list[SSAValue]:
        """Return what the end of a channel reads."""
        first = self.ends(count) + number * self.record
        return [
            k.load(self.words, [k.add(begin, first + place)], hint)
            for place, hint in zip(self.places, hints, strict=True)
        ]


def column(nest: NestOp, access: Access, channel: int) -> int | None:
    """Which word of a channel's row of i32 an access is; None if it is none, or there are others than the channels'."""
    if not access.indices or access.type.element_type != i32:
        return None
    row, *columns = (nest.form(index) for index in access.indices)
    is_row = row.terms == ((channel, 1),) and not row.constant and access.shape[0] == nest.extents[channel]
    if not is_row or len(columns) > 1 or any(column.terms for column in columns):
        return None
    return columns[0].constant if columns else 0
