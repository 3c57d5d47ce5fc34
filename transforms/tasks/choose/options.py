"""Which variants of functions save most for the flash that they take."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ....lowering.schedule.variants import Variant
from .costs import FunctionCost


@dataclass(frozen=True)
class Option:
    """One function in one variant of its schedules, compared with the same without."""

    name: str
    variant: Variant
    saved: float
    """Instructions of one run of the network."""
    flash: float
    """Bytes more: code and constants."""
    scratch: int = 0
    """Bytes of memory that the function has for itself while it runs."""

    @staticmethod
    def of(name: str, variant: Variant, plain: FunctionCost, scheduled: FunctionCost) -> Option:
        """The option that costs of a function without schedules and with them make."""
        saved = plain.instructions - scheduled.instructions
        return Option(name, variant, saved, scheduled.flash_beyond(plain), scheduled.scratch)


def fits(one: Option, room: Mapping[str, int] | None) -> bool:
    """Whether its scratch memory fits; `room` is the most by function, as `held.room_for_scratch` gives it."""
    return room is None or one.scratch <= room[one.name]


def chosen(found: Sequence[Option], most: float, last: Collection[str] = ()) -> dict[str, Variant]:
    """The variants of functions that save most for the flash that they take, at most `most` bytes in all.

    The greedy algorithm for knapsacks of classes of items (Sinha and Zoltners 1979). Functions that are `last` take
    what the others leave.
    """
    taken: dict[str, Variant] = {}
    total, full = 0.0, set[str]()
    for step in sorted(in_order(found), key=lambda step: step.name in last):
        if step.name in full:
            continue
        if total + step.flash > most:
            full.add(step.name)
            continue
        taken[step.name] = step.variant
        total += step.flash
    return taken


def in_order(found: Sequence[Option]) -> list[Option]:
    """Steps from no schedule to the fastest variants, those that save most for a byte first.

    Each is compared with the step before it of the same function; what takes no flash comes before all others.
    """
    by_function: dict[str, list[Option]] = {}
    for one in found:
        by_function.setdefault(one.name, []).append(one)
    steps = [step for each in by_function.values() for step in _steps(each)]
    return sorted(steps, key=lambda step: (step.flash > 0, -_rate(step), step.name))


def _steps(found: Sequence[Option]) -> list[Option]:
    """From no schedule to ever more that save more, each compared with the one before; less and less for a byte."""
    saved = flash = 0.0
    steps: list[Option] = []
    rest = [one for one in found if one.saved > 0]
    while rest:
        more = [Option(one.name, one.variant, one.saved - saved, one.flash - flash) for one in rest]
        best = max(more, key=lambda step: (step.flash <= 0, _rate(step) if step.flash > 0 else step.saved))
        steps.append(best)
        saved, flash = saved + best.saved, flash + best.flash
        rest = [one for one in rest if one.saved > saved]
    return steps


def _rate(step: Option) -> float:
    """Instructions saved for each byte."""
    return step.saved / max(1.0, step.flash)
