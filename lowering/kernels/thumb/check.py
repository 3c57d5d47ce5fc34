"""Whether each instruction finds in its registers what it was given: an own walk, which knows nothing of allocation."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ....dialects.operations import all_of
from .control import EnteringOp, FrameOp, KernelOp, LoopOp, UnlessOp
from .instruction import Instruction
from .memory import WORD, spill
from .registers import Register, number_of


def check_registers(kernel: KernelOp) -> list[str]:
    """Check that no register is written while what it has is needed, and that those that enter are the same at the end.

    Returns:
        Names of registers in which something is left behind, in order of numbers; then those that compilers choose.

    Raises:
        VerifyException: a register has something else than what is read, none is given, or a result is in an input's.
    """
    inputs = kernel.body.block.args
    held: dict[int, SSAValue] = {number_of(value): value for value in inputs}
    _walk(kernel.body.block, held)
    entering = [op.result for op in kernel.body.block.ops if isinstance(op, EnteringOp)]
    for value in entering:
        _read(held, value, "the end")
    if {number_of(value) for value in kernel.yielded} & {number_of(value) for value in inputs}:
        raise VerifyException("a result is in the register of an input")
    left = [number for number, value in held.items() if value not in entering and value not in inputs]
    left.sort(key=lambda number: (number < 0, abs(number)))
    return [Register.from_index(number).register_name.data for number in left]


def _walk(block: Block, held: dict[int, SSAValue]) -> None:
    for op in block.ops:
        for operand in op.operands:
            _read(held, operand, op.name)
        if op.regions:
            _walk_inside(op, held)
        if isinstance(op, Instruction) and op.EARLY:
            ins, outs, _ = op.get_register_constraints()
            if {number_of(value) for value in ins} & {number_of(value) for value in outs}:
                raise VerifyException(f"{op.name}: it writes to a register before it has read it")
        for result in op.results:
            held[number_of(result)] = result


def _walk_inside(op: Operation, held: dict[int, SSAValue]) -> None:
    if isinstance(op, FrameOp):
        _walk(op.body.block, held)
        kept = list(op.carried)
        for inner in all_of(op.body, spill):
            kept[inner.constants["by"] // WORD] = inner.operands[0]
        held |= {number_of(place): value for place, value in zip(op.carried, kept, strict=True)}
    elif isinstance(op, LoopOp):
        # What the first pass finds from before the loop, the second one must find, too.
        for _ in range(2):
            held |= {number_of(value): value for value in op.body.block.args}
            _walk(op.body.block, held)
    elif isinstance(op, UnlessOp):
        # Behind it what its registers had before counts for nothing, whether they have it still or not.
        _walk(op.body.block, held)


def _read(held: dict[int, SSAValue], value: SSAValue, where: str) -> None:
    if held.get(number_of(value)) is not value:
        raise VerifyException(f"{where}: {value.type} has something else than what is read")
