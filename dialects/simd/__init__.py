"""The `simd` dialect: what processors do with several narrow numbers in one word, or with four numbers in a vector.

Each operation is defined by its portable meaning; processors that have it as an instruction run that (Arm's DSP
extension, ACLE section 8.5; the M-profile vector extension, "MVE intrinsics").
"""

from xdsl.ir import Dialect, Operation

from .byte_words import SHIFTED_BITS as SHIFTED_BITS
from .byte_words import (
    MaximumBytesOp,
    MaximumUnsignedBytesOp,
    MinimumBytesOp,
    MinimumUnsignedBytesOp,
    ScaleByteAddOp,
    ScaleHighAddOp,
    ScaleLowAddOp,
    ShiftSaturateOp,
    StoreBytesOp,
)
from .dots import AddDotProductsOp
from .dual_products import MOST_WRITTEN as MOST_WRITTEN
from .dual_products import TILE_CHANNELS as TILE_CHANNELS
from .dual_products import TILE_POINTS as TILE_POINTS
from .dual_products import DualProductsOp
from .kernel import HasOp, KernelOp
from .lane_memory import LoadLanesOp, StoreLanesOp, SumWindowOp
from .lanes import LANES as LANES
from .lanes import (
    LanesAddOp,
    LanesDoubledHighOp,
    LanesMaximumOp,
    LanesMinimumOp,
    LanesMultiplyHighOp,
    LanesMultiplyOp,
    LanesOfOp,
    LanesRoundingShiftRightOp,
    LanesShiftLeftOp,
    LanesShiftRightOp,
    LanesSubtractOp,
    LanesType,
)
from .lanes import lanes as lanes
from .load_bytes import BYTES as BYTES
from .load_bytes import LoadBytesOp
from .nibbles import NIBBLE_SCALE as NIBBLE_SCALE
from .nibbles import NIBBLES as NIBBLES
from .nibbles import UnpackNibblesOp
from .ops import (
    DualAddOp,
    DualMultiplyAddOp,
    DualSubtractOp,
    MultiplyHighAddOp,
    MultiplyHighFloorAddOp,
    PackHighOp,
    PackOp,
    Saturate,
    SaturateOp,
    SaturateUnsignedOp,
    ScaleNarrowAddOp,
    ScaleRealOp,
    UnpackEvenAddOp,
    UnpackEvenOp,
    UnpackEvenUnsignedOp,
    UnpackNextOp,
    UnpackOddAddOp,
    UnpackOddOp,
    UnpackOddUnsignedOp,
)
from .rescaling import Rescaling as Rescaling
from .sixteen import SIXTEEN as SIXTEEN
from .sixteen import LoadSixteenOp, SixteenOfOp, SixteenType, StoreSixteenOp, SumProductsOp
from .sixteen import sixteen as sixteen
from .slide_bytes import SlideBytesOp
from .swar import SWAR_CHANNELS as SWAR_CHANNELS
from .swar import SWAR_POINTS as SWAR_POINTS
from .swar import SwarProductsOp
from .taps import ScaleBytesOp, SumTapsOp
from .tile_bytes import TileBytesOp
from .tile_bytes import most_written as most_written
from .unpack_points import UnpackPointsOp

_OF_MEMORY = (
    AddDotProductsOp,
    DualProductsOp,
    KernelOp,
    LoadBytesOp,
    LoadLanesOp,
    LoadSixteenOp,
    ScaleBytesOp,
    SlideBytesOp,
    StoreBytesOp,
    StoreLanesOp,
    StoreSixteenOp,
    SumProductsOp,
    SumTapsOp,
    SumWindowOp,
    SwarProductsOp,
    TileBytesOp,
    UnpackPointsOp,
)

_SATURATING = (SaturateOp, SaturateUnsignedOp)

Simd = Dialect(
    "simd",
    [
        *_OF_MEMORY,
        DualAddOp,
        DualMultiplyAddOp,
        DualSubtractOp,
        HasOp,
        LanesAddOp,
        LanesDoubledHighOp,
        LanesMaximumOp,
        LanesMinimumOp,
        LanesMultiplyHighOp,
        LanesMultiplyOp,
        LanesOfOp,
        LanesRoundingShiftRightOp,
        LanesShiftLeftOp,
        LanesShiftRightOp,
        LanesSubtractOp,
        MaximumBytesOp,
        MaximumUnsignedBytesOp,
        MinimumBytesOp,
        MinimumUnsignedBytesOp,
        MultiplyHighAddOp,
        MultiplyHighFloorAddOp,
        PackHighOp,
        PackOp,
        SaturateOp,
        SaturateUnsignedOp,
        ScaleByteAddOp,
        ScaleHighAddOp,
        ScaleLowAddOp,
        ScaleNarrowAddOp,
        ScaleRealOp,
        ShiftSaturateOp,
        SixteenOfOp,
        UnpackEvenAddOp,
        UnpackEvenOp,
        UnpackEvenUnsignedOp,
        UnpackNextOp,
        UnpackNibblesOp,
        UnpackOddAddOp,
        UnpackOddOp,
        UnpackOddUnsignedOp,
    ],
    [LanesType, SixteenType],
)


def function_of(op: Operation) -> str:
    """The name in C of the function that computes an operation of this dialect."""
    name = op.name.replace(".", "_")
    if isinstance(op, UnpackNibblesOp):
        return f"{name}_{op.place.value.data}"
    if isinstance(op, ShiftSaturateOp):
        return f"simd_saturate_{op.bits.value.data}_after_{op.right.value.data}"
    if isinstance(op, SlideBytesOp) and op.by is not None:
        return f"{name}_by"
    return f"{name}_{op.bits.value.data}" if isinstance(op, Saturate) else name


_OF_NUMBERS = (*_SATURATING, ShiftSaturateOp, UnpackNibblesOp, HasOp)
"""Operations whose functions have numbers in their names, or that have none."""

PURE_FUNCTIONS = (
    *(op.name.replace(".", "_") for op in Simd.operations if op not in (*_OF_MEMORY, *_OF_NUMBERS)),
    *(f"simd_saturate_{bits}_after_{right}" for bits in SHIFTED_BITS for right in range(1, 32)),
    *(f"{op.name.replace('.', '_')}_{bits}" for op in _SATURATING for bits in range(1, 1 + op.MOST_BITS)),
    *(f"simd_unpack_nibbles_{place}" for place in range(NIBBLES)),
)
"""The names of those that do not read memory."""
