"""The steps `words` and `quads`: sums of products that keep channels apart, four in a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated

from xdsl.parser import AttrParser

from ..simd.words import BYTES
from .clipping import limits
from .code import Code, Collect
from .dual import Dual, DualPlan, dual_plan
from .join import bytes_lie_along, join_axis
from .loop import Loop, check_fold, check_unclamped, jammed_alone
from .step import Spelling
from .structure import Nest


def borders(nest: Nest, dim: int) -> list[range]:
    """Return the borders of a space dimension: places at which it alone clips some fold points, the same in a border.

    Raises:
        ValueError: it does so nowhere, or another dimension of the space has a say.
    """
    name = nest.space.names[dim]
    alone = [limit for limit in limits(nest) if limit.form.coefficient(dim)]
    if any(d != dim and d not in nest.folds for limit in alone for d in limit.form.positions()):
        raise ValueError(f"words {name}: what is clipped along it depends on another dimension, too")

    points = [
        (limit.form.constant + n * limit.form.coefficient(limit.dim), limit.form.coefficient(dim), limit.extent)
        for limit in alone
        for n in range(nest.extents[limit.dim])
    ]

    def clipped(place: int) -> list[bool]:
        """Which fold points are, limit by limit."""
        return [not 0 <= first + place * step < extent for first, step, extent in points]

    alike = [(is_clipped, list(places)) for is_clipped, places in groupby(range(nest.extents[dim]), clipped)]
    kept = [range(places[0], places[-1] + 1) for is_clipped, places in alike if any(is_clipped)]
    if not kept:
        raise ValueError(f"words {name}: nothing is clipped along it")
    return kept


def words_plan(nest: Nest, channel: int, who: str = "words") -> DualPlan:
    """Which factor is read in words and which one is packed, all fold points in one run of pairs.

    Channels along the dimension `channel` run side by side; `who` is the step to name where that is not allowed.

    Raises:
        ValueError: the nest does not allow the step.
    """
    plan = dual_plan(nest, Dual(len(nest.fold.data), 1), who=who)
    name = nest.space.names[channel]
    first, second = (nest.accesses("step_reads")[factor.read] for factor in (plan.staged, plan.packed))
    if plan.staged.bits != 8 or not first.is_dense:
        raise ValueError(f"{who}: {first.type} does not hold bytes side by side")
    least, most = plan.staged.extremes
    if not least <= 0 <= most:
        raise ValueError(f"{who}: the zero point {plan.staged.zero_point} is no byte as those of {first.type}")
    if not nest.lies_along(first, channel):
        raise ValueError(f"{who}: {name} does not move along the last dimension of {first.type}")
    if join_axis(first) == len(first.indices) - 1:
        raise ValueError(f"{who}: buffers are joined along the bytes that lie side by side")
    if any(position in nest.folds for position in nest.form(first.indices[-1]).positions()):
        raise ValueError(f"{who}: the fold moves along the last dimension of {first.type}")
    if channel not in nest.dims_of(second):
        raise ValueError(f"{who}: the constant does not depend on {name}")
    return plan


def quads_plan(nest: Nest, channel: int) -> DualPlan:
    """Which factors are read in words; as `words_plan`, and the other one lies in words, too.

    Raises:
        ValueError: the nest does not allow the step.
    """
    plan = words_plan(nest, channel, "quads")
    access = nest.accesses("step_reads")[plan.packed.read]
    if not bytes_lie_along(nest, access, channel) or len(nest.form(access.indices[-1]).terms) > 1:
        raise ValueError(f"quads: {access.type} does not hold bytes of the channels side by side")
    return plan


def _last_dims(parser: AttrParser) -> tuple[str, ...]:
    return tuple(iter(parser.parse_optional_identifier, None))


@dataclass(frozen=True)
class Words(Code):
    """Words of four channels that run side by side in sums of products; fold points run in pairs.

    As with `dual` the operand that is constant is packed at compile time, and zero points are folded into where the
    sums start. Nothing is copied: the bytes of two words become four words of two lanes. As with `whole` there is code
    of its own for where no fold point is clipped; elsewhere, what is clipped counts as its zero point.
    """

    borders: Annotated[tuple[str, ...], Spelling(_last_dims, " ".join, names_dims=True)] = ()
    """Dimensions each border of which has code of its own, too, and each corner of several; each of them decides alone
    what is clipped along it."""

    beside = (Collect,)
    writes_out = True

    def check(self, nest: Nest, loops: Sequence[Loop]) -> None:
        why = f"words: one dimension is jammed, with {BYTES} points in order"
        loop = jammed_alone(loops, lambda loop: loop.extent == BYTES, why)
        check_unclamped([loop], "split {} clamped: with words four channels are read as one word")
        words_plan(nest, loop.dim)
        for number, name in enumerate(self.borders):
            if name not in nest.space.names:
                raise ValueError(f"words {name}: it is no dimension of the space")
            if name in self.borders[:number]:
                raise ValueError(f"words {name}: it is named twice")
            borders(nest, nest.space.names.index(name))
        check_fold(loops, "with words the fold runs in pairs of points, in order")


class Quads(Code):
    """Words of four channels that run side by side in products of bytes, one of each factor.

    Nothing is copied or packed, and the fold stays in loops: the shortest code for channels that stay apart.
    """

    beside = (Collect,)

    def check(self, nest: Nest, loops: Sequence[Loop]) -> None:
        whole = f"quads: one dimension is jammed, with {BYTES} points in order in each of its blocks"
        loop = jammed_alone(loops, lambda loop: loop.extent == BYTES and nest.extents[loop.dim] % BYTES == 0, whole)
        quads_plan(nest, loop.dim)
