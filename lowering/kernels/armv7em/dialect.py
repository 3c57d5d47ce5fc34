"""The dialect of these instructions."""

from __future__ import annotations

from xdsl.ir import Dialect

from . import arithmetic, memory
from .control import EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, YieldOp
from .instruction import Instruction
from .registers import Register

_DEFINED: list[object] = [*vars(arithmetic).values(), *vars(memory).values()]
INSTRUCTIONS = [
    one for one in _DEFINED if isinstance(one, type) and issubclass(one, Instruction) and hasattr(one, "name")
]

Armv7em = Dialect("armv7em", [*INSTRUCTIONS, EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, YieldOp], [Register])
