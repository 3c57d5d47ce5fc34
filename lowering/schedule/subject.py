"""What rules of schedules ask: the nest for which one is sought, what is known of it, and tiles of its points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from ...dialects.task import NestOp
from ...dialects.task.code import writes_out
from ...dialects.task.dual import DualPlan
from ...dialects.task.join import decided_steps
from ...dialects.task.step import Step, loops_in_order
from ...dialects.task.tile import Tiling
from ...machines.cpus import Cpu
from ..constants import Constants
from ..tasks.legal import is_legal
from .variants import Variant

P = ParamSpec("P")
T = TypeVar("T")
Steps = tuple[Step, ...]

MOST_WEIGHTS = 1 << 22
"""Elements of a constant beyond which it is neither packed nor transformed: its flash doubles."""
_MOST_POINTS = 25
"""Most points of a window."""


@dataclass(frozen=True)
class Subject:
    """A nest for which a schedule is sought."""

    nest: NestOp
    constants: Constants
    """Of the module."""
    cpu: Cpu
    variant: Variant

    def first_legal(self, candidates: Iterable[Steps]) -> Steps | None:
        """The first of some schedules that the nest allows, with the steps that joined operands need beside it."""
        for steps in candidates:
            steps = steps if writes_out(steps) else (*decided_steps(self.nest), *steps)
            if is_legal(self.nest, steps, self.constants):
                return steps
        return None

    @property
    def is_fast(self) -> bool:
        """Whether constants lie in memory as they are multiplied, several points at a time."""
        return self.variant in (Variant.FAST, Variant.WINOGRAD)

    @property
    def sums(self) -> bool:
        """Whether the nest has a fold, whose points may run in any order."""
        return bool(self.nest.fold.data) and self.nest.ordered is None

    @property
    def points(self) -> int:
        """Number of fold points."""
        return math.prod(extent for _, extent in self.nest.fold.data)

    @property
    def is_window(self) -> bool:
        """Whether the fold is short enough to be written out without loops where nothing is clipped."""
        return bool(self.nest.fold.data) and self.points <= _MOST_POINTS

    @property
    def last(self) -> int:
        """The innermost dimension of the space; -1 where there is none."""
        return len(self.nest.space.data) - 1

    def dims_of(self, read: int) -> list[int]:
        """The dimensions of the space on which the place of something that a step reads depends."""
        return sorted(d for d in self.nest.dims_of_read(read) if d <= self.last)

    def channel_of(self, plan: DualPlan) -> int | None:
        """The largest dimension of several points that the packed factor alone depends on; None without any."""
        extents, used = self.nest.extents, self.dims_of(plan.packed.read)
        alone = [d for d in used if d not in plan.staged_dims and extents[d] > 1]
        return max(alone, key=extents.__getitem__, default=None)

    def fewest_left(self, dims: Iterable[int], size: int) -> int | None:
        """The dimension of which blocks leave the smallest part, the innermost of several; None without any."""
        extents = self.nest.extents
        return min(dims, key=lambda d: (extents[d] % size / extents[d], -d), default=None)


def allowed(plan: Callable[P, T], *args: P.args, **options: P.kwargs) -> T | None:
    """Return what a function says that a step means for a nest; None where it says by ValueError that it may not."""
    try:
        return plan(*args, **options)
    except ValueError:
        return None


def tiling(
    nest: NestOp, sizes: Mapping[int, int], outside: Sequence[int] = (), fold: Sequence[str] | None = None
) -> Tiling:
    """The steps that make a tile of a nest without a schedule, as `Tiling.of`, of dimensions by number."""
    names = nest.space.names
    points = tuple((names[d], size) for d, size in sizes.items())
    return Tiling.of(loops_in_order(nest), points, [names[d] for d in outside], fold)
