"""Operations around instructions: kernels, frames on the stack, loops."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from xdsl.backend.assembly_printer import AssemblyPrintable, AssemblyPrinter, reg
from xdsl.builder import ImplicitBuilder
from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarOperand,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from ....dialects.operations import all_of
from .registers import AnyRegister, Register, ascend, listed, unallocated


class Around(IRDLOperation, AssemblyPrintable):
    """One around a block."""

    body = region_def("single_block")

    @contextmanager
    def filled(self) -> Generator[Sequence[SSAValue]]:
        """Append what is made meanwhile to the block, whose arguments are there; it ends with nothing, if not told."""
        with ImplicitBuilder(self.body):
            yield self.body.block.args
            if not isinstance(self.body.block.last_op, UntilOp | YieldOp):
                YieldOp()

    @property
    def label(self) -> int:
        """The number of its label, if it has one: the least that none inside of it has."""
        return 1 + max((op.label for op in all_of(self.body, LoopOp, UnlessOp)), default=0)

    @property
    def yielded(self) -> VarOperand:
        """Return what is known behind it."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp | UntilOp), "verified"
        return last.carried

    def print_assembly(self, printer: AssemblyPrinter) -> None:
        for op in self.body.block.ops:
            if isinstance(op, AssemblyPrintable):
                op.print_assembly(printer)


@irdl_op_definition
class KernelOp(Around):
    """Instructions that run one after the other; the arguments of their block are what they are given.

    What makes kernels gives the same one again for the same parameters. It is not to be changed, but that values get
    registers (`allocate`).
    """

    name = "thumb.kernel"
    registers = opt_prop_def(ArrayAttr[AnyRegister])
    """Those that it may write to, in order of their numbers; all of `GENERAL` without. With none of these compilers
    choose others."""
    assembly_format = "(`writes` $registers^)? $body attr-dict"

    def __init__(self, *inputs: str, writes: Sequence[AnyRegister] | None = None):
        """A kernel without instructions that is given something in registers."""
        properties = {} if writes is None else {"registers": ArrayAttr(writes)}
        block = Block(arg_types=list(map(Register.from_name, inputs)))
        super().__init__(regions=[Region(block)], properties=properties)

    def verify_(self) -> None:
        if not isinstance(self.body.block.last_op, YieldOp):
            raise VerifyException("a kernel ends with what it yields")


kept = lru_cache(maxsize=512)
"""Decorates what makes kernels: costs count the kernel that C is printed of, and several networks have the same."""


