"""Functions of several sums whose faster variant does not fit: as many of the sums have it as flash allows.

The gates of an LSTM are eight sums in one function. Without this a network that is little else would stay with bytes
because the last kilobyte of words does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ....dialects.operations import all_of
from ....dialects.task import NestOp
from ....dialects.task.products import products
from ....lowering.schedule.variants import Variant
from .costs import FunctionCost
from .options import Option


@dataclass(frozen=True)
class Partly:
    """A function of which the first sums are in the faster variant."""

    sums: int
    """How many."""
    option: Option
    """Savings and cost compared with loops in order, for the variant that the other sums are in."""


def sums_of(module: ModuleOp) -> dict[str, int]:
    """The number of tasks that sum products, by function."""
    return {op.sym_name.data: sum(is_sum(inner) for inner in all_of(op, NestOp)) for op in all_of(module, func.FuncOp)}


def is_sum(nest: NestOp) -> bool:
    """Whether a task sums products."""
    return bool(nest.fold.data) and products(nest, late=True) is not None


def in_part(
    sums: Mapping[str, int],
    plain: Mapping[str, FunctionCost],
    allowed: Collection[Option],
    taken: Mapping[str, Variant],
    most: float,
    costs: Callable[[Mapping[str, int]], Mapping[str, FunctionCost]],
) -> dict[str, Partly]:
    """The functions of bytes some of whose sums may be faster for the flash that the choice has left.

    Args:
        sums: their number, by function.
        plain: what functions cost without schedules.
        allowed: the options that there are.
        taken: the variants that were chosen of them.
        most: bytes that all may take.
        costs: what functions cost if so many of their sums as said are in the faster variant.
    """
    options = {(one.name, one.variant): one for one in allowed}
    left = most - sum(options[one].flash for one in taken.items())
    found: dict[str, Partly] = {}
    for name, own in sorted(_refused(options, taken), key=lambda one: -options[one[0], Variant.FAST].saved):
        low, high = 0, sums.get(name, 0)
        best = own
        while high - low > 1:
            middle = (low + high) // 2
            cost = costs({name: middle})[name]
            option = Option.of(name, own.variant, plain[name], cost)
            if option.flash - own.flash > left:
                high = middle
                continue
            low, best = middle, option
        if low and best.saved > own.saved:
            found[name] = Partly(low, best)
            left -= best.flash - own.flash
    return found


def with_parts(found: Sequence[Option], parts: Mapping[str, Partly]) -> list[Option]:
    """Options in which those are that were taken in part, for the ones whose place they take."""
    return [
        parts[one.name].option if one.name in parts and one.variant is parts[one.name].option.variant else one
        for one in found
    ]


def _refused(options: Mapping[tuple[str, Variant], Option], taken: Mapping[str, Variant]) -> list[tuple[str, Option]]:
    """Functions of bytes whose faster variant is no better for its flash, or does not fit."""
    return [
        (name, options[name, variant])
        for name, variant in taken.items()
        if variant is Variant.COMPACT
        and (faster := options.get((name, Variant.FAST))) is not None
        and faster.saved > options[name, variant].saved
    ]
