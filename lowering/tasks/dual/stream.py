"""All constants of a nest with `words` as one stream in the order of use, so that one pointer reaches them.

For each block of channels that run side by side: where their sums start, their packed weights, and what each reads at
its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod

import numpy as np
from xdsl.dialects.builtin import MemRefType, i32
from xdsl.ir import SSAValue

from ....dialects.task import NestOp
from ....dialects.task.domain import Linear
from ....dialects.task.dual import DualPlan
from ....dialects.task.syntax import Access
from ...builder import Loops, Value
from ..point import Point
from .constants import Constants, Numbers, Use
from .pack import Packed


@dataclass(frozen=True)
class Stream:
    """The constants of a nest, and where those of a channel lie in its block."""

    words: SSAValue
    channel: int
    """The dimension of the channels."""
    pairs: int
    """Packed words of a channel, or of `shared` channels together."""
    shared: int
    record: int
    """Words that are there for the end of a channel."""
    places: tuple[int, ...]
    """Which of them each operand of `finish` is."""
    started: int | None = None
    """A word that there is once more for each channel, behind those."""

    @staticmethod
    def of(
        nest: NestOp, plan: DualPlan, packed: Packed, channel: int, block: int, constants: Constants
    ) -> Stream | None:
        """Put the stream in the place of the constants that the nest reads, whose operands change.

        Args:
            nest: the nest.
            plan: what its schedule says.
            packed: its packed weights.
            channel: the dimension of the channels.
            block: channels that run side by side; what remains at the end is a smaller block.
            constants: of the module.

        Returns:
            None where there is none, as `planned` says.
        """
        found = Stream.planned(nest, plan, packed, channel, constants)
        return None if found is None else found.put(nest, packed, block, constants)

    @staticmethod
    def planned(nest: NestOp, plan: DualPlan, packed: Packed, channel: int, constants: Constants) -> Stream | None:
        """The stream that there would be; nothing changes.

        Returns:
            None where sums do not start from constants, one for each channel, or where the end reads anything but a
            row of constants for each channel.
        """
        starts, ends = nest.accesses("start_reads"), nest.accesses("finish_reads")
        is_plain = len(starts) == 1 and list(nest.accumulators) == list(nest.start.block.args)
        if not is_plain or packed.sums is not None or dict(packed.filled) != {channel: 1}:
            return None
        rows = list(dict.fromkeys(access.buffer for access in ends))
        places = [_column(nest, access, channel) for access in ends]
        buffers = [starts[0].buffer, packed.words, *rows]
        found = [constants.uses(buffer) for buffer in buffers]
        if _column(nest, starts[0], channel) != 0 or len(rows) > 1 or any(p is None for p in places):
            return None
        uses = [each for each in found if each is not None]
        is_own = all(use.operation is nest for buffer in buffers for use in buffer.uses)
        if len(uses) < len(found) or len({*map(len, uses)}) > 1 or not is_own:
            return None
        record = sum(prod(_shape(buffer)[1:]) for buffer in rows)
        kept = tuple(place for place in places if place is not None)
        return Stream(packed.words, channel, plan.pairs, packed.kind.channels, record, kept)

    def put(
        self,
        nest: NestOp,
        packed: Packed,
        block: int,
        constants: Constants,
        *,
        by_channel: bool = False,
        started: int | None = None,
    ) -> Stream:
        """Put the stream in the place of the constants that the nest reads, whose operands change.

        With `by_channel` all words of one channel lie side by side; else there may be `started` at the end of blocks.
        """
        starts, ends = nest.accesses("start_reads"), nest.accesses("finish_reads")
        rows = list(dict.fromkeys(access.buffer for access in ends))
        read = next(n for n, access in enumerate(nest.accesses("step_reads")) if access.buffer is packed.words)
        buffers = [starts[0].buffer, packed.words, *rows]
        uses = [constants.uses(buffer) or [] for buffer in buffers]
        in_order = _by_channel if by_channel else partial(_in_order, started=started)
        made = [in_order(constants, each, self, block) for each in zip(*uses, strict=True)]
        constants.replace(packed.words, uses[1], made, "stream")
        words = nest.accesses("step_reads")[read].buffer
        for buffer, of_buffer in zip(buffers, uses, strict=True):
            if buffer is packed.words:
                continue
            for use in list(buffer.uses):
                nest.operands[use.index] = words
            constants.remove(buffer, of_buffer)
        return replace(self, words=words, started=started)

    def begin(self, k: Loops, point: Point) -> Value:
        """Return the beginning of the words of a block of channels; `point` is at the first of them."""
        return k.mul(point.places.value(k, Linear(((self.channel, 1),), 0)), self.of_channel)

    @property
    def of_channel(self) -> int:
        """Words of a channel."""
        return 1 + self.pairs + self.record + (self.started is not None)

    def start(self, k: Loops, begin: Value, number: int) -> SSAValue:
        """Return the start of a channel's sum; `number` is that of the channel in its block."""
        return k.load(self.words, [k.add(begin, number)], "acc")

    def weights(self, count: int) -> int:
        """Return the beginning of packed weights in a block of so many channels."""
        return count

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


def _in_order(constants: Constants, uses: Sequence[Use], stream: Stream, block: int, started: int | None) -> Numbers:
    """The stream of one call."""
    bias, words, *rows = (constants.numbers(use) for use in uses)
    parts: list[Numbers] = []
    for first in range(0, len(bias), block):
        end = min(first + block, len(bias))
        begin, stop = (n // stream.shared * stream.pairs for n in (first, end))
        parts += [bias[first:end], words[begin:stop]]
        parts += [each[first:end].reshape(-1) for each in rows]
        parts += [] if started is None else [np.full(end - first, started, np.int32)]
    return np.concatenate(parts)


def _by_channel(constants: Constants, uses: Sequence[Use], stream: Stream, block: int) -> Numbers:
    """Return the stream with all words of one channel side by side."""
    bias, words, *rows = (constants.numbers(use) for use in uses)
    weights = words.reshape(-1, stream.pairs, block).transpose(0, 2, 1).reshape(len(bias), stream.pairs)
    return np.concatenate([bias[:, None], weights, *(each.reshape(len(bias), -1) for each in rows)], axis=1).reshape(-1)


def _shape(memref: SSAValue) -> tuple[int, ...]:
    type = memref.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    return type.get_shape()


def _column(nest: NestOp, access: Access, channel: int) -> int | None:
    """Which word of a channel's row of i32 an access is; None if it is none, or there are others than the channels'."""
    type, (row, *columns) = access.buffer.type, (nest.form(index) for index in access.indices)
    assert isinstance(type, MemRefType), "operands are memrefs"
    is_row = row.terms == ((channel, 1),) and not row.constant and type.get_shape()[0] == nest.extents[channel]
    if type.element_type != i32 or not is_row or len(columns) > 1 or any(column.terms for column in columns):
        return None
    return columns[0].constant if columns else 0
