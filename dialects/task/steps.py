"""The steps that stillpool has."""

from __future__ import annotations

from .code import Collect, Whole
from .dual import Direct, Dual, Single, Swar
from .expand import Expand, Tensorize
from .lanes import Lanes
from .loop_steps import Jam, Order, Reverse, Split, Unroll
from .packed import Packed
from .step import Step
from .tile import Tile
from .winograd import Winograd
from .words import Quads, Words

STEPS: tuple[type[Step], ...] = (
    *(Order, Split, Jam, Unroll, Reverse, Tile),
    *(Dual, Single, Swar, Whole, Direct, Quads, Collect, Words, Lanes, Winograd, Expand, Packed, Tensorize),
)
"""Those that rules and passes write, in the order in which they are listed."""
ELSEWHERE = {
    "block": "lowering.tasks.steps.parts.Block",
    "peel": "lowering.tasks.steps.parts.Peel",
    "pack": "lowering.tasks.steps.order.Pack",
    "stage": "lowering.tasks.steps.order.Stage",
    "fold_zero_point": "lowering.tasks.steps.fold_zero_point.FoldZeroPoint",
}
"""Places of others, which stand with what carries them out and are loaded where a text names them."""
