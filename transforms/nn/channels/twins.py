"""Numbers of channels: two with one number hold equal elements in every run."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.nn.accumulate import Accumulate
from ....dialects.nn.constant import ConstantOp
from ....dialects.nn.interfaces import ByChannel, Elementwise, channels_of
from ....dialects.nn.joining import ConcatOp, SplitOp
from ....dialects.nn.padding import PadOp
from ....dialects.nn.shape import ReshapeOp
from ....dialects.nn.slicing import SliceOp
from .analysis import is_dense
from .links import Channels, Link, links


class Numbers:
    """The numbers of all values of a block."""

    def __init__(self, block: Block):
        self._fresh = itertools.count()
        self._known: dict[Hashable, int] = {}
        self.of: dict[SSAValue, Channels] = {}
        for argument in filter(is_dense, block.args):
            self._name(argument)
        for op in block.ops:
            found = links(op)
            for result in filter(is_dense, op.results):
                kinds = None if found is None else self._kinds(op, [one for one in found if one.result is result])
                if kinds is None:
                    self._name(result)
                else:
                    self.of[result] = np.array([self._number(result, kind) for kind in kinds], np.int64)

    def _name(self, value: SSAValue) -> None:
        self.of[value] = np.array([next(self._fresh) for _ in range(channels_of(value))], np.int64)

    def _number(self, result: SSAValue, kind: Hashable) -> int:
        return self._known.setdefault((result, kind), next(self._fresh))

    def _kinds(self, op: Operation, found: Sequence[Link]) -> Iterator[Hashable] | None:
        """Key that decides each channel of a result; None if nothing is known of it."""
        if isinstance(op, Accumulate):
            return self._of_products(op)
        if isinstance(op, Elementwise):
            return self._of_elements(op)
        if isinstance(op, ByChannel):
            return iter(self.of[found[0].operand].tolist())
        if isinstance(op, ConcatOp | SplitOp | SliceOp | PadOp):
            return self._moved(found)
        if isinstance(op, ReshapeOp) and channels_of(op.output) % channels_of(op.input) == 0:
            link = found[0]
            assert link.places is not None, "reshapes have places"
            return zip(link.places.tolist(), self.of[link.operand][link.sources].tolist(), strict=True)
        return None

    def _moved(self, found: Sequence[Link]) -> Iterator[Hashable] | None:
        """Where all elements of a channel go to one channel, and go there alone."""
        width = channels_of(found[0].result) if found else 0
        kinds: list[Hashable] = [None] * width
        for number, link in enumerate(found):
            if any(len(np.unique(each)) < len(each) for each in (link.sources, link.targets)):
                return None
            for target, source in zip(link.targets.tolist(), link.sources.tolist(), strict=True):
                if kinds[target] is not None:
                    return None
                kinds[target] = number, int(self.of[link.operand][source])
        return ((channel,) if kind is None else kind for channel, kind in enumerate(kinds)) if width else None

    def _of_products(self, op: Accumulate) -> Iterator[Hashable]:
        taps = op.taps()
        assert taps is not None, "has links"
        outputs, _, inputs = taps.weights.shape
        read = self.of[op.input].reshape(taps.groups, inputs)
        bias = np.zeros(outputs, np.int64) if op.bias is None else _array(op.bias)
        factors = ([0], [0]) if op.rescale is None else (op.rescale.multipliers, op.rescale.shifts)
        for channel in range(outputs):
            factor = tuple(each[channel if len(each) > 1 else 0] for each in factors)
            group = read[channel * taps.groups // outputs] if taps.groups > 1 else ()
            yield taps.weights[channel].tobytes(), bias[channel].item(), factor, tuple(map(int, group))

    def _of_elements(self, op: Operation) -> Iterator[Hashable]:
        width = channels_of(op.results[0])
        columns = [list(self._column(operand, width)) for operand in op.operands]
        return iter(zip(*columns, strict=True))

    def _column(self, operand: SSAValue, width: int) -> Iterator[Hashable]:
        own = channels_of(operand)
        if isinstance(operand.owner, ConstantOp):
            flat = operand.owner.array.reshape(-1, own)
            return (flat[:, channel % own].tobytes() for channel in range(width))
        return (int(self.of[operand][channel % own]) for channel in range(width))


def _array(value: SSAValue) -> npt.NDArray[Any]:
    assert isinstance(value.owner, ConstantOp), "only constant biases have links"
    return value.owner.array


def twins(block: Block) -> Mapping[SSAValue, Channels]:
    """The numbers of the channels of every tensor."""
    return Numbers(block).of
