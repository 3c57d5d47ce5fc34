"""Base of all instructions: operations on registers that print as one line of assembly and say what they compute."""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from xdsl.backend.assembly_printer import OneLineAssemblyPrintable, reg
from xdsl.backend.register_allocatable import HasRegisterConstraints, RegisterConstraints
from xdsl.dialects.builtin import I64, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, operand_def, prop_def, result_def, traits_def
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException

from ..definition import Row, constant, defined
from .machine import Machine, signed
from .registers import AnyRegister, Register, register_of, unallocated


class Instruction(IRDLOperation, OneLineAssemblyPrintable, HasRegisterConstraints, ABC):
    """An instruction."""

    COUNT: ClassVar[int] = 1
    """Lines that it is."""
    EARLY: ClassVar[bool] = False
    """Whether it writes to a result before it has read all operands, which are in other registers then."""

    def __init__(
        self,
        operands: Sequence[SSAValue],
        result_types: Sequence[AnyRegister],
        properties: Mapping[str, Attribute] | None = None,
    ):
        # Nothing is left to be found out about segments: what IRDL does for them takes four times as long.
        Operation.__init__(self, operands=operands, result_types=result_types, properties=properties or {})

    @property
    @abstractmethod
    def changed(self) -> SSAValue | None:
        """Return the operand that the first result replaces in its register, if there is one."""

    @property
    def is_short(self) -> bool:
        """Return whether it has an encoding of 16 bits, as it is written, where its registers are r0 to r7."""
        return False

    @property
    def result(self) -> SSAValue:
        """Return the number that is computed or loaded, where it is a single one."""
        return self.results[-1]

    def get_register_constraints(self) -> RegisterConstraints:
        changed = self.changed
        if changed is None:
            return RegisterConstraints(self.operands, self.results, [])
        inputs = [value for value in self.operands if value is not changed]
        return RegisterConstraints(inputs, self.results[1:], [(changed, self.results[0])])

    def verify_(self) -> None:
        if self.changed is not None and self.changed.type != self.results[0].type:
            raise VerifyException("what an instruction changes stays in its register")

    @abstractmethod
    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        """Results for operands, all of 32 bits with a sign."""


_Numbers = int | tuple[int, ...]


class Simple(Instruction, Row, ABC):
    """A row whose operands are in registers."""

    RESULTS: ClassVar[int]
    SHORT: ClassVar[bool]
    CHANGED: ClassVar[int | None]
    """The operand that is not written, by number."""

    def __init__(self, *inputs: SSAValue, by: int | None = None, to: type[AnyRegister] | None = None):
        """Results are in registers `to` which they go, or of the first input's kind."""
        kind = to or (register_of(inputs[0]).__class__ if inputs else Register)
        super().__init__(inputs, [unallocated(kind)] * self.RESULTS, None if by is None else {"by": constant(by)})

    @property
    def is_short(self) -> bool:
        return self.SHORT

    @property
    def changed(self) -> SSAValue | None:
        return None if self.CHANGED is None else self.operands[self.CHANGED]

    def assembly_line(self) -> str:
        letters, values = (*self.INPUTS, *"de"[: self.RESULTS]), (*self.operands, *self.results)
        return self.line(dict(zip(letters, map(reg, values), strict=True)), self.constants)

    @classmethod
    def line(cls, registers: Mapping[str, str], constants: Mapping[str, int]) -> str:
        """The line of assembly, or lines, with registers by the letters that the row has for them."""
        both = registers.get("d") == registers.get("a")
        line = cls.WRITTEN.format_map({**registers, "d,": "" if both else f"{registers.get('d')},", **constants})
        # A number that is shifted by no bit is the number itself, and what lies 0 bytes behind a place is at it.
        return line if all(constants.values()) else re.sub(r",[a-z]+#0$|,#0(?=\]$)", "", line)

    def run(self, machine: Machine, values: Sequence[int]) -> Sequence[int]:
        found = self.FUNCTION(machine, *values, **self.constants)
        return list(map(signed, found if isinstance(found, tuple) else (found,)))


def assembly(written: str, *traits: OpTrait, short: bool = False) -> Callable[[Callable[..., _Numbers]], type[Simple]]:
    """Make a function with a docstring an instruction of its name, in the dialect of its folder, as `row` does."""

    def define(function: Callable[..., _Numbers]) -> type[Simple]:
        dialect, name = function.__module__.split(".")[-2], function.__name__
        return row(dialect, written, function.__doc__ or "", function, *traits, name=name, short=short)

    return define


def row(
    dialect: str,
    written: str,
    doc: str,
    function: Callable[..., _Numbers],
    *traits: OpTrait,
    name: str = "",
    short: bool = False,
) -> type[Simple]:
    """Make a function an instruction.

    The function takes the machine where it is called so, numbers of 32 bits with a sign for operands, and `by` for a
    constant that stands in the instruction. It returns the numbers of the results, whose bits beyond 32 are cut off.

    Args:
        dialect: of the operation.
        written: line of assembly. `{d}` is the register of the result, `{e}` that of a second one; operands have the
            names that they have in the function. Instead of `{d},` nothing stands for `{d,}` where that is `{a}`. An
            operand that is not written is in the register of the result.
        doc: what it computes.
        function: how.
        traits: of the operation.
        name: of the operation, where it is not the mnemonic.
        short: whether it has an encoding of 16 bits where its registers are low.
    """
    names, lines = list(inspect.signature(function).parameters), written.splitlines()
    run = function if "machine" in names else lambda _, *values, **by: function(*values, **by)
    inputs = [name for name in names if name not in ("machine", "by")]
    results = [name for name in "de" if f"{{{name}" in written]
    sides = [side for side, listed in (("operands", inputs), ("results", results)) if listed]
    typed = f"functional-type({', '.join(sides)})" if len(sides) > 1 else f"type({sides[0]})"
    shown = [*(["operands"] if inputs else []), *(["`by` $by"] if "by" in names else []), "attr-dict", "`:`", typed]
    return defined(
        Simple,
        f"{dialect}.{name or re.split('[ .]', written)[0]}",
        doc,
        assembly_format=" ".join(shown),
        INPUTS=inputs,
        RESULTS=len(results),
        WRITTEN=written,
        SHORT=short,
        CHANGED=next((number for number, name in enumerate(inputs) if f"{{{name}}}" not in written), None),
        COUNT=len(lines),
        EARLY=any(f"{{{name}}}" in line for line in lines[1:] for name in inputs),
        FUNCTION=staticmethod(run),
        traits=traits_def(*traits),
        **{name: operand_def(AnyRegister) for name in inputs},
        **{name: result_def(AnyRegister) for name in results},
        **({"by": prop_def(IntegerAttr[I64])} if "by" in names else {}),
    )
