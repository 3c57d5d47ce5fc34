"""The pass `lower-simd`: operations of `simd` become what they mean, in loops and arithmetic.

What knows the dialects of MLIR alone can read the module then, and run it: vectors are those of MLIR, and nothing asks
for instructions of a processor.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, i1
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.accesses import Access, accesses
from ...dialects.operations import all_of, enclosing, operations
from ...dialects.simd.kernel import HasOp
from ...dialects.simd.windows import WindowsOp
from ..builder import Loops, flat
from .lanes import VECTORS
from .meaning import Array, Operand, Part, Table, emit, has_meaning, operands_of


class LowerSimdPass(ModulePass):
    """Replace operations of `simd` by what they mean."""

    name: ClassVar[str] = "lower-simd"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for asked in all_of(op, HasOp):
            _forget(asked)
        for windows in all_of(op, WindowsOp):
            bounds = windows.lb, windows.ub, windows.step
            loop = scf.ForOp(*bounds, windows.iter_args, windows.detach_region(windows.body))
            loop.attributes |= windows.attributes
            Rewriter.replace_op(windows, loop)
        _convert(op)
        # Meanings have operations that mean less.
        while found := [one for one in operations(op) if has_meaning(one)]:
            for one in found:
                _lower(one)


def _forget(asked: HasOp) -> None:
    """Leave the loops of kernels that packages bring, and none of their calls."""
    for use in list(asked.result.uses):
        branch = use.operation
        if isinstance(branch, scf.IfOp):
            *inside, last = branch.false_region.block.ops
            for inner in inside:
                inner.detach()
            Rewriter.replace_op(branch, inside, last.operands)
    Rewriter.replace_op(asked, arith.ConstantOp(IntegerAttr(0, i1)))


def _convert(module: ModuleOp) -> None:
    """Give values of vectors the types of MLIR."""
    for op in operations(module):
        for value in (*op.results, *(arg for region in op.regions for block in region.blocks for arg in block.args)):
            if (vector := VECTORS.get(type(value.type))) is not None:
                Rewriter.replace_value_with_new_type(value, vector)


def _lower(op: Operation) -> None:
    function = enclosing(op, func.FuncOp)
    if function is None:
        raise PassFailedException(f"'{op.name}' op must be inside a function to be lowered")
    k = Loops.in_block(function.body.blocks[0])
    k.builder.insertion_point = InsertPoint.before(op)
    result = emit(k, op, op.operands, {name: _given(k, op, each) for name, each in operands_of(op).items()})
    Rewriter.replace_op(op, [], [] if result is None else [result])


def _given(k: Loops, op: Operation, operand: Operand) -> Part:
    """An operand as a meaning takes it."""
    match operand:
        case IntegerAttr():
            return operand.value.data
        case tuple():
            return Table(k, operand)
        case Access():
            return _array(k, operand)
        case SSAValue(type=MemRefType()):
            # What is accessed of it is accessed at one place.
            return _array(k, next(access for access in accesses(op) if access.memref is operand))
        case _:
            return operand


def _array(k: Loops, access: Access) -> Array:
    indices = access.indices or [0] * access.type.get_num_dims()
    return Array(k, *flat(k, access.memref, indices))
