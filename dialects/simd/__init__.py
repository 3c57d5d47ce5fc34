"""The `simd` dialect: what processors do with several narrow numbers in one word.

Each operation is defined by its portable meaning; processors that have it as an instruction run that (Arm's DSP
extension, ACLE section 8.5).
"""

from xdsl.ir import Dialect, Operation

from .load_bytes import BYTES as BYTES
from .load_bytes import LoadBytesOp
from .ops import (
    DualMultiplyAddOp,
    MultiplyHighAddOp,
    PackHighOp,
    PackOp,
    SaturateOp,
    UnpackEvenOp,
    UnpackNextOp,
    UnpackOddOp,
)

Simd = Dialect(
    "simd",
    [
        DualMultiplyAddOp,
        LoadBytesOp,
        MultiplyHighAddOp,
        PackHighOp,
        PackOp,
        SaturateOp,
        UnpackEvenOp,
        UnpackNextOp,
        UnpackOddOp,
    ],
)


def function_of(op: Operation) -> str:
    """The name in C of the function that computes an operation of this dialect."""
    name = op.name.replace(".", "_")
    return f"{name}_{op.bits.value.data}" if isinstance(op, SaturateOp) else name


PURE_FUNCTIONS = (
    *(op.name.replace(".", "_") for op in Simd.operations if op not in (LoadBytesOp, SaturateOp)),
    *(f"simd_saturate_{bits}" for bits in range(1, 33)),
)
"""The names of those that do not read memory."""
