"""The pass `nn-split-bands`: tensors are computed in parts, one after the other, so that few bytes are live.

In bands of columns rows are as wide as the band. Where windows reach beyond it, each of two neighbours computes what
both need: multiplications for bytes. Bands of channels compute nothing twice. Every element is computed as before, so
bits stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.exceptions import PassFailedException

from ..usmp.analysis.structure import entries
from .channel_bands import channels_of_product, is_by_channels, split_channels
from .columns import Bands, Chain, Region, is_region, split, steps_of


@dataclass(frozen=True)
class NnSplitBandsPass(ModulePass):
    """Let neighbouring operators run in bands of columns or of channels; bits stay, multiplications become more."""

    name: ClassVar[str] = "nn-split-bands"

    columns: tuple[str, ...] = ()
    """Operators and their number of bands, as "2-9:3": the operators 2 to 9, counted without constants. Parts one
    behind the other, as "2-5:6+6-9:3", hand over columns."""
    channels: tuple[str, ...] = ()
    """Products and what follows channel by channel, such as a mean, and their number of bands, as "10-11:4"."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        of_columns = [(_parsed(text), False) for text in self.columns]
        of_channels = [(_parsed(text), True) for text in self.channels]
        for entry in entries(op):
            steps = steps_of(entry.body.block)
            end, numbers = 0, count()
            for chain, by_channels in sorted((*of_columns, *of_channels), key=lambda each: each[0].first):
                if chain.first < end:
                    raise _refused(chain.parts[0], "columns")
                end = chain.last + 1
                if not by_channels:
                    split([(_region(steps, bands), bands.count) for bands in chain.parts], numbers)
                    continue
                for bands in chain.parts:
                    split_channels(_product(steps, bands), bands.count, numbers)
        if self.channels:
            dce(op)


def _region(steps: Sequence[Operation], bands: Bands) -> Region:
    operators = steps[bands.first : bands.last + 1]
    if not is_region(operators):
        raise _refused(bands, "columns")
    region = Region(operators)
    _expect_count(bands, region.width, "columns")
    return region


def _product(steps: Sequence[Operation], bands: Bands) -> Sequence[Operation]:
    operators = steps[bands.first : bands.last + 1]
    if not is_by_channels(operators):
        raise _refused(bands, "channels")
    _expect_count(bands, channels_of_product(operators), "channels")
    return operators


def _expect_count(bands: Bands, most: int, what: str) -> None:
    if not 1 <= bands.count <= most:
        raise PassFailedException(f"there are no {bands.count} bands of {most} {what}")


def _refused(bands: Bands, what: str) -> PassFailedException:
    return PassFailedException(f"operators {bands.first} to {bands.last} cannot run in bands of {what}")


def _parsed(text: str) -> Chain:
    try:
        return Chain.parsed(text)
    except ValueError:
        raise PassFailedException(f"'{text}' names no bands, such as 2-9:3") from None
