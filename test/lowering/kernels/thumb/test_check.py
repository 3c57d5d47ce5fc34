"""Whether the registers of kernels are checked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from kernel_runs import PASSES, allocated, machine_of, operands
from xdsl.interpreter import Interpreter
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from stillpool.lowering.kernels.armv7em.dual_products import Walk, dual_products
from stillpool.lowering.kernels.armv7em.instructions import asr
from stillpool.lowering.kernels.thumb import KernelOp, allocate, check_registers
from stillpool.lowering.kernels.thumb.control import FrameOp, YieldOp
from stillpool.lowering.kernels.thumb.instruction import Instruction
from stillpool.lowering.kernels.thumb.interpreter import interpret
from stillpool.lowering.kernels.thumb.registers import Register


class Clobbered(Exception):
    """A register has something else than what an instruction reads."""


class Registers(Interpreter.Listener):
    """Registers by their names, as the processor has them."""

    def __init__(self) -> None:
        self.held: dict[object, object] = {}
        self.frames: list[dict[object, object]] = []

    def will_interpret_op(self, op: Operation, args: tuple[object, ...]) -> None:
        if any(self.held.get(value.type, arg) != arg for value, arg in zip(op.operands, args, strict=True)):
            raise Clobbered
        if isinstance(op, FrameOp):
            self.frames.append({value.type: arg for value, arg in zip(op.operands, args, strict=True)})

    def did_interpret_op(self, op: Operation, results: tuple[object, ...]) -> None:
        if isinstance(op, FrameOp):
            self.held |= self.frames.pop()
        self.held |= {value.type: result for value, result in zip(op.results, results, strict=True)}


def test_a_register_that_is_needed_may_not_be_written() -> None:
    """With another register for any value the check says what happens to the processor's registers."""
    walk = Walk(2, 1)
    kernel = allocated(dual_products(walk, 2, shares=True))
    lanes, _, packed, starts = operands(np.random.default_rng(7), walk, 2, shares=True)
    end = lanes.nbytes + packed[: PASSES * walk.passed].nbytes
    found: list[bool] = []
    for op in list(kernel.body.walk()):
        for result in op.results if isinstance(op, Instruction) and op.changed is None else ():
            own = result.type
            for number in (0, 4, 5, 8, 10):
                result._type = Register.from_index(number)  # pyright: ignore[reportPrivateUsage]
                try:
                    kernel.verify()
                except VerifyException:
                    continue
                if {value.type for value in kernel.yielded} & {value.type for value in kernel.body.block.args}:
                    # That is what compilers refuse, and changes nothing that is read.
                    assert sees(lambda: check_registers(kernel))
                    continue
                machine, (x, w, s) = machine_of(lanes, packed, starts)
                assert sees(lambda: check_registers(kernel)) == sees(
                    lambda: interpret(kernel, machine, (x, w, s, end), Registers())  # noqa: B023
                )
                found.append(sees(lambda: check_registers(kernel)))
            result._type = own  # pyright: ignore[reportPrivateUsage]
    assert found.count(True) > 50
    assert found.count(False) > 10
    check_registers(kernel)


def test_a_result_is_not_in_the_register_of_an_input() -> None:
    kernel = KernelOp("r4")
    with kernel.filled() as (number,):
        YieldOp(asr(number, by=1).result)
    with pytest.raises(VerifyException, match="a result is in the register of an input"):
        allocate(kernel)


def sees(run: Callable[[], object]) -> bool:
    """Whether it finds a register with something else in it."""
    try:
        run()
    except (VerifyException, Clobbered):
        return True
    return False
