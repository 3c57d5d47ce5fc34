"""The pass `schedule`: writes a schedule on every task that runs faster with one on a given processor.

A task that has a schedule keeps it, and one for which nothing is known to be faster stays without. The decision is the
attribute `schedule` of `task.nest`: it can be read, edited, and written by hand. `prepare-tasks` chooses before it in
which form each task is to run, and brings it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...dialects import nn_keys, task_keys
from ...dialects.operations import all_of
from ...dialects.task import NestOp
from ...dialects.task.dual import InWords
from ...dialects.task.steps import Jam, Lanes, Split, Unroll, Whole, Winograd, Words
from ...errors import InputError, UsageError
from ...machines.cpus import Cpu, get_cpu
from ...progress import counted
from ..constants import Constants
from ..tasks.function_block import function_around
from .heuristics import heuristic_steps, is_open, put_schedule
from .known.database import Database, read_database
from .known.known import Known
from .variants import Variant, form_of, variants

_SAID = (InWords, Words, Whole, Lanes, Winograd)
"""Steps that say in what a task runs; where there are none, those that make a tile."""


@dataclass(frozen=True)
class SchedulePass(ModulePass):
    """Write loops on tasks."""

    name: ClassVar[str] = "schedule"

    cpu: str
    """The processor, as `--target` names it. Tasks for which `choose-forms` chose no form run in its fastest."""
    schedules: str | None = None
    """A file of schedules that `stillpool tune` measured, which come before what is known without measuring."""
    shipped: bool = True
    """Whether the measured schedules of common shapes that come with the package count where the file says nothing."""
    winograd: bool = False
    """Whether measured schedules may transform constants."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        try:
            cpu = get_cpu(self.cpu)
        except UsageError as error:
            raise PassFailedException(f"{self.name}: {error}") from error
        known = known_schedules(self.name, self.cpu, self.schedules, shipped=self.shipped, winograd=self.winograd)
        write_schedules(op, cpu, known)


def known_schedules(who: str, cpu: str, schedules: str | None, *, shipped: bool, winograd: bool) -> Known | None:
    """Return the schedules that were measured for a processor, if any of them counts; `who` is the pass that asks.

    Raises:
        PassFailedException: the file cannot be read.
    """
    if schedules is None and not shipped:
        return None
    try:
        given = Database() if schedules is None else read_database(Path(schedules))
    except InputError as error:
        raise PassFailedException(f"{who}: {error}") from error
    return Known(cpu, given, with_shipped=shipped, winograd=winograd)


def write_schedules(module: ModuleOp, cpu: Cpu, known: Known | None = None) -> None:
    """Write schedules on the tasks of a module, each in the form that was chosen for it.

    The remark of a function for which forms were chosen then begins with its schedules. What was measured is `known`,
    for tasks for which that counts.
    """
    constants, fastest = Constants(module), variants(cpu)[-1]
    nests = all_of(module, NestOp)
    decided: dict[func.FuncOp, None] = {}
    for nest in counted("schedule: task", nests):
        form, is_chosen = form_of(nest, fastest), task_keys.FORM.within(nest.attributes)
        is_measured = not is_chosen or task_keys.MEASURED.within(nest.attributes)
        if is_chosen and form is not Variant.PLAIN:
            decided[function_around(nest)] = None
        for key in (task_keys.FORM, task_keys.MEASURED):
            key.remove(nest.attributes)
        if not form.has_steps or not is_open(nest):
            continue
        steps = heuristic_steps(nest, constants, cpu, form)
        if known is not None and is_measured:
            steps = known.steps(nest, constants, steps)
        if steps is not None:
            put_schedule(nest, steps)
    for function in decided:
        if (remark := nn_keys.REMARK.get(function.attributes)) is not None:
            nn_keys.REMARK.put(function.attributes, f"{_said(function)}, {remark}")


def _said(function: func.FuncOp) -> str:
    """The steps that say most of a function's schedules; without any, its rescaling alone is another."""
    found: list[str] = []
    for nest in all_of(function, NestOp):
        said = [step for step in nest.steps if isinstance(step, _SAID)]
        found += map(str, said or [step for step in nest.steps if isinstance(step, Jam | Split | Unroll)])
    return ", ".join(dict.fromkeys(found)) or "loops in order, with short rescaling"
