"""Cost and gain of schedules, function by function: both ways are made into loops, and these are weighed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp

from ....dialects.operations import all_of
from ....machines.cpus import Cpu
from ...tasks import LowerTasksPass
from ..variants import Variant
from .counts import estimate
from .held import bytes_of, held_bytes


@dataclass(frozen=True)
class FunctionCost:
    """Cost of a function in one run of the network."""

    instructions: float
    """Instructions of all calls."""
    code: float
    """Bytes."""
    constants: int
    """Bytes of the constants that calls pass to it or that it reads."""
    scratch: int = 0
    """Bytes of memory that it has for itself while it runs."""


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


def options(plain: Mapping[str, FunctionCost], scheduled: Mapping[str, FunctionCost], variant: Variant) -> list[Option]:
    """Return the costs and savings of functions that have schedules, compared with the same without."""
    found: list[Option] = []
    for name, one in plain.items():
        other = scheduled[name]
        flash = other.code - one.code + other.constants - one.constants
        found.append(Option(name, variant, one.instructions - other.instructions, flash, other.scratch))
    return found


def fits(one: Option, room: Mapping[str, int] | None) -> bool:
    """Whether its scratch memory fits; `room` is the most by function, as `held.room_for_scratch` gives it."""
    return room is None or one.scratch <= room[one.name]


def constant_bytes(module: ModuleOp) -> int:
    """Bytes of all constants of a module."""
    return sum(bytes_of(op.type) for op in module.ops if isinstance(op, memref.GlobalOp) and op.constant is not None)


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


def costs_of(module: ModuleOp, cpu: Cpu, names: Collection[str] | None = None) -> dict[str, FunctionCost]:
    """Return the costs of the functions of a module of tasks that are called; the module is consumed.

    Those are asked about that `names` has; all if it is None.
    """
    sizes = _constants(module)
    LowerTasksPass().apply(Context(), module)
    sizes |= _constants(module)
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks}
    calls = defaultdict[str, list[func.CallOp]](list)
    for function in functions.values():
        for call in all_of(function, func.CallOp):
            calls[call.callee.string_value()].append(call)
    found: dict[str, FunctionCost] = {}
    for name, function in functions.items():
        if not calls[name] or (names is not None and name not in names):
            continue
        passed = [value.owner for call in calls[name] for value in call.arguments]
        gets = [*all_of(function, memref.GetGlobalOp), *(get for get in passed if isinstance(get, memref.GetGlobalOp))]
        constants = sum(sizes[one] for one in {get.name_.string_value() for get in gets})
        one = estimate(function, cpu)
        found[name] = FunctionCost(one.instructions * len(calls[name]), one.code, constants, held_bytes(function))
    return found


def _constants(module: ModuleOp) -> dict[str, int]:
    """Bytes of the globals of a module."""
    return {op.sym_name.data: bytes_of(op.type) for op in module.ops if isinstance(op, memref.GlobalOp)}
