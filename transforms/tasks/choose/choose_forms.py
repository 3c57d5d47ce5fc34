"""The pass `choose-forms`: writes on each task in which form it is to run, by what that saves and takes.

It writes the attributes `task.form` and `task.measured`, which can be read and edited; the passes that rewrite tasks,
and `schedule`, obey them. Functions get a remark on what other forms would change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ....dialects.operations import all_of
from ....dialects.pool import keys
from ....errors import UsageError
from ....lowering.schedule.schedule_pass import known_schedules
from ....lowering.schedule.variants import Variant, variants
from ....machines.cpus import get_cpu
from ...usmp.analysis.held import constant_bytes, room_for_scratch
from ..prepare import unscheduled
from .options import chosen, fits
from .partly import in_part, sums_of, with_parts
from .remarks import put_remarks
from .small import small_tiles
from .weigh import costs_in_part, measured_functions, options_of, put_forms, scheduled, transformed
from .weighed import Weighed

OBJECTIVES = ("speed", "balanced", "size")


@dataclass(frozen=True)
class ChooseFormsPass(ModulePass):
    """Choose the forms of tasks."""

    name: ClassVar[str] = "choose-forms"

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
    lean: tuple[str, ...] = ()
    """Functions that are to take less scratch memory, one point at a time. Only with `speed` without limits."""
    freed: int = 0
    """Bytes of weights that went with channels. With `balanced` schedules may take as many more, where `flash` does not
    say how many they may take."""
    winograd: bool = False
    """Whether constants of convolutions with three taps side by side may be transformed for fewer products, where that
    is exact and by the estimates faster: along two dimensions for 16/9 of the flash of words. Not with `size`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        try:
            cpu = get_cpu(self.cpu)
        except UsageError as error:
            raise PassFailedException(f"{self.name}: {error}") from error
        if self.optimize not in OBJECTIVES:
            raise PassFailedException(f"{self.name}: optimize is one of {', '.join(OBJECTIVES)}, got {self.optimize!r}")
        is_fastest = self.optimize == "speed" and self.flash is None and self.ram is None
        if self.lean and not is_fastest:
            raise PassFailedException(f"{self.name}: lean is for optimize=speed without limits")
        room = None if self.ram is None else room_for_scratch(op, self.ram)
        if self.optimize == "size":
            tiled = small_tiles(
                op, cpu, lambda tiled: scheduled(op, cpu, lambda name: Variant.SMALL, tiled=tiled), room
            )
            put_forms(op, lambda name: Variant.SMALL, tiled=tiled)
            return
        is_speed = self.optimize == "speed"
        known = known_schedules(self.name, self.cpu, self.schedules, shipped=is_speed, winograd=self.winograd)
        if is_fastest:
            better = transformed(op, cpu) if self.winograd else ()
            fastest = variants(cpu)[-1]
            special = dict.fromkeys(better, Variant.WINOGRAD) | dict.fromkeys(self.lean, Variant.LEAN)
            put_forms(op, lambda name: special.get(name, fastest), measured=lambda name: name not in self.lean)
            return
        most: float = math.inf if is_speed else constant_bytes(op) + self.freed
        if self.flash is not None:
            most = self.flash
        weighed = Weighed(cpu)
        plain = weighed.costs(unscheduled(op, cpu))
        keeps = self.optimize == "balanced"
        found = options_of(op, weighed, plain, winograd=self.winograd, keep_packed=keeps, lean=room is not None)
        allowed = [one for one in found if fits(one, room)]
        # A function that only moves elements has no instructions once `usmp-views` makes a view of it.
        taken = chosen(allowed, most, _moving(op))
        parts = in_part(sums_of(op), plain, allowed, taken, most, lambda fast: costs_in_part(op, weighed, taken, fast))
        fast = {name: one.sums for name, one in parts.items()}
        measured = measured_functions(op, weighed, known, taken, plain, most, room, fast)
        put_forms(op, taken.get, measured=lambda name: name in measured, fast=fast)
        put_remarks(op, plain, with_parts(found, parts), taken, room)


def _moving(module: ModuleOp) -> set[str]:
    """Names of the functions whose calls all say that they only move elements."""
    calls = all_of(module, func.CallOp)
    others = {call.callee.string_value() for call in calls if not keys.PARTS.within(call.attributes)}
    return {call.callee.string_value() for call in calls} - others
