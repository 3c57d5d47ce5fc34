"""Schedules that are known to be fast without measuring: for each variant the rules that know some."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from ...dialects import task_keys
from ...dialects.func_keys import NO_INLINE
from ...dialects.task import NestOp, ScheduleAttr
from ...dialects.task.join import decided_steps
from ...machines.cpus import Cpu
from ..constants import Constants
from ..tasks.function_block import function_around
from .kernels import kernels
from .neighbours import channels, float_sums, pointwise, small_channels
from .products import products
from .subject import Steps, Subject
from .variants import Variant
from .vectors import expand, lanes
from .winograd import winograd

Rule = Callable[[Subject], Iterator[Steps]]
"""Yields schedules of a nest, best first; none of nests that are not of its kind. The first legal one counts."""

_ALONE = (channels, float_sums, pointwise)
"""Rules of nests whose neighbours share no operand."""
_RULES: Mapping[Variant, tuple[Rule, ...]] = {
    Variant.LOOPS: (expand,),
    Variant.SMALL: (products, small_channels),
    Variant.COMPACT: (lanes, products, *_ALONE),
    Variant.FAST: (lanes, products, *_ALONE),
    Variant.WINOGRAD: (lanes, winograd, products, *_ALONE),
    Variant.LEAN: (products, lanes, *_ALONE),
}
"""Rules by variant, in the order in which they are asked."""


def is_open(nest: NestOp) -> bool:
    """Whether a nest has no schedule yet but what joined operands need."""
    return nest.steps == decided_steps(nest)


def heuristic_steps(nest: NestOp, constants: Constants, cpu: Cpu, variant: Variant) -> Steps | None:
    """The schedule that is known to be fast without measuring; None where loops in order are best."""
    if variant is Variant.LEAN:
        cpu = replace(cpu, tile=replace(cpu.tile, pixels=1))
    subject = Subject(nest, constants, cpu, variant)
    return subject.first_legal(steps for rule in (kernels, *_RULES[variant]) for steps in rule(subject))


def put_schedule(nest: NestOp, steps: Steps) -> None:
    """Write a schedule on a nest."""
    nest.schedule = ScheduleAttr.of(nest, steps)
    function = function_around(nest)
    task_keys.SCHEDULED.put(function.attributes, True)
    # Inside the function that calls them, compilers find fewer registers for the innermost loops.
    NO_INLINE.put(function.attributes, True)
