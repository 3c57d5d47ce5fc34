"""Costs of ways to run tasks: copies of a module are brought into their forms, get schedules, and are weighed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ....dialects.operations import all_of
from ....dialects.task import NestOp
from ....lowering.schedule.known.known import Known
from ....lowering.schedule.schedule_pass import write_schedules
from ....lowering.schedule.variants import Variant, put_form, variants
from ....lowering.tasks.function_block import function_around
from ....machines.cpus import Cpu
from ..prepare import prepare, unscheduled
from .costs import FunctionCost
from .nibbles import functions_with_nibbles
from .options import Option, in_order
from .partly import is_sum
from .weighed import MOST_KNOWN, Weighed, empty, functions


def put_forms(
    module: ModuleOp,
    variant_of: Callable[[str], Variant | None],
    *,
    measured: Callable[[str], bool] = lambda name: False,
    tiled: Collection[str] | None = None,
    fast: Mapping[str, int] | None = None,
) -> None:
    """Write on each nest of a module in which form it is to be.

    Args:
        module: of tasks.
        variant_of: by the name of a function; None leaves its tasks as they are.
        measured: whether schedules that were measured count for a function, by its name.
        tiled: the functions whose tasks get the schedules of `SMALL`; all if it is None.
        fast: how many of a function's sums, from the first, are in the fastest variant instead.
    """
    left = dict(fast or {})
    for nest in all_of(module, NestOp):
        name = function_around(nest).sym_name.data
        form = variant_of(name) or Variant.PLAIN
        if form is not Variant.PLAIN and left.get(name) and is_sum(nest):
            left[name] -= 1
            form = Variant.FAST
        if form is Variant.SMALL and tiled is not None and name not in tiled:
            form = Variant.SHORT
        put_form(nest, form, measured=measured(name))


def scheduled(
    module: ModuleOp,
    cpu: Cpu,
    variant_of: Callable[[str], Variant | None],
    *,
    known: Known | None = None,
    tiled: Collection[str] | None = None,
    fast: Mapping[str, int] | None = None,
) -> ModuleOp:
    """A copy of a module whose tasks have schedules; `known` counts for all, the others are those of `put_forms`."""
    made = module.clone()
    put_forms(made, variant_of, measured=lambda name: known is not None, tiled=tiled, fast=fast)
    prepare(made, cpu)
    write_schedules(made, cpu, known)
    return made


def flash_steps(module: ModuleOp, cpu: Cpu, *, winograd: bool = False) -> list[tuple[float, float]]:
    """Instructions of a module of tasks with ever more flash for schedules; transformed if `winograd`.

    Returns:
        Pairs of bytes beyond those of loops in order and instructions, by estimates; the first is that without
        schedules.
    """
    weighed = Weighed(cpu)
    plain = weighed.costs(unscheduled(module, cpu))
    total = sum(one.instructions for one in plain.values())
    steps = [(0.0, total)]
    for step in in_order(options_of(module, weighed, plain, winograd=winograd)):
        flash, total = steps[-1]
        steps.append((flash + step.flash, total - step.saved))
    return steps


def transformed(module: ModuleOp, cpu: Cpu) -> frozenset[str]:
    """The functions that have fewer instructions with transformed constants."""
    weighed = Weighed(cpu)
    costs = [
        weighed.costs(scheduled(module, cpu, lambda name, variant=variant: variant))
        for variant in variants(cpu, winograd=True)[-2:]
    ]
    without, with_transforms = costs[0], costs[-1]
    return frozenset(name for name, one in with_transforms.items() if one.instructions < without[name].instructions)


def options_of(
    module: ModuleOp,
    weighed: Weighed,
    plain: Mapping[str, FunctionCost],
    *,
    winograd: bool = False,
    keep_packed: bool = False,
    lean: bool = False,
) -> list[Option]:
    """Savings and cost of each way to schedule each function, compared with the cost without.

    Tasks are rewritten once for all variants, functions that were tried in another module not again.
    With `keep_packed` constants of four bits are not expanded to four times as much.
    """
    found, packed, cpu = list[Option](), set[str](), weighed.cpu
    tried, ways = variants(cpu, winograd=winograd, lean=lean), weighed.ways(module)
    if len(_TRIED) > MOST_KNOWN:
        _TRIED.clear()
    known = {name: way for name, way in ways.items() if all((way, variant) in _TRIED for variant in tried)}
    assert len({variant.records for variant in tried}) == 1, "the variants of a processor are rewritten alike"
    ready = module.clone()
    empty([op for op in functions(ready) if op.sym_name.data in known])
    put_forms(ready, lambda name: tried[0])
    prepare(ready, cpu)
    for variant in tried:
        made = ready if variant is tried[-1] else ready.clone()
        put_forms(made, lambda name, variant=variant: variant)
        write_schedules(made, cpu)
        nibbles = functions_with_nibbles(made)
        costs = weighed.costs(made, plain.keys() - known.keys())
        of_variant = {name: _Tried(cost, name in nibbles) for name, cost in costs.items()}
        _TRIED.update({(ways[name], variant): one for name, one in of_variant.items() if name in ways})
        of_variant |= {name: _TRIED[way, variant] for name, way in known.items()}
        if keep_packed:
            packed.update(name for name, one in of_variant.items() if one.has_nibbles)
        found += [Option.of(name, variant, one, of_variant[name].cost) for name, one in plain.items()]
    return [one for one in found if one.variant is not Variant.FAST or one.name not in packed]


@dataclass(frozen=True)
class _Tried:
    """What came of a function in a variant."""

    cost: FunctionCost
    has_nibbles: bool
    """Whether constants of four bits would be expanded."""


_TRIED: dict[tuple[Hashable, Variant], _Tried] = {}
"""Functions that were tried, by all that decides what becomes of them in a variant."""


def costs_in(variant: Variant, module: ModuleOp, cpu: Cpu, names: Collection[str]) -> Mapping[str, FunctionCost]:
    """Costs of some functions of a module in a variant; other functions are not weighed."""
    part = module.clone()
    empty([op for op in part.ops if isinstance(op, func.FuncOp) and op.sym_name.data not in names])
    return Weighed(cpu).costs(scheduled(part, cpu, lambda name: variant), names)


def costs_in_part(
    module: ModuleOp, weighed: Weighed, taken: Mapping[str, Variant], fast: Mapping[str, int]
) -> Mapping[str, FunctionCost]:
    """Costs of the functions of which sums are in the faster variant."""
    made = scheduled(module, weighed.cpu, lambda name: taken.get(name) if name in fast else None, fast=fast)
    return weighed.costs(made)


def measured_functions(
    module: ModuleOp,
    weighed: Weighed,
    known: Known | None,
    taken: Mapping[str, Variant],
    plain: Mapping[str, FunctionCost],
    most: float,
    room: Mapping[str, int] | None,
    fast: Mapping[str, int],
) -> frozenset[str]:
    """The functions whose schedules may be those that were measured, as far as flash goes, in the module's order."""
    if known is None:
        return frozenset()
    cpu = weighed.cpu
    costs = [weighed.costs(scheduled(module, cpu, taken.get, known=each, fast=fast)) for each in (None, known)]
    sizes = [{name: cost.code + cost.constants for name, cost in each.items()} for each in costs]
    left = most - sum(sizes[0][name] - plain[name].code - plain[name].constants for name in taken)
    found: list[str] = []
    for name in plain:
        more = sizes[1][name] - sizes[0][name]
        if name in taken and more <= max(0.0, left) and (room is None or costs[1][name].scratch <= room[name]):
            found.append(name)
            left -= more
    return frozenset(found)