@irdl_op_definition
class EnteringOp(IRDLOperation):
    """Value of a register in front of the kernel, which it must have again behind it."""

    name = "thumb.entering"
    result = result_def(Register)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, register: str):
        super().__init__(result_types=[Register.from_name(register)])


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The end of a frame or a kernel: what is known behind it."""

    name = "thumb.yield"
    carried = var_operand_def(AnyRegister)
    traits = traits_def(IsTerminator())
    assembly_format = "($carried^ `:` type($carried))? attr-dict"

    def __init__(self, *carried: SSAValue):
        super().__init__(operands=[carried])


@irdl_op_definition
class UntilOp(IRDLOperation):
    """The end of a pass: there is another one until two registers are equal."""

    name = "thumb.until"
    one = operand_def(AnyRegister)
    other = operand_def(AnyRegister)
    carried = var_operand_def(AnyRegister)
    traits = traits_def(IsTerminator())
    assembly_format = "$one `,` $other (`carries` $carried^)? attr-dict `:` type(operands)"

    def __init__(self, one: SSAValue, other: SSAValue, *carried: SSAValue):
        super().__init__(operands=[one, other, carried])


@irdl_op_definition
class FrameOp(Around):
    """Instructions around which registers are kept on the stack: words with numbers from 0 on, which they can reach."""

    name = "thumb.frame"
    carried = var_operand_def(Register)
    res = var_result_def(Register)
    assembly_format = "$carried $body attr-dict `:` functional-type(operands, results)"

    def __init__(self, *kept: SSAValue, known: int = 0):
        """A frame without instructions, behind which so many values are known."""
        super().__init__(operands=[kept], result_types=[[unallocated(Register)] * known], regions=[Region(Block())])

    def verify_(self) -> None:
        last = self.body.block.last_op
        if not isinstance(last, YieldOp) or last.operand_types != self.result_types or self.body.block.args:
            raise VerifyException("a frame has no arguments, and ends with what it yields, in the same registers")
        if not ascend(self.carried):
            raise VerifyException("of what a frame keeps the first is in the register with the least number")

    def print_assembly(self, printer: AssemblyPrinter) -> None:
        printer.print_string(f"push {listed(self.carried)}\n")
        super().print_assembly(printer)
        printer.print_string(f"pop {listed(self.carried)}\n")


class Carrying(Around):
    """One that leaves what it changes in its registers."""

    carried = var_operand_def(AnyRegister)
    res = var_result_def(AnyRegister)

    def __init__(self, carried: Sequence[SSAValue], before: Sequence[SSAValue] = (), *, passes: bool = False):
        """One without instructions, whose block has what is carried as arguments if it `passes` it on."""
        types = [value.type for value in carried]
        body = Region(Block(arg_types=types if passes else ()))
        super().__init__(operands=[*before, carried], result_types=[types], regions=[body])

    def _stays(self, *others: Sequence[Attribute]) -> bool:
        """Whether others have the same types as what is carried, too."""
        return all(types == self.carried.types for types in (self.yielded.types, self.result_types, *others))


@irdl_op_definition
class LoopOp(Carrying):
    """Instructions that run once or more. What goes from pass to pass stays in its registers."""

    name = "thumb.loop"
    assembly_format = "$carried $body attr-dict `:` functional-type(operands, results)"

    def __init__(self, *carried: SSAValue):
        super().__init__(carried, passes=True)

    def verify_(self) -> None:
        if not isinstance(self.body.block.last_op, UntilOp) or not self._stays(self.body.block.arg_types):
            raise VerifyException("what a loop carries stays in the same registers")

    def print_assembly(self, printer: AssemblyPrinter) -> None:
        printer.print_string(f"{self.label}:\n")
        super().print_assembly(printer)
        last = self.body.block.last_op
        assert isinstance(last, UntilOp), "verified"
        printer.print_string(f"cmp {reg(last.one)},{reg(last.other)}\nbne {self.label}b\n")


_Step = Callable[..., Sequence[SSAValue]]
"""Makes instructions of values that change from one word to the next."""


@dataclass(frozen=True)
class Walk:
    """Words that are gone over: how many stand in the pass of a loop, none without one, and how many behind it."""

    passed: int
    after: int

    def over(self, word: _Step, ends: _Step, *state: SSAValue) -> Sequence[SSAValue]:
        """Go over all words: each makes of a state that of the next one; `ends` are equal behind the last pass."""
        if self.passed:
            loop = LoopOp(*state)
            with loop.filled() as carried:
                for _ in range(self.passed):
                    carried = word(*carried)
                one, other = ends(*carried)
                UntilOp(one, other, *carried)
            state = loop.results
        for _ in range(self.after):
            state = (*word(*state),)
        return state


@irdl_op_definition
class UnlessOp(Carrying):
    """Instructions that do not run if two registers are equal. What they change stays in its registers."""

    name = "thumb.unless"
    one = operand_def(AnyRegister)
    other = operand_def(AnyRegister)
    assembly_format = "$one `,` $other (`carries` $carried^)? $body attr-dict `:` functional-type(operands, results)"

    def __init__(self, one: SSAValue, other: SSAValue, *carried: SSAValue):
        super().__init__(carried, (one, other))

    def verify_(self) -> None:
        if not isinstance(self.body.block.last_op, YieldOp) or not self._stays():
            raise VerifyException("what is changed, or not, stays in the same registers")

    def print_assembly(self, printer: AssemblyPrinter) -> None:
        printer.print_string(f"cmp {reg(self.one)},{reg(self.other)}\nbeq {self.label}f\n")
        super().print_assembly(printer)
        printer.print_string(f"{self.label}:\n")
