"""The pass `schedule`: writes a schedule on every task that runs faster with one on a given processor.

A task that has a schedule keeps it, and one for which nothing is known to be faster stays without. The decision is the
attribute `schedule` of `task.nest`: it can be read, edited, and written by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...dialects.task import NestOp, ScheduleAttr
from ...dialects.task.join import decided_steps
from ...dialects.task.schedule import Expand, InWords, Lanes, Step, Winograd, Words
from ...errors import InputError, UsageError
from ...machines.cpus import Cpu, get_cpu
from ...progress import tell
from ..emit_c.no_inline import NO_INLINE
from ..tasks.dual.constants import Constants
from ..tasks.function_block import function_block
from ..tasks.legal import is_legal
from .byte_sums import shorten_byte_sums
from .channels import channels_schedule, small_channels_schedule
from .cost.growth import FunctionCost, Option, chosen, constant_bytes, costs_of, fits, in_order, options
from .cost.held import room_for_scratch
from .expand import expand_schedule
from .float_sums import float_sums_schedule
from .known import Known, read_database
from .lanes import lanes_schedule
from .narrow import narrow_sums
from .nibbles import functions_with_nibbles
from .partly import in_part, is_sum, sums_of, with_parts
from .phases import in_phases
from .pointwise import double_early, pointwise_schedule
from .products import products_schedule
from .remarks import put_remarks
from .rescale import shorten_rescaling
from .rounding import shorten_rounding
from .small import small_tiles
from .variants import Variant, variants
from .winograd import winograd_schedule

OBJECTIVES = ("speed", "balanced", "size")


@dataclass(frozen=True)
class SchedulePass(ModulePass):
    """Choose loops for tasks."""

    name: ClassVar[str] = "schedule"

    cpu: str
    """The processor, as `--target` names it."""
    optimize: str = "speed"
    """`speed`: fewest instructions. `balanced`: the same for at most `flash` bytes more, by the estimates of `cost`.
    `size`: the shortest code that is much faster than loops in order, for what a network spends its time with, with
    constants in as many bytes."""
    flash: int | None = None
    """Bytes of code and constants that schedules may take beyond those of loops in order. Default: with `balanced` as
    many as the constants have, with `speed` as many as it takes."""
    schedules: str | None = None
    """A file of schedules that `stillpool tune` measured, which come before what is known without measuring. With
    `speed` those of common shapes count where it says nothing."""
    ram: int | None = None
    """Bytes of workspace that their scratch memory may take beyond loops in order, as far as can be foreseen before
    buffers have places: what does not fit at an operator is not chosen for it. Default: as many as it takes."""
    winograd: bool = False
    """Whether constants of convolutions with three taps side by side may be transformed for fewer products, where that
    is exact and by the estimates faster: along two dimensions for 16/9 of the flash of words. Not with `size`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        try:
            cpu = get_cpu(self.cpu)
        except UsageError as error:
            raise PassFailedException(f"schedule: {error}") from error
        if self.optimize not in OBJECTIVES:
            raise PassFailedException(f"schedule: optimize is one of {', '.join(OBJECTIVES)}, got {self.optimize!r}")
        room = None if self.ram is None else room_for_scratch(op, self.ram)
        if self.optimize == "size":
            write = partial(_schedule_small, cpu)
            write(op, small_tiles(op, cpu, write, room))
            return
        known = self.known()
        if self.optimize == "speed" and self.flash is None and room is None:
            better = _transformed(op, cpu) if self.winograd else ()
            fastest = variants(cpu)[-1]
            _schedule(op, cpu, lambda name: Variant.WINOGRAD if name in better else fastest, lambda name: known)
            return
        most: float = math.inf if self.optimize == "speed" else constant_bytes(op)
        if self.flash is not None:
            most = self.flash
        plain = costs_of(op.clone(), cpu)
        keeps = self.optimize == "balanced"
        found = _options(op, cpu, plain, winograd=self.winograd, keep_packed=keeps, lean=room is not None)
        allowed = [one for one in found if fits(one, room)]
        taken = chosen(allowed, most)
        parts = in_part(sums_of(op), plain, allowed, taken, most, lambda fast: _costs(op, cpu, taken, fast))
        fast = {name: one.sums for name, one in parts.items()}
        measured = _measured(op, cpu, known, taken, plain, most, room, fast)
        _schedule(op, cpu, taken.get, lambda name: known if name in measured else None, fast=fast)
        put_remarks(op, plain, with_parts(found, parts), taken, room)

    def known(self) -> Known | None:
        """What was measured, if any of it counts."""
        if self.schedules is None and self.optimize != "speed":
            return None
        try:
            given = None if self.schedules is None else read_database(Path(self.schedules))
        except InputError as error:
            raise PassFailedException(f"schedule: {error}") from error
        return Known(self.cpu, given, with_shipped=self.optimize == "speed", winograd=self.winograd)


