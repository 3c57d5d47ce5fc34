"""The step `winograd`: along which dimensions three taps of a window lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .code import Code
from .dual import OF_PACKED, Dual, DualPlan, dual_plan
from .join import join_axis
from .loop import Loop, check_fold, check_outside, check_unclamped
from .step import Count, Dims
from .structure import Nest

TAPS = 3
RESULTS = 2
"""Points of a tile along a dimension."""
PRODUCTS = 4
"""Along a dimension, for each of which the fold over all else is one sum; the elements that a tile reads, too."""


@dataclass(frozen=True)
class WinogradPlan:
    """A nest that sums products with three taps side by side along some dimensions."""

    dual: DualPlan
    """Its words of fold points after the transformation: [products along each dimension, other fold points]."""
    dims: tuple[int, ...]
    """Dimension of the space, two points of which are computed together."""
    taps: tuple[int, ...]
    """The fold dimension of each of them."""
    rest: tuple[int, ...]
    """Fold dimensions outside of the innermost one that are not among these."""

    @property
    def sums(self) -> int:
        """Sums of products for a tile."""
        return PRODUCTS ** len(self.dims)

    @property
    def words(self) -> int:
        """Words of fold points that each of these sums has."""
        return self.dual.pairs // self.sums


@dataclass(frozen=True)
class Winograd(Code):
    """Sums of products with three taps side by side, two results of four products instead of six: Winograd's F(2, 3).

    Along two dimensions it is F(2 x 2, 3 x 3), 16 products instead of 36. The numbers stay integers: the constant is
    transformed at compile time, scaled by 2 for each dimension, and its sums are multiples of that. As with `dual`
    fold points run in pairs.
    """

    dims: Dims
    """Dimensions of the space, one or two, along which points run in pairs."""
    unroll: Count
    """Words in one pass of the loop over them."""
    writes_out = True

    def check(self, nest: Nest, loops: Sequence[Loop]) -> None:
        plan = winograd_plan(nest, self)
        check_unclamped(loops, "split {}: with winograd no points are computed twice")
        check_fold(loops, "with winograd the fold runs in pairs of points, in order")
        jammed = {loop.dim: loop for loop in loops if loop.form == "jam"}
        for dim in plan.dims:
            name, loop = nest.space.names[dim], jammed.get(dim)
            if loop is None or loop.reverse or (loop.extent % RESULTS and loop.extent != nest.extents[dim]):
                raise ValueError(f"winograd: an even number of points of {name} is jammed, or all, in order")
        channels = [loop for loop in jammed.values() if loop.dim not in plan.dims]
        astray = [loop for loop in channels if loop.dim in plan.dual.staged_dims]
        if astray or len(channels) > 1:
            name = (astray or channels[-1:])[0].name
            raise ValueError(f"jam {name}: with winograd one dimension of the packed constant is jammed beside its own")
        if any(loop.reverse for loop in channels):
            raise ValueError(f"reverse {channels[0].name}: with winograd points that are jammed run in order")
        check_outside(loops, plan.dual.staged_dims, OF_PACKED.format("winograd"))


def winograd_plan(nest: Nest, step: Winograd) -> WinogradPlan:
    """Return the meaning of the step for a nest.

    Raises:
        ValueError: the nest does not allow it.
    """
    if not 1 <= len(step.dims) <= 2 or len(set(step.dims)) < len(step.dims) or step.unroll < 1:
        raise ValueError(f"{step}: it is along one or two dimensions, and 1 pair or more run in one pass")
    dual = dual_plan(nest, Dual(1, step.unroll), who="winograd")
    if not dual.by_words or not dual.staged.signed:
        raise ValueError("winograd: the innermost fold dimension does not walk along signed bytes, four at a time")
    if not -128 <= dual.staged.zero_point <= 127:
        raise ValueError(f"winograd: no byte is the zero point {dual.staged.zero_point}")
    if join_axis(nest.accesses("step_reads")[dual.staged.read]) is not None:
        raise ValueError("winograd: what it reads is joined of several buffers")
    for name in step.dims:
        if name not in nest.space.names:
            raise ValueError(f"{step}: {name} is no dimension of the space")
    dims = tuple(nest.space.names.index(name) for name in step.dims)
    taps = tuple(_taps(nest, dual, dim) for dim in dims)
    rest = tuple(d for d in nest.folds[:-1] if d not in taps)
    outer = (*(PRODUCTS for _ in dims), *(nest.extents[d] for d in rest))
    return WinogradPlan(replace(dual, outer=outer), dims, taps, rest)


def _taps(nest: Nest, plan: DualPlan, dim: int) -> int:
    """The fold dimension that walks over three taps side by side along a dimension of the space.

    Raises:
        ValueError: there is none.
    """
    name = nest.space.names[dim]
    forms = [nest.form(index) for index in nest.accesses("step_reads")[plan.staged.read].indices]
    along = [form for form in forms if form.coefficient(dim)]
    taps = [d for form in along for d in form.positions() if d != dim]
    if len(along) != 1 or len(taps) != 1 or any(factor != 1 for _, factor in along[0].terms):
        raise ValueError(f"winograd: the window does not slide along {name} by one, its taps side by side")
    (tap,) = taps
    is_alone = sum(bool(form.coefficient(tap)) for form in forms) == 1
    if tap not in nest.folds[:-1] or nest.extents[tap] != TAPS or not is_alone:
        raise ValueError(f"winograd: the window has no {TAPS} taps along {name}")
    if dim in nest.dims_of_read(plan.packed.read):
        raise ValueError(f"winograd: the constant depends on {name}")
    return tap


def tiles(extents: Sequence[int]) -> int:
    """Tiles that cover points side by side; `extents` are those along the dimensions of the step."""
    return math.prod(-(-extent // RESULTS) for extent in extents)
