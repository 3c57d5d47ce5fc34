"""Kernels in C that packages bring, and the instruction sets that they are of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Kernel:
    """A function in C, and what it computes.

    The function is called `SET_KERNEL`, with underscores for what C has in no name, and returns nothing. Its arguments
    are pointers to the sums, then to what it reads, each to the first element; then numbers of type `int32_t`: the
    strides that the meaning leaves open, its scalars, and points of each of its dimensions, of which some may be 0 or
    less. It adds to the sums.

    Raises:
        ValueError: a name has a dot.
    """

    name: str
    """Name without that of its set."""
    meaning: str
    """One function with one `task.nest`, as text: it adds sums of what it reads to what it writes.

    Its dimensions may have any number of points. Along a dimension that its text lets an operand walk element by
    element it must do so; other steps along the operands' dimensions are the strides left open, in elements. A scalar
    argument stands for any number of its type, and one that is taken off an element for 0 where nothing is taken off.
    """
    code: str
    """The function, static, and what it needs."""
    instructions: Callable[..., float] | None = None
    """Instructions that run, of the sizes of its dimensions by their names; estimates compare with other loops. None
    takes an instruction for each sum and eight points."""

    def __post_init__(self) -> None:
        if "." in self.name:
            raise ValueError(f"the name of kernel {self.name} has a dot; that of its set stands in front of it")


@dataclass(frozen=True)
class InstructionSet:
    """Instructions of some processors, which name the set in `Cpu.instruction_sets`.

    Raises:
        ValueError: two kernels have one name.
    """

    guard: str
    """Condition of C's preprocessor under which the compiler has them: `defined(__riscv_vector)`."""
    kernels: tuple[Kernel, ...] = ()
    """Further ones may come from other packages."""
    prelude: str = ""
    """C in front of the kernels: includes."""

    def __post_init__(self) -> None:
        names = [kernel.name for kernel in self.kernels]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"it has {names.count(name)} kernels named {name}")
