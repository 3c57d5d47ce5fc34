"""The pass `nn-channels`: channels that are constant, unused or twice there go, and no bit of any result changes.

It stands behind the other clean-ups, which bring clamps and margins into the operators that ranges are made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.exceptions import PassFailedException

from .analysis import is_narrow
from .need import Need
from .products import EVERY_REASON, Reason
from .prune import prune


@dataclass(frozen=True)
class NnChannelsPass(ModulePass):
    """Remove channels of tensors between operators that follow from the constants; exact for every input."""

    name: ClassVar[str] = "nn-channels"

    reasons: tuple[str, ...] = EVERY_REASON
    """For which channels may go: `constant`, `unused`, `twin`."""
    multiple: int = 1
    """Multiple that the number of kept channels is rounded up to, where more are there."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        unknown = [reason for reason in self.reasons if reason not in EVERY_REASON]
        if unknown:
            raise PassFailedException(f"nn-channels has no reason '{unknown[0]}', it has {', '.join(EVERY_REASON)}")
        if self.multiple < 1:
            raise PassFailedException(f"nn-channels multiple must be at least 1, got {self.multiple}")
        shrunk = [remove_channels(function, self.reasons, self.multiple) for function in functions(op)]
        if any(shrunk):
            dce(op)


def functions(module: ModuleOp) -> list[func.FuncOp]:
    """Functions with a body of one block."""
    return [op for op in module.ops if isinstance(op, func.FuncOp) and len(op.body.blocks) == 1]


def remove_channels(function: func.FuncOp, reasons: tuple[str, ...], multiple: int) -> bool:
    """Remove what can go from one function; whether that is something."""
    if not is_narrow(function.body.block):
        return False
    need = Need.of(function.body.block, [Reason(reason) for reason in reasons], multiple)
    if need.is_whole:
        return False
    prune(need)
    return True
