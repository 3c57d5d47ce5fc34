"""The page of what packages that add to stillpool may call: one part for each kind of addition."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from api_entries import class_entry, function_entry
from pages import ROOT

from stillpool.dialects.external import OperatorOp
from stillpool.dialects.external.handed import Wishes
from stillpool.dialects.nn.signature import FromTensor
from stillpool.dialects.task import loop_steps
from stillpool.dialects.task.loop import Loop
from stillpool.dialects.task.step import Domain, Macro, Step
from stillpool.frontends.tflite import node, schema
from stillpool.frontends.tflite.operators import registry as importers
from stillpool.lowering import kernels
from stillpool.lowering.builder.emitter import Emitter
from stillpool.lowering.builder.floats import Floats
from stillpool.lowering.builder.integers import Integers
from stillpool.lowering.builder.loops import Loops
from stillpool.lowering.emit_c.builder import Builder
from stillpool.lowering.emit_c.lowering import Lowering
from stillpool.lowering.kernels import InstructionSet
from stillpool.lowering.nn import pointwise, registry
from stillpool.lowering.nn.kernel import Kernel
from stillpool.lowering.nn.nest import Nest
from stillpool.machines.boards import Board, BoardMemory
from stillpool.machines.cpus import Cpu, Memory, get_cpu
from stillpool.targets.interfaces.interface import Asked, Interface
from stillpool.targets.interfaces.native import Native
from stillpool.targets.projects import library
from stillpool.targets.projects.format import Format, Project

Thing = type | Callable[..., Any]

PARTS: dict[str, tuple[Thing, ...]] = {
    "Importers": (importers.operator, node.Node, schema.Tensor, node.tensor_type, node.constant_of),
    "Operations": (FromTensor,),
    "Lowerings to tasks": (
        registry.lowers,
        pointwise.lower_unary,
        pointwise.lower_binary,
        pointwise.lower_pointwise,
        Kernel,
        Nest,
    ),
    "Lowerings to C": (Lowering, Builder),
    "External functions": (OperatorOp, Wishes),
    "Processors and boards": (get_cpu, Cpu, Memory, Board, BoardMemory),
    "Steps": (Step, Macro, Domain, Loop, loop_steps.find),
    "Instructions and kernels": (InstructionSet, kernels.Kernel),
    "Interfaces": (Interface, Asked, Native),
    "Formats": (Format, Project, library.LibraryFormat, library.Library),
}
"""What is listed, by the kind of addition."""

INHERITED: dict[Thing, tuple[type, ...]] = {Kernel: (Loops, Integers, Floats, Emitter)}
"""Bases whose methods are listed with those of a class."""

INTRODUCTION = """\
A package that adds to stillpool ([extending.md](../extending.md)) may call what this page lists, and what
[python.md](python.md) lists: planners use `stillpool.planner`. [nn.md](nn.md) has the operations of `nn`.
Whatever else a module has may change without a word. The file `lowering/nn/kernel.py` is the module
`stillpool.lowering.nn.kernel`, and so are all others.
"""


def page() -> str:
    """The page's text."""
    return "\n".join([INTRODUCTION, *(line for part in PARTS for line in _part(part))])


def _part(title: str) -> Iterator[str]:
    yield f"## {title}\n"
    for thing in PARTS[title]:
        entry = (
            class_entry(thing.__name__, thing, "###", bases=INHERITED.get(thing, ()))
            if isinstance(thing, type)
            else function_entry(thing.__name__, thing, "###")
        )
        source = inspect.getsourcefile(thing)
        assert source, "what is listed is written in Python"
        place = Path(source).resolve().relative_to(ROOT).as_posix()
        yield next(entry)
        yield f"In [`{place}`](../../{place}).\n"
        yield from entry
