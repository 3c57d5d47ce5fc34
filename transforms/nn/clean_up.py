"""The pass `nn-clean-up`: what makes graphs smaller and changes no bit of any result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker, RewritePattern
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.exceptions import PassFailedException

from .channels.channels_pass import NnChannelsPass
from .channels.within_ranges_pass import NnWithinRangesPass
from .fold_constants import FoldConstants
from .fuse_activations import FuseActivations
from .identities import FullClamp, MovementInPlace, RescaleByOne, ReshapeOfReshape, SameCast, TransposeOfTranspose
from .merge_equal import merge_equal
from .pad_into_window import PadIntoWindow
from .quantise_pairs import QuantizePairs

PATTERNS: Mapping[str, tuple[type[RewritePattern], ...]] = {
    "fold-constants": (FoldConstants,),
    "fuse-activations": (FuseActivations,),
    "identities": (FullClamp, MovementInPlace, RescaleByOne, ReshapeOfReshape, SameCast, TransposeOfTranspose),
    "pad-into-window": (PadIntoWindow,),
    "quantize-pairs": (QuantizePairs,),
}
CLEAN_UPS = tuple(sorted((*PATTERNS, "channels", "dead-operators", "merge-equal", "ranges")))
"""Clean-ups that can be switched off."""


@dataclass(frozen=True)
class NnCleanUpPass(ModulePass):
    """Simplify graphs of `nn` operations; every step is bit-exact and can be left out by its name."""

    name: ClassVar[str] = "nn-clean-up"

    off: tuple[str, ...] = ()
    """Steps to leave out, of `CLEAN_UPS`, or `all`."""
    multiple: int = 1
    """Multiple that the number of kept channels is rounded up to, as of `nn-channels`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        unknown = [name for name in self.off if name not in (*CLEAN_UPS, "all")]
        if unknown:
            raise PassFailedException(f"nn-clean-up has no step '{unknown[0]}', it has {', '.join(CLEAN_UPS)}")
        enabled = [] if "all" in self.off else [name for name in CLEAN_UPS if name not in self.off]
        patterns = [pattern() for name in enabled for pattern in PATTERNS.get(name, ())]
        if "merge-equal" in enabled:
            merge_equal(op)
        if patterns:
            PatternRewriteWalker(GreedyRewritePatternApplier(patterns)).rewrite_module(op)
        if "ranges" in enabled:
            NnWithinRangesPass().apply(ctx, op)
        if "channels" in enabled:
            NnChannelsPass(multiple=self.multiple).apply(ctx, op)
        if "dead-operators" in enabled:
            dce(op)
