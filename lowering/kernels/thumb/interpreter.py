"""Kernels run on the bytes of a memory: registers are what their values are."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.interpreter import Interpreter
from xdsl.ir import Block, SSAValue

from .control import EnteringOp, FrameOp, KernelOp, LoopOp, UnlessOp
from .instruction import Instruction
from .machine import Machine


def interpret(
    kernel: KernelOp, machine: Machine, inputs: Sequence[int], *listeners: Interpreter.Listener
) -> Sequence[int]:
    """Run a kernel on a machine, whose memory it changes, and return what the kernel yields.

    Args:
        kernel: of any registers, for they are not looked at.
        machine: on which it runs.
        inputs: numbers of 32 bits for the arguments of its block.
        listeners: told of each operation.

    Raises:
        IndexError: it reads or writes beyond the memory.
    """
    known: dict[SSAValue, int] = {}

    def run(block: Block, inputs: Sequence[int]) -> Sequence[int]:
        known.update(zip(block.args, inputs, strict=True))
        for op in block.ops:
            values, results = tuple(known[value] for value in op.operands), list[int]()
            for listener in listeners:
                listener.will_interpret_op(op, values)
            if isinstance(op, Instruction):
                results = op.run(machine, values)
            elif isinstance(op, EnteringOp):
                results = [0]
            elif isinstance(op, FrameOp):
                machine.stack[:0] = values
                results = run(op.body.block, ())
                del machine.stack[: len(values)]
            elif isinstance(op, UnlessOp):
                one, other, *results = values
                results = results if one == other else run(op.body.block, ())
            elif isinstance(op, LoopOp):
                one, other, *results = 0, 1, *values
                while one != other:
                    one, other, *results = run(op.body.block, results)
            else:
                return values
            known.update(zip(op.results, results, strict=True))
            for listener in listeners:
                listener.did_interpret_op(op, tuple(results))
        raise AssertionError("a block ends with what it yields")

    return run(kernel.body.block, inputs)