def flash_steps(module: ModuleOp, cpu: Cpu, *, winograd: bool = False) -> list[tuple[float, float]]:
    """What ever more flash for schedules leaves of the instructions of a module of tasks; transformed if `winograd`.

    Returns:
        Pairs of bytes beyond those of loops in order and instructions, by estimates; the first is that without
        schedules.
    """
    plain = costs_of(module.clone(), cpu)
    total = sum(one.instructions for one in plain.values())
    steps = [(0.0, total)]
    for step in in_order(_options(module, cpu, plain, winograd=winograd)):
        flash, total = steps[-1]
        steps.append((flash + step.flash, total - step.saved))
    return steps


def _transformed(module: ModuleOp, cpu: Cpu) -> frozenset[str]:
    """The functions that have fewer instructions with transformed constants."""
    costs: list[dict[str, FunctionCost]] = []
    for variant in variants(cpu, winograd=True)[-2:]:
        scheduled = module.clone()
        _schedule(scheduled, cpu, lambda name, variant=variant: variant)
        costs.append(costs_of(scheduled, cpu))
    without, transformed = costs[0], costs[-1]
    return frozenset(name for name, cost in transformed.items() if cost.instructions < without[name].instructions)


def _options(
    module: ModuleOp,
    cpu: Cpu,
    plain: Mapping[str, FunctionCost],
    *,
    winograd: bool = False,
    keep_packed: bool = False,
    lean: bool = False,
) -> list[Option]:
    """What each way to schedule each function would save and take, compared with what they cost without.

    With `keep_packed` constants of four bits are not expanded to four times as much.
    """
    found, packed = list[Option](), set[str]()
    for variant in variants(cpu, winograd=winograd, lean=lean):
        scheduled = module.clone()
        _schedule(scheduled, cpu, lambda name, variant=variant: variant)
        if keep_packed:
            packed |= functions_with_nibbles(scheduled)
        found += options(plain, costs_of(scheduled, cpu), variant)
    return [one for one in found if one.variant is not Variant.FAST or one.name not in packed]


def _costs(
    module: ModuleOp, cpu: Cpu, taken: Mapping[str, Variant], fast: Mapping[str, int]
) -> Mapping[str, FunctionCost]:
    """What the functions cost of which sums are in the faster variant."""
    scheduled = module.clone()
    _schedule(scheduled, cpu, lambda name: taken.get(name) if name in fast else None, fast=fast)
    return costs_of(scheduled, cpu)


def _schedule_small(cpu: Cpu, module: ModuleOp, tiled: Collection[str]) -> None:
    """Shorten all tasks, and write schedules on those of the functions that are to have tiles."""
    _schedule(module, cpu, lambda name: Variant.SMALL, tiled=tiled)


