"""Calls of kernels: functions of an instruction set that compute what loops beside them compute."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, MemRefType, StringAttr, i1
from xdsl.irdl import prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..accesses import Access
from .instruction import SimdOperation
from .memory import INTEGERS, SEGMENTS, ReadsMemory, WritesMemory, type_of


class HasOp(SimdOperation):
    """Whether code is compiled for processors with an instruction set: known to the C compiler, not before.

    Example: `simd.has "rvv"`.
    """

    name = "simd.has"
    set = prop_def(StringAttr)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$set attr-dict"


class KernelOp(ReadsMemory, WritesMemory):
    """Call of a kernel: adds to sums what its meaning adds.

    `buffers` are the arrays of sums, then what the kernel reads; `indices` are those of the first element of each in
    turn. `sizes` are points of each dimension of the kernel; one that is not positive adds nothing. `strides`, in
    elements, and `scalars` are the kernel's further arguments. It stands in one branch of an `scf.if` on `simd.has`,
    whose other branch has the loops that it stands for: these say which elements are touched. Example:
    `simd.kernel "rvv.dot"(%sums, %x, %w) at[%0, %i, %o, %0] sizes(%n) strides [] scalars [-128] : memref<1xi32>,
    memref<16xi8>, memref<8x16xi8>`.
    """

    name = "simd.kernel"
    kernel = prop_def(StringAttr)
    buffers = var_operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    sizes = var_operand_def(IndexType())
    strides = prop_def(INTEGERS)
    scalars = prop_def(INTEGERS)
    irdl_options = SEGMENTS
    assembly_format = (
        "$kernel `(` $buffers `)` `at` `[` $indices `]` `sizes` `(` $sizes `)` `strides` $strides `scalars` $scalars "
        "attr-dict `:` type($buffers)"
    )

    def verify_(self) -> None:
        rank = sum(type_of(buffer).get_num_dims() for buffer in self.buffers)
        if len(self.indices) != rank:
            raise VerifyException(f"{len(self.indices)} indices for buffers of {rank} dimensions in all")

    def accesses(self) -> Sequence[Access]:
        """None of its own: the branch beside it answers for the elements, one by one."""
        return ()
