"""The steps that stillpool has."""

from __future__ import annotations

from .code import Collect, Whole
from .dual import Direct
from .dual_steps import Dual, Single, Swar
from .expand import Expand, Tensorize
from .lanes import Lanes
from .loop_steps import Jam, Order, Reverse, Split, Unroll
from .packed import Packed
from .rewrites import Block, FoldZeroPoint, Pack, Peel, Stage
from .step import Step
from .tile import Tile
from .winograd import Winograd
from .words import Quads, Words

STEPS: tuple[type[Step], ...] = (
    *(Order, Split, Jam, Unroll, Reverse, Tile),
    *(Dual, Single, Swar, Whole, Direct, Quads, Collect, Words, Lanes, Winograd, Expand, Packed, Tensorize),
    *(Block, Peel, Pack, Stage, FoldZeroPoint),
)
"""All of them, in the order in which they are listed."""
