"""Changes by which the pools may take less: proposals, without a promise that they save anything."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from glob import escape

from ...driver.compile.compile_system import SystemCompilation
from ...driver.options.objectives import for_ram
from ...driver.options.pool_spec import PoolSpec
from ...driver.pipeline import Plan
from ...planner import DEFAULT, DEFAULT_SECONDS
from ...planner.short_name import short_name
from ...targets.interfaces.description import Buffer, Description, Pool
from ...transforms.usmp.placing.assign_pools import DEFAULT_POOL
from .caller_owned import taken_out
from .lever import Lever
from .variants import Plannable, compilations, with_plan, with_pools

_MOST_MOVED = 8
"""Buffers of a peak whose move is planned, largest first."""
_LONGER = 10
"""How much longer a search that proved nothing is tried."""
_NEW_POOL = "second"


def levers(of: Plannable, models: Sequence[Description], at_peak: Collection[Buffer]) -> Iterator[Lever]:
    """Every change that applies to the request.

    Args:
        of: the request.
        models: its models as they are planned now.
        at_peak: what is live at the peaks of their workspace pools.
    """
    plans, pools = [one.plan for one in compilations(of)], _workspace_pools(models)
    yield from _contracts(of, plans)
    yield from taken_out(of, models)
    yield from _smaller_ways(of, plans)
    yield from _search(of, plans[0], pools)
    yield from _side_by_side(of)
    yield from _unpinned(of, plans[0])
    yield from _moved(of, plans[0], pools, at_peak, {buffer.name for model in models for buffer in model.buffers})


def _workspace_pools(models: Sequence[Description]) -> tuple[Pool, ...]:
    """Workspace pools of all models, each once."""
    return tuple({pool.name: pool for model in models for pool in model.workspace_pools}.values())


def _contracts(of: Plannable, plans: Sequence[Plan]) -> Iterator[Lever]:
    """Changes of what operators may overwrite, of contracts of inputs, and of clean-ups of the graph."""
    if plans[0].overlap != "full":
        action = "let an output overlap an input that dies there, at a distance where need be"
        yield Lever(action, "--planner overlap=full", with_plan(of, lambda plan: replace(plan, overlap="full")))
    if plans[0].overlap == "off":
        action = "let elementwise operators run in place"
        yield Lever(action, "--planner overlap=inplace", with_plan(of, lambda plan: replace(plan, overlap="inplace")))
    if any(plan.keep_inputs for plan in plans):
        changed = with_plan(of, lambda plan: replace(plan, keep_inputs=False))
        yield Lever("let a run use the bytes of its inputs again", "without --io keep", changed)
    if any(plan.double_buffer_inputs for plan in plans):
        changed = with_plan(of, lambda plan: replace(plan, double_buffer_inputs=False))
        yield Lever("give inputs one place instead of two slots", "without --io double-buffer", changed)
    if plans[0].clean_ups_off:
        changed = with_plan(of, lambda plan: replace(plan, clean_ups_off=()))
        yield Lever("let all clean-ups simplify the graph", "without --no-clean-up", changed, effort="loops")


def _smaller_ways(of: Plannable, plans: Sequence[Plan]) -> Iterator[Lever]:
    """Schedules without scratch memory, rows instead of whole tensors, and both: the least different first, what takes
    the fewest bytes last.
    """
    whole = all(plan.rows in ("off", "auto") for plan in plans)
    scratch = any(plan.scheduled_for and plan.schedule_ram is None for plan in plans)
    if scratch:
        changed = with_plan(of, _without_scratch)
        yield Lever("leave out scratch memory of schedules", "--spend ram=0", changed, effort="loops")
    if whole:
        changed = with_plan(of, lambda plan: replace(plan, rows="on"))
        yield Lever("run operators row by row", "--rows on", changed, effort="loops")
    # An objective that was given is given up for it.
    for_least = [for_ram(plan) for plan in plans]
    if whole and None not in for_least and for_least != list(plans):
        changed = with_plan(of, lambda plan: for_ram(plan) or plan)
        yield Lever("take the least bytes within a price in instructions", "--optimize ram", changed, effort="loops")
    if whole and scratch:
        changed = with_plan(of, lambda plan: replace(_without_scratch(plan), rows="on"))
        action = "run row by row, without scratch memory of schedules"
        yield Lever(action, "--rows on --spend ram=0", changed, effort="loops")


def _without_scratch(plan: Plan) -> Plan:
    return replace(plan, schedule_ram=0) if plan.scheduled_for else plan


def _search(of: Plannable, plan: Plan, pools: Collection[Pool]) -> Iterator[Lever]:
    """A better algorithm, or more of the same."""
    if plan.algorithm not in (None, DEFAULT):
        changed = with_plan(of, lambda plan: replace(plan, algorithm=DEFAULT))
        yield Lever("search for the best plan", f"--planner algorithm={DEFAULT}", changed, effort="search")
    elif not all(pool.proven_optimal for pool in pools):
        seconds = _LONGER * (DEFAULT_SECONDS if plan.seconds is None else plan.seconds) or DEFAULT_SECONDS
        changed = with_plan(of, lambda plan: replace(plan, seconds=seconds))
        yield Lever("search longer", f"--planner seconds={seconds:g}", changed, effort="search")


def _side_by_side(of: Plannable) -> Iterator[Lever]:
    """Models that may run at the same time lie beside each other, each at the alignment of the pool."""
    if not isinstance(of, SystemCompilation) or of.concurrency != "concurrent":
        return
    yield Lever("run one model at a time", "--concurrency exclusive", replace(of, concurrency="exclusive"))
    for old in of.compilations[0].pools:
        for alignment in (4, 8, 16):
            if old.kind == "workspace" and old.align is not None and alignment < old.align:
                new = replace(old, align=alignment)
                changed = with_pools(of, lambda pools, old=old, new=new: tuple(new if p == old else p for p in pools))
                action = f"align pool {old.name} to {alignment} bytes"
                yield Lever(action, f"--pool {shlex.quote(str(new))}", changed)


def _unpinned(of: Plannable, plan: Plan) -> Iterator[Lever]:
    """The pins, one by one."""
    for pin in plan.pins:
        rest = tuple(other for other in plan.pins if other != pin)
        changed = with_plan(of, lambda plan, rest=rest: replace(plan, pins=rest))
        action = f"let the planner choose the pool of {pin.rpartition('=')[0]}"
        yield Lever(action, f"without --pin {shlex.quote(pin)}", changed)


def _moved(
    of: Plannable, plan: Plan, pools: Collection[Pool], at_peak: Collection[Buffer], names: Collection[str]
) -> Iterator[Lever]:
    """Changes that move buffers of the peak to another pool; to a new one where the user named none."""
    named = any(spec.kind == "workspace" for spec in compilations(of)[0].pools)
    targets = [pool.name for pool in pools if not pool.persistent] if named else [_NEW_POOL]
    patterns = [pin.rpartition("=")[0] for pin in plan.pins]
    moved: set[str] = set()
    for buffer in sorted(at_peak, key=lambda buffer: -buffer.bytes):
        pinned = any(fnmatchcase(buffer.name, pattern) for pattern in patterns)
        if pinned or buffer.name in moved or buffer.kind == "state" or '"' in buffer.name or len(moved) == _MOST_MOVED:
            continue
        moved.add(buffer.name)
        for target in targets:
            if target == buffer.pool:
                continue
            pin = f"{_pattern(buffer.name, names)}={target}"
            changed = with_plan(of, lambda plan, pin=pin: replace(plan, pins=(*plan.pins, pin)))
            option = f"--pin {shlex.quote(pin)}"
            if not named:
                changed = with_pools(changed, lambda pools: (PoolSpec(DEFAULT_POOL), PoolSpec(_NEW_POOL), *pools))
                option = f"--pool {DEFAULT_POOL} --pool {_NEW_POOL} {option}"
            where = f"pool {target}" if named else f"a further pool, {target}"
            yield Lever(f"move {buffer.kind} {short_name(buffer.name)} to {where}", option, changed)


def _pattern(name: str, names: Collection[str]) -> str:
    """A pattern that only `name` of all `names` matches; without what converters append of other tensors."""
    whole = escape(name)
    short = f"{escape(name.split(';')[0])};*"
    return short if [other for other in names if fnmatchcase(other, short)] == [name] else whole
