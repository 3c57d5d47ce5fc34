"""The distinct tasks of a network, each with the program that measures it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ..dialects.operations import all_of
from ..dialects.task import NestOp
from ..lowering.constants import Constants
from ..lowering.schedule import heuristic_steps, is_open, put_schedule
from ..lowering.schedule.known.names import canonical_text
from ..lowering.schedule.known.task_key import described, task_key
from ..lowering.schedule.variants import variants
from ..machines.cpus import Cpu
from ..transforms.tasks.calls import Calls
from ..transforms.tasks.prepare import prepared
from .program import NoProgram, program_of


@dataclass(frozen=True)
class Place:
    """Where a task stands in a module: the n-th nest of a function."""

    function: str
    number: int


@dataclass
class Task:
    """One task, which may stand for several of its kind."""

    digest: str
    what: str
    place: Place
    """In its program."""
    program: str = field(repr=False)
    """A module with the function of the task and an entry that calls it, as text."""
    needed: str
    """The schedule that it has anyway, as that of operands that are joined."""
    heuristics: tuple[str, ...]
    """Schedules that are chosen without measuring, that of `speed` last; with numbers for dimensions."""
    calls: int
    """In one run of the network, of all tasks of its kind."""
    functions: list[str]
    """Functions of the network that have it."""


@dataclass(frozen=True)
class Tasks:
    """The tasks of a network that can be tuned."""

    tasks: Sequence[Task]
    left_out: Sequence[str]
    """Functions for which there is no program, and why."""


def tasks_of(module: ModuleOp, cpu: Cpu) -> Tasks:
    """The tasks of a module without schedules, which is consumed."""
    constants = Constants(module)
    for nest in list(_nests(module)):
        if is_open(nest):
            prepared(nest, constants, cpu)
    constants = Constants(module)
    found: dict[str, Task] = {}
    left_out: list[str] = []
    calls = Calls.of(module).calls
    for function in [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]:
        name = function.sym_name.data
        nests = list(_nests(function))
        count = len(calls.get(name, ()))
        if not count:
            continue
        for number, nest in enumerate(nests):
            if not is_open(nest):
                continue
            digest = task_key(nest, constants)
            if digest in found:
                found[digest].calls += count
                if name not in found[digest].functions:
                    found[digest].functions.append(name)
                continue
            place = Place(name, number)
            try:
                program = _program(module, calls[name][0], cpu, place)
            except NoProgram as reason:
                left_out.append(f"{name}: {reason}")
                break
            heuristics = [heuristic_steps(nest, constants, cpu, variant) for variant in variants(cpu)]
            texts = [canonical_text(steps, nest) for steps in heuristics]
            needed = canonical_text(nest.steps, nest)
            kept = tuple(dict.fromkeys(text for text in [*texts[:-1], texts[-1] or needed] if text))
            found[digest] = Task(digest, described(nest), place, program, needed, kept or (needed,), count, [name])
    return Tasks(list(found.values()), left_out)


def _program(module: ModuleOp, call: func.CallOp, cpu: Cpu, place: Place) -> str:
    """The program of a task: the others of its function have the schedules that `speed` gives them."""
    made = program_of(module, call)
    constants = Constants(made)
    for number, nest in enumerate(list(nests_of(made, place.function))):
        if number != place.number and is_open(nest):
            steps = heuristic_steps(nest, constants, cpu, variants(cpu)[-1])
            if steps is not None:
                put_schedule(nest, steps)
    return str(made)


def nests_of(module: ModuleOp, function: str) -> Iterator[NestOp]:
    """The tasks of a function, in order."""
    for op in module.ops:
        if isinstance(op, func.FuncOp) and op.sym_name.data == function:
            yield from _nests(op)


def _nests(inside: ModuleOp | func.FuncOp) -> Iterator[NestOp]:
    return (op for op in all_of(inside, NestOp))
