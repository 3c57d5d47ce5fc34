"""The `simd` dialect: what processors do with several narrow numbers in one word, or with four numbers in a vector.

Each operation is defined by its portable meaning; processors that have it as an instruction run that (Arm's DSP
extension, ACLE section 8.5; the M-profile vector extension, "MVE intrinsics"). Lanes and bytes of a word are counted
from the lowest.
"""

from xdsl.ir import Dialect

from . import dots as dots
from . import kernel as kernel
from . import moves as moves
from . import tiles as tiles
from .instruction import OPERATIONS
from .lanes import LanesType, SixteenType
from .windows import WindowsOp

Simd = Dialect("simd", [*OPERATIONS, WindowsOp], [LanesType, SixteenType])
