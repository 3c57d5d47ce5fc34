"""Operations around instructions: kernels, frames on the stack, loops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.backend.assembly_printer import AssemblyPrintable, AssemblyPrinter, reg
from xdsl.backend.liveness import LivenessContext
from xdsl.backend.register_allocatable import RegisterAllocatableOperation
from xdsl.backend.register_allocator import BlockAllocator
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from ....dialects.operations import all_of
from .memory import listed
from .registers import Register


@irdl_op_definition
class KernelOp(IRDLOperation):
    """Instructions that run one after the other; the arguments of their block are what they are given.

    What makes kernels gives the same one again for the same parameters: it is not to be changed.
    """

    name = "armv7em.kernel"
    body = region_def("single_block")
    assembly_format = "$body attr-dict"

    def __init__(self, body: Block):
        super().__init__(regions=[Region(body)])

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """Return what the region yields."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp), "verified"
        return last.carried

    def verify_(self) -> None:
        if not isinstance(self.body.block.last_op, YieldOp):
            raise VerifyException("a kernel ends with what it yields")


kept = lru_cache(maxsize=512)
"""Decorates what makes kernels: costs count the kernel that C is printed of, and several networks have the same."""


@irdl_op_definition
class EnteringOp(IRDLOperation, AssemblyPrintable):
    """Value of a register in front of the kernel, which it must have again behind it."""

    name = "armv7em.entering"
    result = result_def(Register)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, register: Register):
        super().__init__(result_types=[register])

    def print_assembly(self, printer: AssemblyPrinter) -> None:
        pass


@irdl_op_definition
class YieldOp(IRDLOperation, AssemblyPrintable):
    """The end of a frame or a kernel: what is known behind it."""

    name = "armv7em.yield"
    carried = var_operand_def(Register)
    traits = traits_def(IsTerminator())
    assembly_format = "($carried^ `:` type($carried))? attr-dict"

    def __init__(self, *carried: SSAValue):
        super().__init__(operands=[carried])

    def print_assembly(self, printer: AssemblyPrinter) -> None:
        pass


@irdl_op_definition
class UntilOp(IRDLOperation, AssemblyPrintable):
    """The end of a pass: there is another one until two registers are equal."""

    name = "armv7em.until"
    one = operand_def(Register)
    other = operand_def(Register)
    carried = var_operand_def(Register)
    traits = traits_def(IsTerminator())
    assembly_format = "$one `,` $other (`carries` $carried^)? attr-dict `:` type(operands)"

    def __init__(self, one: SSAValue, other: SSAValue, *carried: SSAValue):
        super().__init__(operands=[one, other, carried])

    def print_assembly(self, printer: AssemblyPrinter) -> None:
        loop = self.parent_op()
        assert isinstance(loop, LoopOp), "verified"
        printer.print_string(f"cmp {reg(self.one)},{reg(self.other)}\nbne {loop.label}b\n")


class _Nested(IRDLOperation, RegisterAllocatableOperation, AssemblyPrintable):
    """One around a block."""

    carried = var_operand_def(Register)
    res = var_result_def(Register)
    body = region_def("single_block")

    def update_liveness(self, ctx: LivenessContext) -> None:
        raise NotImplementedError("the check of registers goes over the whole kernel")

    def _print_body(self, printer: AssemblyPrinter) -> None:
        for op in self.body.block.ops:
            assert isinstance(op, AssemblyPrintable), "verified"
            op.print_assembly(printer)


@irdl_op_definition
class FrameOp(_Nested):
    """Instructions around which registers are kept on the stack: words with numbers from 0 on, which they can reach."""

    name = "armv7em.frame"
    assembly_format = "$carried $body attr-dict `:` functional-type(operands, results)"

    def __init__(self, kept: Sequence[SSAValue], body: Block):
        last = body.last_op
        assert isinstance(last, YieldOp), "a frame ends so"
        super().__init__(operands=[kept], result_types=[last.operand_types], regions=[Region(body)])

    def verify_(self) -> None:
        last = self.body.block.last_op
        if not isinstance(last, YieldOp) or last.operand_types != self.result_types or self.body.block.args:
            raise VerifyException("a frame has no arguments, and ends with what it yields, in the same registers")

    def print_assembly(self, printer: AssemblyPrinter) -> None:
        printer.print_string(f"push {listed(self.carried)}\n")
        self._print_body(printer)
        printer.print_string(f"pop {listed(self.carried)}\n")

    def allocate_registers(self, allocator: BlockAllocator) -> None:
        last = self.body.block.last_op
        assert last is not None, "verified"
        for inner, outer in zip(last.operands, self.results, strict=True):
            allocator.allocate_values_same_reg((inner, outer))
        allocator.allocate_block(self.body.block)
        for value in self.carried:
            allocator.allocate_value(value)


@irdl_op_definition
class LoopOp(_Nested):
    """Instructions that run once or more. What goes from pass to pass stays in its registers."""

    name = "armv7em.loop"
    assembly_format = "$carried $body attr-dict `:` functional-type(operands, results)"

    def __init__(self, carried: Sequence[SSAValue], body: Block):
        super().__init__(operands=[carried], result_types=[body.arg_types], regions=[Region(body)])

    @property
    def label(self) -> int:
        """The number of its label: that of an innermost loop is 1."""
        return 1 + max((op.label for op in all_of(self.body, LoopOp)), default=0)

    def verify_(self) -> None:
        last, types = self.body.block.last_op, self.carried.types
        if not isinstance(last, UntilOp) or any(
            other != types for other in (last.carried.types, self.body.block.arg_types, self.result_types)
        ):
            raise VerifyException("what a loop carries stays in the same registers")

    def print_assembly(self, printer: AssemblyPrinter) -> None:
        printer.print_string(f"{self.label}:\n")
        self._print_body(printer)

    def allocate_registers(self, allocator: BlockAllocator) -> None:
        block = self.body.block
        for value in allocator.live_ins_per_block[block]:
            allocator.allocate_value(value)
        last = block.last_op
        assert isinstance(last, UntilOp), "verified"
        for group in zip(block.args, self.carried, last.carried, self.results, strict=True):
            allocator.allocate_values_same_reg(group)
        registers = [type for type in self.carried.types if isinstance(type, Register)]
        with allocator.available_registers.reserve_registers(registers):
            for value in (last.one, last.other):
                allocator.allocate_value(value)
            allocator.allocate_block(block)
