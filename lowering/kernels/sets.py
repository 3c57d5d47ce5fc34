"""The instruction sets that packages bring, and their kernels by name: `SET.KERNEL`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod

from ...dialects.task import NestOp
from ...dialects.task.loops import planned_loops
from ...dialects.task.steps import Tensorize
from ...plugins import Plugins, is_instance
from .kernel import InstructionSet, Kernel
from .meaning import Bound, Meaning, meaning_of

SETS: Plugins[InstructionSet] = Plugins(
    "stillpool.instruction_sets", "a stillpool.lowering.kernels.InstructionSet", is_instance(InstructionSet)
)
"""Instruction sets, by the name that processors have for them."""
ADDED: Plugins[Kernel] = Plugins("stillpool.kernels", "a stillpool.lowering.kernels.Kernel", is_instance(Kernel))
"""Kernels of sets that other packages bring, by `SET.KERNEL`."""


def instruction_set(name: str) -> InstructionSet:
    """The instruction set of a name.

    Raises:
        ValueError: there is none.
        UsageError: that of a package cannot be loaded.
    """
    return SETS.required(name, "instruction set")


def kernel_names(name: str) -> list[str]:
    """The kernels of an instruction set, those of other packages last."""
    own = [f"{name}.{kernel.name}" for kernel in instruction_set(name).kernels]
    return [*own, *(added for added in ADDED.names() if added.rpartition(".")[0] == name and added not in own)]


def kernel_of(name: str) -> Kernel:
    """The kernel `SET.KERNEL`.

    Raises:
        ValueError: there is none.
        UsageError: that of a package cannot be loaded.
    """
    of_set, _, short = name.rpartition(".")
    own = next((kernel for kernel in instruction_set(of_set).kernels if kernel.name == short), None)
    found = own or ADDED.load(name)
    if found is None:
        raise ValueError(f"there is no kernel {name} ({', '.join(kernel_names(of_set)) or 'none'})")
    return found


def means(name: str) -> Meaning:
    """What a kernel computes.

    Raises:
        ValueError: there is no such kernel, or what it says of itself is wrong.
        UsageError: that of a package cannot be loaded.
    """
    kernel = kernel_of(name)
    try:
        found = meaning_of(kernel.meaning)
    except ValueError as error:
        raise ValueError(f"the meaning of kernel {name}: {error}") from error
    if not re.search(rf"\b{function_name(name)}\s*\(", kernel.code):
        raise ValueError(f"the code of kernel {name} defines no function {function_name(name)}")
    return found


def bound_to(nest: NestOp, step: Tensorize) -> Bound:
    """The arguments of the kernel of a step for a nest whose schedule has it.

    Raises:
        ValueError: the loops compute something else.
        UsageError: the kernel of a package cannot be loaded.
    """
    dims = {loop.name: loop.dim for loop in planned_loops(nest)}
    try:
        return means(step.kernel).bind(nest, [dims[name] for name in step.dims])
    except ValueError as error:
        raise ValueError(f"{step}: {error}") from error


def instructions_of(name: str, sizes: Sequence[int]) -> float:
    """Instructions of a kernel for so many points of each of its dimensions."""
    kernel, meaning = kernel_of(name), means(name)
    if kernel.instructions is not None:
        return kernel.instructions(**dict(zip(meaning.dims, sizes, strict=True)))
    return prod(sizes[: len(meaning.nest.space.data)]) + prod(sizes) / 8


def function_name(name: str) -> str:
    """The name in C of a kernel's function."""
    return re.sub(r"\W", "_", name)


def macro_name(name: str) -> str:
    """The macro that is 1 where the compiler has an instruction set, else 0."""
    return f"STILLPOOL_HAS_{re.sub(r'[^A-Z0-9]', '_', name.upper())}"
