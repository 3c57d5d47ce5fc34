"""The `simd` dialect: what processors do with several narrow numbers in one word.

Each operation is defined by its portable meaning; processors that have it as an instruction run that (Arm's DSP
extension, ACLE section 8.5).
"""

from xdsl.ir import Dialect

from .ops import DualMultiplyAddOp, PackOp

Simd = Dialect("simd", [DualMultiplyAddOp, PackOp])

FUNCTIONS = tuple(op.name.replace(".", "_") for op in Simd.operations)
"""Names in C of the functions that compute them."""
