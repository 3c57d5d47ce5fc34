"""Schedules for processors with instruction sets of packages: the innermost loops as a call of a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import prod

from xdsl.utils.exceptions import PassFailedException

from ...dialects.task import NestOp
from ...dialects.task.expand import MOST_POINTS
from ...dialects.task.join import decided_steps
from ...dialects.task.schedule import INNER, OUTER, Order, Split, Step, Tensorize
from ...machines.cpus import Cpu
from ...machines.instruction_sets import FEATURES
from ..kernels.sets import instructions_of, kernel_names, means
from ..tasks.dual.constants import Constants
from ..tasks.legal import is_legal

_OF_CALL = 10
"""Instructions around a call: sums that come from memory and go there, arguments."""
_OF_STEP = 4
"""Instructions of a step in loops, with what it loads: calls that take more are none."""


def kernel_schedule(nest: NestOp, constants: Constants, cpu: Cpu) -> tuple[Step, ...] | None:
    """The schedule whose calls take fewest instructions; None where no kernel computes the nest, or loops are faster.

    Args:
        nest: the nest.
        constants: of the module.
        cpu: the processor; of kernels that are as fast the first of its sets counts.

    Raises:
        PassFailedException: there is no such instruction set, or a kernel's meaning is none.
        UsageError: an instruction set or a kernel of a package cannot be loaded.
    """
    if not nest.fold.data or nest.ordered is not None or decided_steps(nest):
        return None
    try:
        return _best(nest, constants, cpu)
    except ValueError as error:
        raise PassFailedException(f"schedule: processor {cpu.name}: {error}") from error


def calls(nest: NestOp, cpu: Cpu) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Kernels of a processor, and dimensions of a nest that may be theirs: those of the space first.

    Raises:
        ValueError: there is no such instruction set, or a kernel's meaning is none.
        UsageError: an instruction set or a kernel of a package cannot be loaded.
    """
    space = len(nest.space.data)
    # The kernels of stillpool's own sets are steps of their own.
    for kernel in (kernel for name in cpu.instruction_sets if name not in FEATURES for kernel in kernel_names(name)):
        own = means(kernel).nest
        for outer in permutations(range(space), len(own.space.data)):
            for inner in permutations(range(space, len(nest.extents)), len(own.fold.data)):
                yield kernel, (*outer, *inner)


def _best(nest: NestOp, constants: Constants, cpu: Cpu) -> tuple[Step, ...] | None:
    least, found = float(_OF_STEP), None
    for kernel, dims in calls(nest, cpu):
        sizes = [min(nest.extents[dim], MOST_POINTS) for dim in dims]
        cost = (_OF_CALL + instructions_of(kernel, sizes)) / prod(sizes)
        if cost < least and is_legal(nest, steps := _inside(nest, kernel, dims), constants):
            least, found = cost, steps
    return found


def _inside(nest: NestOp, kernel: str, dims: tuple[int, ...]) -> tuple[Step, ...]:
    """These dimensions as the innermost loops; one with too many points for an array is split."""
    space, names, steps = len(nest.space.data), nest.index_names, list[Step]()
    inner: dict[int, str] = {dim: names[dim] for dim in dims}
    outer: list[str] = []
    room = MOST_POINTS
    for dim in (dim for dim in dims if dim < space):
        if nest.extents[dim] > room:
            steps.append(Split(names[dim], max(2, room)))
            outer.append(names[dim] + OUTER)
            inner[dim] = names[dim] + INNER
        room //= min(nest.extents[dim], max(2, room))
    kept = [names[d] for d in range(len(nest.extents)) if d not in dims]
    order = (
        *(name for name in kept if name in nest.space.names),
        *outer,
        *(inner[d] for d in dims if d < space),
        *(name for name in kept if name in nest.fold.names),
        *(inner[d] for d in dims if d >= space),
    )
    if steps or order != names[: len(nest.extents)]:
        steps.append(Order(order))
    return *steps, Tensorize(kernel, tuple(inner[dim] for dim in dims))
