"""Schedules for processors with instruction sets of packages: the innermost loops as a call of a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import prod

from xdsl.utils.exceptions import PassFailedException

from ...dialects.task import NestOp
from ...dialects.task.expand import MOST_POINTS
from ...dialects.task.join import decided_steps
from ...dialects.task.steps import Tensorize
from ...machines.cpus import Cpu
from ...machines.instruction_sets import FEATURES
from ..kernels.sets import instructions_of, kernel_names, means
from .subject import Steps, Subject, tiling

_OF_CALL = 10
"""Instructions around a call: sums that come from memory and go there, arguments."""
_OF_STEP = 4
"""Instructions of a step in loops, with what it loads: calls that take more are none."""


def kernels(subject: Subject) -> Iterator[Steps]:
    """Schedules whose calls take fewer instructions than loops, the fewest first.

    Of kernels that are as fast the one of the processor's first instruction set comes first.

    Raises:
        PassFailedException: there is no such instruction set, or a kernel's meaning is none.
        UsageError: an instruction set or a kernel of a package cannot be loaded.
    """
    nest, cpu = subject.nest, subject.cpu
    if not subject.sums or decided_steps(nest) or not all(nest.extents):
        return
    try:
        found = [(_cost(nest, kernel, dims), kernel, dims) for kernel, dims in calls(nest, cpu)]
    except ValueError as error:
        raise PassFailedException(f"schedule: processor {cpu.name}: {error}") from error
    for cost, kernel, dims in sorted(found, key=lambda one: one[0]):
        if cost < _OF_STEP:
            yield _inside(nest, kernel, dims)


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


def _cost(nest: NestOp, kernel: str, dims: tuple[int, ...]) -> float:
    """Instructions of each step in a call over these dimensions."""
    sizes = [min(nest.extents[dim], MOST_POINTS) for dim in dims]
    return (_OF_CALL + instructions_of(kernel, sizes)) / prod(sizes)


def _inside(nest: NestOp, kernel: str, dims: tuple[int, ...]) -> Steps:
    """These dimensions as the innermost loops; one with too many points for an array is split."""
    names, space, room = nest.index_names, len(nest.space.data), MOST_POINTS
    sizes: dict[int, int] = {}
    own = [dim for dim in dims if dim < space]
    for number, dim in enumerate(own):
        # Each of those that follow is left two points at least.
        sizes[dim] = max(2, room >> sum(nest.extents[other] > 1 for other in own[number + 1 :]))
        room //= min(nest.extents[dim], sizes[dim])
    inner = tuple(names[dim] for dim in dims if dim >= space)
    outside = [*(d for d in range(space) if d not in sizes), *sizes]
    tile = tiling(nest, sizes, outside, (*(name for name in nest.fold.names if name not in inner), *inner))
    return *tile.loops, Tensorize(kernel, (*tile.inner, *inner))
