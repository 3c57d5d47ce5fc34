"""Whether a nest may run as a schedule says, and why not: the one answer for all who write, search or lower schedules.

What index maps and the rest of a schedule say is `planned_loops`, which the verifier asks, too. What the constants say
that would be packed or turned is known to the loops that read them: `NestLoops.check`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.task import NestOp
from ...dialects.task.code import Collect, writes_out
from ...dialects.task.dual import InWords
from ...dialects.task.join import all_decided_dims
from ...dialects.task.loop import Loop
from ...dialects.task.loops import planned_loops
from ...dialects.task.step import Rewrite, Step
from ..constants import Constants
from .nest_loops import kind_of
from .steps.rewriting import rehearsed


def why_illegal(nest: NestOp, steps: Sequence[Step], constants: Constants) -> str | None:
    """The step that a nest does not allow, and why; None if it computes with all of them what it computes without.

    Args:
        nest: the nest; its schedule is what it was when this returns.
        steps: all that its schedule would have.
        constants: of the module.
    """
    try:
        with nest.scheduled(steps):
            check_schedule(nest, constants)
    except ValueError as error:
        return str(error)
    return None


def is_legal(nest: NestOp, steps: Sequence[Step], constants: Constants) -> bool:
    """Whether a nest with these steps computes what it computes without; see `why_illegal`."""
    return why_illegal(nest, steps, constants) is None


def check_schedule(nest: NestOp, constants: Constants) -> None:
    """Check the schedule that a nest has.

    Raises:
        ValueError: the nest or its constants do not allow a step.
    """
    loops = planned_loops(nest)
    if nest.step_of(Rewrite) is not None:
        made, constants = rehearsed(nest)
        for one in made:
            check_schedule(one, constants)
        return
    kind_of(nest).check(nest, loops, constants)
    _check_joins(nest, loops)


def _check_joins(nest: NestOp, loops: Sequence[Loop]) -> None:
    """Check that it is known which part of joined operands is read."""
    is_whole = writes_out(nest.steps)
    dims = all_decided_dims(nest)
    # Of points side by side some are finished, or copied, in loops.
    forms = ("unroll",) if nest.step_of(Collect) or nest.step_of(InWords) else ("unroll", "jam")
    for loop in loops:
        is_written_out = loop.form in forms or loop.extent == 1 or (is_whole and loop.is_fold)
        if loop.dim in dims and not is_written_out:
            raise ValueError(f"{loop.name}: what is read along it is joined of several buffers: unroll it")
