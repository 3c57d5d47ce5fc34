"""The pass `lower-simd`: operations of `simd` become what they mean, in loops and arithmetic.

What knows the dialects of MLIR alone can read the module then, and run it: vectors are those of MLIR, and nothing asks
for instructions of a processor.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, vector
from xdsl.dialects.builtin import FunctionType, IntegerAttr, ModuleOp, VectorType, i1
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.accesses import Access, accesses
from ...dialects.operations import all_of, enclosing, operations
from ...dialects.simd.kernel import HasOp
from ...dialects.simd.windows import WindowsOp
from ..builder import Loops, flat
from .meaning import VECTORS, Array, Elements, Made, Operand, Part, accessed, emit, has_meaning, operands_of, table


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
        if isinstance(branch, scf.IfOp) and not branch.false_region.blocks:
            Rewriter.erase_op(branch)
        elif isinstance(branch, scf.IfOp):
            *inside, last = branch.false_region.block.ops
            for inner in inside:
                inner.detach()
            Rewriter.replace_op(branch, inside, last.operands)
    Rewriter.replace_op(asked, arith.ConstantOp(IntegerAttr(0, i1)))


def _convert(module: ModuleOp) -> None:
    """Give values of vectors the types of MLIR."""
    for op in operations(module):
        if isinstance(op, func.FuncOp):
            given, made = op.function_type.inputs.data, op.function_type.outputs.data
            op.function_type = FunctionType.from_lists(
                *([VECTORS.get(type(t), t) for t in each] for each in (given, made))
            )
        for value in (*op.results, *(arg for region in op.regions for block in region.blocks for arg in block.args)):
            if (converted := VECTORS.get(type(value.type))) is not None:
                Rewriter.replace_value_with_new_type(value, converted)


def _lower(op: Operation) -> None:
    function = enclosing(op, func.FuncOp)
    if function is None:
        raise PassFailedException(f"'{op.name}' op must be inside a function to be lowered")
    k = Loops.in_block(function.body.blocks[0])
    k.builder.insertion_point = InsertPoint.before(op)
    operands = operands_of(op)
    places = accessed(accesses(op), operands.values())
    parts = {name: _given(k, each) for name, each in zip(operands, places, strict=True)}
    result = _value(k, op, emit(k, op, parts))
    Rewriter.replace_op(op, [], [] if result is None else [result])


def _value(k: Loops, op: Operation, made: Made) -> SSAValue | None:
    """What is made as a value: elements as the vector of them."""
    if made is None or isinstance(made, SSAValue):
        return made
    type = op.results[0].type
    assert isinstance(type, VectorType), "converted before"
    first, *others = [made(n) for n in range(type.get_shape()[0])] if callable(made) else made
    whole = k.emit(vector.BroadcastOp(first, type))
    for number, other in enumerate(others, 1):
        if other is not first:
            whole = k.emit(vector.InsertOp(other, whole, [number]))
    return whole


def _given(k: Loops, operand: Operand) -> Part:
    """An operand as a meaning takes it."""
    match operand:
        case IntegerAttr():
            return operand.value.data
        case tuple():
            return table(k, operand)
        case Access():
            indices = operand.indices or [0] * operand.type.get_num_dims()
            return Array(k, *flat(k, operand.memref, indices))
        case SSAValue(type=VectorType()):
            return Elements(k, operand)
        case _:
            return operand
