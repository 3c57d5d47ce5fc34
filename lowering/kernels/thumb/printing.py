"""Kernels as inline assembly of GCC and clang: what alone knows of operands, clobbers, and how long C's strings are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from xdsl.backend.assembly_printer import AssemblyPrinter, reg
from xdsl.utils.exceptions import VerifyException

from ....dialects.operations import all_of
from .allocation import allocate
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


def instruction(
    kind: type[Simple], result: str, *operands: str, by: int | None = None, volatile: bool = False, letter: str = "r"
) -> str:
    """The statement of C that is one instruction, whose registers compilers choose.

    Args:
        kind: which one.
        result: variable for what it computes.
        operands: what it is given; the variable of the result by its name is changed in its register.
        by: constant that stands in it.
        volatile: whether compilers leave it where it stands.
        letter: constraint of its registers.
    """
    given = [operand for operand in operands if operand != result]
    places = {operand: f"%{n}" for n, operand in enumerate((result, *given))}
    names = {name: places[operand] for name, operand in zip(kind.INPUTS, operands, strict=True)}
    line = kind.line({"d": "%0", **names}, {} if by is None else {"by": by})
    # As people write it: nothing limits the length of so few lines.
    shown = re.sub("([a-z])#", r"\1 #", line).replace(",", ", ").replace("\n", r"\n\t")
    is_changed = len(given) < len(operands)
    out = f'"{"+" if is_changed else "=&" if kind.EARLY else "="}{letter}"({result})'
    read = ", ".join(f'"{letter}"({operand})' for operand in given)
    # The first of several instructions tells the next one by flags.
    constraints = " : ".join(filter(None, [out, read, '"cc"' if kind.COUNT > 1 else ""]))
    asm = "__asm__ volatile" if volatile else "__asm__"
    made = f'{asm}("{shown}" : {constraints});'
    return made if len(made) <= _WIDEST else f'{asm}("{shown}"\n  : {constraints});'


def intrinsic(kind: type[Simple], *operands: str) -> str:
    """The function that compilers have for an instruction, called: Arm C Language Extensions, 8.5."""
    given = dict(zip(kind.INPUTS, operands, strict=True))
    mnemonic, written = kind.WRITTEN.split(" ")
    return f"__{mnemonic}({', '.join(given[letter] for letter in re.findall('{([abc])}', written))})"


@kept
def text(kernel: KernelOp) -> str:
    """The assembly of a kernel that has registers, without spaces: C limits the length of a string."""
    written = StringIO()
    kernel.print_assembly(AssemblyPrinter(written))
    return f".syntax unified\n{written.getvalue()}"


@kept
def fits(kernel: KernelOp) -> bool:
    """Whether the text of a kernel is no longer than C lets a string be."""
    if counted(kernel).standing * _WIDEST_LINE <= LONGEST:
        return True
    allocate(kernel)
    return len(_CHOSEN.sub("%00", text(kernel))) <= LONGEST


def statement(kernel: KernelOp, inputs: Sequence[Variable], results: Sequence[Variable] = ()) -> str:
    """The kernel as a statement of C, with the declarations of its variables in front.

    Raises:
        VerifyException: its registers do not hold what is read, its text is too long, or pointers do not reach so far.
    """
    for op in all_of(kernel, AtPointer):
        if not op.reaches:
            raise VerifyException(f"{op.name} does not reach {op.distance} bytes")
    changed = allocate(kernel)
    given = {reg(value): variable for value, variable in zip(kernel.body.block.args, inputs, strict=True)}
    left = {reg(value): variable for value, variable in zip(kernel.yielded, results, strict=True)}
    # What the compiler has to find a register for, though nothing comes of it.
    names = [one for one in changed if _CHOSEN.fullmatch(one) and one not in given | left]
    free = {one: Variable(f"t{number}") for number, one in enumerate(names)}
    variables = given | left | free
    labels = {one: re.sub(r"\W+", "", variable.name) for one, variable in variables.items() if _CHOSEN.fullmatch(one)}

    def named(names: Mapping[str, str]) -> str:
        return _CHOSEN.sub(lambda found: names[found[0]], text(kernel))

    def constraint(register: str, kind: str) -> str:
        label = f"[{labels[register]}]" if register in labels else ""
        return f'{label}"{kind}"({variables[register].name})'

    assembly = named({one: f"%[{label}]" for one, label in labels.items()})
    if len(assembly) > LONGEST:
        # Numbers are shorter than names.
        order = (*left, *free, *sorted(given, key=lambda register: register not in changed))
        assembly = named({register: f"%{number}" for number, register in enumerate(order)})
    if (length := len(assembly)) > LONGEST:
        raise VerifyException(f"its text has {length} characters, more than C99 lets a string have: write out less")
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
            *(f'    "{line}\\n"' for line in assembly.splitlines()),
            f"    : {outputs}",
            f"    : {only}".rstrip(),
            "    : " + ", ".join(f'"{one}"' for one in clobbered) + ");",
        ]
    )
