"""The dialect of these instructions."""

from __future__ import annotations

from xdsl.ir import Dialect

from .arithmetic import ARITHMETIC
from .control import EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, YieldOp
from .floats import FLOATS
from .memory import MEMORY
from .registers import Register

Armv7em = Dialect(
    "armv7em",
    [*ARITHMETIC, *FLOATS, *MEMORY, EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, YieldOp],
    [Register],
)
