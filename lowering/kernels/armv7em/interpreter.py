"""Kernels run by xDSL's interpreter, on the bytes of a memory: registers are what their values are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.ir import Operation

from .control import EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, YieldOp
from .dialect import INSTRUCTIONS
from .instruction import Instruction
from .machine import Machine


class _KernelFunctions(InterpreterFunctions):
    """All that a kernel has. Each instruction says itself what it computes."""

    def __init__(self, machine: Machine):
        self.machine = machine

    def run_instruction(self, interpreter: Interpreter, op: Instruction, values: PythonValues) -> PythonValues:
        return tuple(op.run(self.machine, values))

    @impl(EnteringOp)
    def run_entering(self, interpreter: Interpreter, op: EnteringOp, values: PythonValues) -> PythonValues:
        return (0,)

    @impl(FrameOp)
    def run_frame(self, interpreter: Interpreter, op: FrameOp, values: PythonValues) -> PythonValues:
        self.machine.stack[:0] = values
        results = interpreter.run_ssacfg_region(op.body, (), "frame")
        del self.machine.stack[: len(values)]
        return results

    @impl(LoopOp)
    def run_loop(self, interpreter: Interpreter, op: LoopOp, values: PythonValues) -> PythonValues:
        one, other = 0, 1
        while one != other:
            one, other, *carried = interpreter.run_ssacfg_region(op.body, values, "loop")
            values = tuple(carried)
        return values

    def run_end(
        self, interpreter: Interpreter, op: Operation, values: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        return ReturnedValues(values), ()


for _kind in INSTRUCTIONS:
    setattr(_KernelFunctions, f"run_{_kind.__name__}", impl(_kind)(_KernelFunctions.run_instruction))
for _end in (UntilOp, YieldOp):
    setattr(_KernelFunctions, f"run_{_end.__name__}", impl_terminator(_end)(_KernelFunctions.run_end))
register_impls(_KernelFunctions)


def interpret(
    kernel: KernelOp, machine: Machine, inputs: Sequence[int], *listeners: Interpreter.Listener
) -> tuple[Any, ...]:
    """Run a kernel on a machine, whose memory it changes, and return what the kernel yields.

    Args:
        kernel: of any registers, for they are not looked at.
        machine: on which it runs.
        inputs: numbers of 32 bits for the arguments of its block.
        listeners: told of each operation.

    Raises:
        IndexError: it reads or writes beyond the memory.
    """
    interpreter = Interpreter(ModuleOp([]), listeners=listeners)
    interpreter.register_implementations(_KernelFunctions(machine))
    return interpreter.run_ssacfg_region(kernel.body, tuple(inputs), "kernel")
