"""Kernels as inline assembly of GCC and clang: what alone knows of operands, clobbers, and how long C's strings are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from xdsl.backend.assembly_printer import AssemblyPrinter, reg
from xdsl.utils.exceptions import VerifyException

from ....dialects.operations import all_of
from .allocation import allocate
from .check import check_registers
from .control import KernelOp, kept
from .counts import counted
from .instruction import Simple
from .memory import AtPointer

_CHOSEN = re.compile(r"\bv(\d+)\b")
"""A register that the compiler chooses, by the number of the variable that is in it."""
_LONG = {"sl": "r10", "fp": "r11", "ip": "r12"}
"""Names of registers as others know them."""
LONGEST = 4095
"""Characters of a string that compilers take for sure: C99, 5.2.4.1."""
_WIDEST_LINE = 40
"""More characters than a line of a kernel has: the longest ones name ten registers."""
_WIDEST = 83
"""Characters of a statement of one instruction that stands in one line."""


@dataclass(frozen=True)
class Variable:
    """A variable of C that a kernel is given, or that it leaves a number in."""

    name: str
    """Name in C, or a place such as an element of an array."""
    type: str = ""
    """Type in front of the name where the statement declares it; empty where it is there already."""
    value: str = ""
    """Value in front of the kernel; nothing for a result."""

    def declared(self, register: str) -> str:
        """The line that declares it in a register."""
        value = f" = {self.value}" if self.value else ""
        chosen = "" if _CHOSEN.fullmatch(register) else f' __asm__("{_LONG.get(register, register)}")'
        return f"  {'register ' if chosen else ''}{self.type}{self.name}{chosen}{value};"


@dataclass(frozen=True)
class One:
    """One instruction in C: compilers choose its registers."""

    kind: type[Simple]
    result: str
    """Name in C of the variable for what it computes."""
    operands: Sequence[str]
    """What it is given, in C; the variable of the result by its name is changed in its register."""
    by: int | None = None
    """Constant that stands in it."""
    volatile: bool = False
    """Whether compilers leave it where it stands."""
    letter: str = "r"
    """Constraint of its registers."""

    def statement(self) -> str:
        """The statement of C."""
        kind, own = self.kind, f"({self.result})"
        given = [operand for operand in self.operands if operand != self.result]
        places = {operand: f"%{n}" for n, operand in enumerate((self.result, *given))}
        names = {letter: places[operand] for letter, operand in zip(kind.INPUTS, self.operands, strict=True)}
        line = kind.line({"d": "%0", **names}, {} if self.by is None else {"by": self.by})
        # As people write it: nothing limits the length of so few lines.
        text = re.sub("([a-z])#", r"\1 #", line).replace(",", ", ").replace("\n", r"\n\t")
        is_changed = len(given) < len(self.operands)
        out = f'"{"+" if is_changed else "=&" if kind.EARLY else "="}{self.letter}"{own}'
        read = ", ".join(f'"{self.letter}"({operand})' for operand in given)
        # The first of several instructions tells the next one by flags.
        constraints = " : ".join(filter(None, [out, read, '"cc"' if kind.COUNT > 1 else ""]))
        asm = "__asm__ volatile" if self.volatile else "__asm__"
        made = f'{asm}("{text}" : {constraints});'
        return made if len(made) <= _WIDEST else f'{asm}("{text}"\n  : {constraints});'


def intrinsic(kind: type[Simple], *operands: str) -> str:
    """The function that compilers have for an instruction, called: Arm C Language Extensions, 8.5."""
    given = dict(zip(kind.INPUTS, operands, strict=True))
    mnemonic, written = kind.WRITTEN.split(" ")
    return f"__{mnemonic}({', '.join(given[letter] for letter in re.findall('{([abc])}', written))})"


def lines(kernel: KernelOp) -> list[str]:
    """The kernel's lines of assembly, without spaces: C limits the length of a string."""
    text = StringIO()
    kernel.print_assembly(AssemblyPrinter(text))
    return text.getvalue().splitlines()


@kept
def _assembly(kernel: KernelOp) -> Sequence[str]:
    """The lines of a kernel that has registers, made once."""
    return [".syntax unified", *lines(kernel)]


def _length(assembly: Iterable[str]) -> int:
    """Characters of lines in a string."""
    return sum(len(line) + 1 for line in assembly)


@kept
def fits(kernel: KernelOp) -> bool:
    """Whether the text of a kernel is no longer than C lets a string be."""
    if counted(kernel).standing * _WIDEST_LINE <= LONGEST:
        return True
    allocate(kernel)
    return _length(_CHOSEN.sub("%00", line) for line in _assembly(kernel)) <= LONGEST


def statement(kernel: KernelOp, inputs: Sequence[Variable], results: Sequence[Variable] = ()) -> str:
    """The kernel as a statement of C, with the declarations of its variables in front.

    Raises:
        VerifyException: its registers do not hold what is read, its text is too long, or pointers do not reach so far.
    """
    for op in all_of(kernel, AtPointer):
        if not op.reaches:
            raise VerifyException(f"{op.name} does not reach {op.distance} bytes")
    same = allocate(kernel)
    if same.left is None:
        same.left = [register.register_name.data for register in check_registers(kernel)]
    changed = same.left
    given = {reg(value): variable for value, variable in zip(kernel.body.block.args, inputs, strict=True)}
    left = {reg(value): variable for value, variable in zip(kernel.yielded, results, strict=True)}
    # What the compiler has to find a register for, though nothing comes of it.
    names = [one for one in changed if _CHOSEN.fullmatch(one) and one not in given | left]
    free = {one: Variable(f"t{number}") for number, one in enumerate(names)}
    variables = given | left | free
    labels = {one: re.sub(r"\W+", "", variable.name) for one, variable in variables.items() if _CHOSEN.fullmatch(one)}

    def named(names: Mapping[str, str]) -> list[str]:
        return [_CHOSEN.sub(lambda found: names[found[0]], line) for line in _assembly(kernel)]

    def constraint(register: str, kind: str) -> str:
        label = f"[{labels[register]}]" if register in labels else ""
        return f'{label}"{kind}"({variables[register].name})'

    assembly = named({one: f"%[{label}]" for one, label in labels.items()})
    if _length(assembly) > LONGEST:
        # Numbers are shorter than names.
        order = (*left, *free, *sorted(given, key=lambda register: register not in changed))
        assembly = named({register: f"%{number}" for number, register in enumerate(order)})
    if (length := _length(assembly)) > LONGEST:
        raise VerifyException(f"its text has {length} characters, more than C99 lets a string have: write out less")
    text = "\n".join(f'    "{line}\\n"' for line in assembly)
    both = [constraint(register, "+r") for register in given if register in changed]
    written = [constraint(register, "=&r") for register in (*left, *free)]
    outputs = ",\n      ".join(", ".join(group) for group in (written, both) if group)
    only = ", ".join(constraint(register, "r") for register in given if register not in changed)
    clobbered = [*(_LONG.get(one, one) for one in changed if one not in variables), "cc", "memory"]
    declared = [one.declared(register) for register, one in variables.items() if one.type]
    declared += [f"  int32_t {', '.join(one.name for one in free.values())};"] if free else []
    return "\n".join(
        [
            *declared,
            "  __asm__ volatile(",
            text,
            f"    : {outputs}",
            f"    : {only}".rstrip(),
            "    : " + ", ".join(f'"{one}"' for one in clobbered) + ");",
        ]
    )
