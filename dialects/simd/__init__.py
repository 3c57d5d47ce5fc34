"""The `simd` dialect: what processors do with several narrow numbers in one word.

Each operation is defined by its portable meaning; processors that have it as an instruction run that (Arm's DSP
extension, ACLE section 8.5).
"""

from xdsl.ir import Dialect, Operation

from .ops import DualMultiplyAddOp, MultiplyHighAddOp, PackOp, SaturateOp

Simd = Dialect("simd", [DualMultiplyAddOp, MultiplyHighAddOp, PackOp, SaturateOp])


def function_of(op: Operation) -> str:
    """The name in C of the function that computes an operation of this dialect."""
    name = op.name.replace(".", "_")
    return f"{name}_{op.bits.value.data}" if isinstance(op, SaturateOp) else name


FUNCTIONS = (
    *(op.name.replace(".", "_") for op in Simd.operations if op is not SaturateOp),
    *(f"simd_saturate_{bits}" for bits in range(1, 33)),
)
"""All such names."""
