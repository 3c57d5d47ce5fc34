"""The `simd` dialect: what processors do with several narrow numbers in one word, or with four numbers in a vector.

Each operation is defined by its portable meaning; processors that have it as an instruction run that (Arm's DSP
extension, ACLE section 8.5; the M-profile vector extension, "MVE intrinsics"). Lanes and bytes of a word are counted
from the lowest.
"""

from xdsl.ir import Dialect

from .dots import SumProductsOp as SumProductsOp
from .dots import SumWindowOp as SumWindowOp
from .instruction import FUNCTIONS, functions_named
from .instruction import function_of as function_of
from .kernel import HasOp
from .lanes import LANES as LANES
from .lanes import SIXTEEN as SIXTEEN
from .lanes import LanesType, SixteenType
from .memory import MOST_WRITTEN as MOST_WRITTEN
from .memory import OF_MEMORY
from .moves import LoadBytesOp as LoadBytesOp
from .moves import SlideBytesOp as SlideBytesOp
from .moves import StoreBytesOp as StoreBytesOp
from .rescaling import Rescaling as Rescaling
from .taps import ScaleBytesOp as ScaleBytesOp
from .taps import SumTapsOp as SumTapsOp
from .tiles import SWAR_CHANNELS as SWAR_CHANNELS
from .tiles import SWAR_POINTS as SWAR_POINTS
from .tiles import TILE_CHANNELS as TILE_CHANNELS
from .tiles import TILE_POINTS as TILE_POINTS
from .tiles import DualProductsOp as DualProductsOp
from .tiles import SwarProductsOp as SwarProductsOp
from .tiles import TileBytesOp as TileBytesOp
from .tiles import most_written as most_written
from .unpack_points import UnpackPointsOp as UnpackPointsOp
from .windows import WindowsOp
from .words import BYTES as BYTES
from .words import NIBBLE_SCALE as NIBBLE_SCALE
from .words import NIBBLES as NIBBLES
from .words import DualAddOp as DualAddOp
from .words import DualMultiplyAddOp as DualMultiplyAddOp
from .words import DualSubtractOp as DualSubtractOp
from .words import MaximumBytesOp as MaximumBytesOp
from .words import MaximumUnsignedBytesOp as MaximumUnsignedBytesOp
from .words import MinimumBytesOp as MinimumBytesOp
from .words import MinimumUnsignedBytesOp as MinimumUnsignedBytesOp
from .words import MultiplyHighAddOp as MultiplyHighAddOp
from .words import MultiplyHighFloorAddOp as MultiplyHighFloorAddOp
from .words import PackHighOp as PackHighOp
from .words import PackOp as PackOp
from .words import Saturate as Saturate
from .words import SaturateOp as SaturateOp
from .words import SaturateUnsignedOp as SaturateUnsignedOp
from .words import ScaleByteAddOp as ScaleByteAddOp
from .words import ScaleHighAddOp as ScaleHighAddOp
from .words import ScaleLowAddOp as ScaleLowAddOp
from .words import ScaleNarrowAddOp as ScaleNarrowAddOp
from .words import ScaleRealOp as ScaleRealOp
from .words import ShiftSaturateOp as ShiftSaturateOp
from .words import UnpackEvenAddOp as UnpackEvenAddOp
from .words import UnpackEvenOp as UnpackEvenOp
from .words import UnpackEvenUnsignedOp as UnpackEvenUnsignedOp
from .words import UnpackNextOp as UnpackNextOp
from .words import UnpackNibblesOp as UnpackNibblesOp
from .words import UnpackOddAddOp as UnpackOddAddOp
from .words import UnpackOddOp as UnpackOddOp
from .words import UnpackOddUnsignedOp as UnpackOddUnsignedOp

Simd = Dialect("simd", [*OF_MEMORY, *FUNCTIONS, HasOp, WindowsOp], [LanesType, SixteenType])

PURE_FUNCTIONS = (*functions_named(),)
"""The names of those that do not read memory."""
