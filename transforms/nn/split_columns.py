"""The pass `nn-split-columns`: neighbouring operators compute bands of columns one after the other, some columns twice.

Row by row a band needs rows that are as wide as the band. Where windows reach beyond it, each of two neighbours
computes what both need: multiplications for bytes. Every element is computed as before, so bits stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ..usmp.analysis.structure import entries
from .columns import Bands, Region, is_region, steps_of


@dataclass(frozen=True)
class NnSplitColumnsPass(ModulePass):
    """Let neighbouring operators run in bands of columns; bits stay, multiplications become more."""

    name: ClassVar[str] = "nn-split-columns"

    bands: tuple[str, ...] = ()
    """Operators and their number of bands, as "2-9:3": the operators 2 to 9, counted without constants."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for entry in entries(op):
            steps = steps_of(entry.body.block)
            end = 0
            for bands in sorted((_parsed(text) for text in self.bands), key=lambda one: one.first):
                operators = steps[bands.first : bands.last + 1]
                if bands.first < end or not is_region(operators):
                    raise PassFailedException(f"operators {bands.first} to {bands.last} cannot run in bands of columns")
                region, end = Region(operators), bands.last + 1
                if not 1 <= bands.count <= region.width:
                    raise PassFailedException(f"there are no {bands.count} bands of {region.width} columns")
                region.split(bands.count)


def _parsed(text: str) -> Bands:
    try:
        return Bands.parsed(text)
    except ValueError:
        raise PassFailedException(f"'{text}' names no bands, such as 2-9:3") from None