def _measured(
    module: ModuleOp,
    cpu: Cpu,
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
    before, after = module.clone(), module.clone()
    _schedule(before, cpu, taken.get, fast=fast)
    _schedule(after, cpu, taken.get, lambda name: known, fast=fast)
    costs = [costs_of(one, cpu) for one in (before, after)]
    sizes = [{name: cost.code + cost.constants for name, cost in each.items()} for each in costs]
    left = most - sum(sizes[0][name] - plain[name].code - plain[name].constants for name in taken)
    found: list[str] = []
    for name in plain:
        more = sizes[1][name] - sizes[0][name]
        if name in taken and more <= max(0.0, left) and (room is None or costs[1][name].scratch <= room[name]):
            found.append(name)
            left -= more
    return frozenset(found)


def _schedule(
    module: ModuleOp,
    cpu: Cpu,
    variant_of: Callable[[str], Variant | None],
    known_of: Callable[[str], Known | None] = lambda name: None,
    tiled: Collection[str] | None = None,
    fast: Mapping[str, int] | None = None,
) -> None:
    """Write schedules on the tasks of those functions for which there is a variant.

    Args:
        module: of tasks.
        cpu: the processor.
        variant_of: by the name of a function.
        known_of: what was measured and counts for a function, by its name.
        tiled: the functions that get tiles; all if it is None.
        fast: how many of a function's sums, from the first, are in the fastest variant instead.
    """
    constants, left = Constants(module), dict(fast or {})
    nests = [inner for inner in module.walk() if isinstance(inner, NestOp)]
    for number, found in enumerate(nests, 1):
        tell(f"schedule: task {number} of {len(nests)}")
        function = _function_around(found)
        variant = variant_of(function.sym_name.data)
        if variant is None:
            continue
        if left.get(function.sym_name.data) and is_sum(found):
            left[function.sym_name.data] -= 1
            variant = Variant.FAST
        for nest in prepared(found, constants, cpu, variant):
            if not is_open(nest) or (tiled is not None and function.sym_name.data not in tiled):
                continue
            known = known_of(function.sym_name.data)
            steps = heuristic_steps(nest, constants, cpu, variant)
            if known is not None:
                steps = known.steps(nest, constants, steps)
            if steps is not None:
                put_schedule(nest, steps)


def prepared(nest: NestOp, constants: Constants, cpu: Cpu, variant: Variant = Variant.FAST) -> list[NestOp]:
    """A nest in the form that schedules are chosen for, in its place: narrow sums, short endings, phases."""
    narrow_sums(nest, constants)
    if cpu.in_words and cpu.fpu and not cpu.rounds:
        shorten_rounding(nest)
    records = variant not in (Variant.SMALL, Variant.LOOPS)
    if cpu.in_words and records:
        shorten_byte_sums(nest)
    floats = cpu.dsp and cpu.fpu
    low_products = cpu.low_products and records
    nest = shorten_rescaling(nest, constants, records=records, low_products=low_products, floats=floats)
    if cpu.in_words and records:
        double_early(nest)
    return in_phases(nest, constants, alone=variant is Variant.SMALL) if is_open(nest) else [nest]


def is_open(nest: NestOp) -> bool:
    """Whether a nest has no schedule yet but what joined operands need."""
    return (() if nest.schedule is None else nest.schedule.data) == decided_steps(nest)


def heuristic_steps(nest: NestOp, constants: Constants, cpu: Cpu, variant: Variant) -> tuple[Step, ...] | None:
    """The schedule that is known to be fast without measuring; None where loops in order are best."""
    if variant is Variant.LOOPS:
        steps = expand_schedule(nest, constants, decided_steps(nest))
    elif variant is Variant.SMALL:
        steps = products_schedule(nest, constants, cpu, variant) or (small_channels_schedule(nest) if cpu.dsp else None)
    else:
        is_lean = variant is Variant.LEAN
        if is_lean:
            cpu = replace(cpu, tile=replace(cpu.tile, pixels=1))
        steps = (
            (products_schedule(nest, constants, cpu, variant) if is_lean else None)
            or lanes_schedule(nest, constants, cpu, decided_steps(nest))
            or (winograd_schedule(nest, constants, cpu) if variant is Variant.WINOGRAD else None)
            or products_schedule(nest, constants, cpu, Variant.FAST if variant is Variant.WINOGRAD else variant)
            or channels_schedule(nest, constants, cpu)
            or float_sums_schedule(nest, cpu)
            or pointwise_schedule(nest, cpu)
        )
    if steps is None:
        return None
    writes_out = any(isinstance(step, InWords | Words | Lanes | Expand | Winograd) for step in steps)
    steps = steps if writes_out else (*decided_steps(nest), *steps)
    return steps if is_legal(nest, steps, constants) else None


def put_schedule(nest: NestOp, steps: tuple[Step, ...]) -> None:
    """Write a schedule on a nest."""
    nest.schedule = ScheduleAttr(steps)
    # Inside the function that calls them, compilers find fewer registers for the innermost loops.
    _function_around(nest).attributes[NO_INLINE] = UnitAttr()


def _function_around(nest: NestOp) -> func.FuncOp:
    function = function_block(nest).parent_op()
    assert isinstance(function, func.FuncOp), "it is the block of a function"
    return function
