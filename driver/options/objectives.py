"""Goals of a compilation: which schedules its tasks get, and whether its tensors become rows."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ...errors import UsageError, one_of
from ...frontends.mlir.import_mlir import is_of_tensors
from ...machines.cpus import HOST, get_cpu
from ..models.entry import entry_function
from ..models.model import Model
from ..pipeline import Plan, Rows
from .options import OBJECTIVES, Options

RAM_PRICE = 15.0
"""Percents of the instructions that rows may cost where the objective is RAM."""
BALANCED_PRICE = 1.0
"""Percents of the instructions that rows may cost with other objectives."""


def scheduled_for(options: Options) -> str:
    """The processor that tasks are scheduled for; none if it is empty.

    Raises:
        UsageError: there is no such objective, or processor.
    """
    optimize, target = options.get("optimize"), options.get("target", "host")
    if optimize is not None and optimize not in OBJECTIVES:
        raise UsageError(f"objective '{optimize}' is not available", remedy=one_of(optimize, OBJECTIVES))
    if target != "host":
        return get_cpu(target).name
    # Without an objective the C is plain: the shortest, and the same wherever it is compiled.
    return "" if optimize in (None, "ram", "size") else HOST.name


def schedule_objective(options: Options) -> str:
    """Goal of schedules, as the pass `schedule` takes it."""
    optimize = options.get("optimize") or "balanced"
    return optimize if optimize in ("balanced", "size") else "speed"


def schedule_flash(options: Options) -> int | None:
    """Bytes of flash that schedules may take; None for what the objective says.

    Raises:
        UsageError: there are no schedules.
    """
    most = options.get("schedule_flash")
    if most is not None and (not scheduled_for(options) or options.get("optimize") == "size"):
        raise UsageError(
            "nothing is chosen by flash here: --spend flash has no effect",
            remedy="name a processor by --target, and leave out --optimize size",
        )
    if most is not None and most < 0:
        raise UsageError(f"--spend flash={most} is not a number of bytes", remedy="give 0 or more")
    return most


def schedule_ram(options: Options) -> int | None:
    """Bytes of workspace that the scratch memory of schedules may take; None for as much as it takes.

    Raises:
        UsageError: there are no schedules.
    """
    most = options.get("schedule_ram")
    if most is not None and not scheduled_for(options):
        raise UsageError(
            "there are no schedules here: --spend ram has no effect",
            remedy="name a processor by --target",
        )
    if most is not None and most < 0:
        raise UsageError(f"--spend ram={most} is not a number of bytes", remedy="give 0 or more")
    return most


def schedules(options: Options) -> str:
    """The file of schedules that were measured; none if it is empty.

    Raises:
        InputError: it cannot be read.
        UsageError: there are no schedules.
    """
    path = options.get("schedules")
    if path is None:
        return ""
    if not scheduled_for(options) or options.get("optimize") == "size":
        raise UsageError(
            "nothing is chosen by measurements here: --schedules has no effect",
            remedy="name a processor by --target, and leave out --optimize size",
        )
    from ...lowering.schedule.known.database import read_database

    read_database(Path(path))
    return os.fspath(path)


def winograd(options: Options) -> bool:
    """Whether schedules may transform constants.

    Raises:
        UsageError: none would.
    """
    asked, name = options.get("winograd", False), scheduled_for(options)
    if not asked:
        return False
    cpu = get_cpu(name) if name and options.get("optimize") != "size" else None
    if cpu is None or not cpu.dsp or cpu.vector:
        raise UsageError(
            "no convolution is transformed here: --winograd has no effect",
            remedy="name a processor with DSP instructions and without vectors by --target, such as cortex-m4, and "
            "leave out --optimize size",
        )
    return True


def rows_of(options: Options) -> Rows | Literal["split"]:
    """Whether tensors are asked to become rows: by an option of rows, or by the objective RAM if it is worth it."""
    rows = options.get("rows")
    if options.get("row_segments"):
        return "split"
    if options.get("stream_input"):
        return "on"
    if rows is not None:
        return rows
    return "auto" if options.get("optimize") == "ram" else "off"


def rows_for(model: Model, options: Options, *, has_externals: bool) -> Rows | Literal["split"]:
    """Whether the tensors of a model become rows.

    As is asked for; `balanced`, where it is said, takes rows that cost next to nothing. Operators that are not computed
    here are laid out for whole tensors.
    """
    asked = rows_of(options)
    if asked != "off" or options.get("rows") is not None or options.get("optimize") != "balanced" or has_externals:
        return asked
    return "auto" if is_of_tensors(entry_function(model.nn)) else "off"


def weighs_scratch(options: Options) -> bool:
    """Whether less scratch memory of schedules is weighed: where the objective is RAM, and nothing else limits them."""
    is_limited = any(options.get(one) is not None for one in ("schedule_ram", "schedule_flash"))
    return options.get("optimize") == "ram" and bool(scheduled_for(options)) and not is_limited


def for_ram(plan: Plan) -> Plan | None:
    """The plan that `--optimize ram` makes in the place of another objective; None where another option of it would not
    go with that.
    """
    scheduled = "" if plan.scheduled_for == HOST.name else plan.scheduled_for
    limits = plan.schedule_flash, plan.schedule_ram
    if not scheduled and (limits != (None, None) or plan.schedules or plan.winograd):
        return None
    return replace(
        plan,
        scheduled_for=scheduled,
        objective="speed",
        row_saving=0.0,
        row_price=RAM_PRICE if plan.row_price == BALANCED_PRICE else plan.row_price,
        rows="auto" if plan.rows == "off" else plan.rows,
        weighs_scratch=bool(scheduled) and limits == (None, None),
    )


def ram_price(options: Options) -> float:
    """Percents of the instructions that rows may cost.

    Raises:
        UsageError: nothing is decided by it.
    """
    price, optimize = options.get("ram_price"), options.get("optimize")
    if price is None:
        return RAM_PRICE if optimize == "ram" else BALANCED_PRICE
    is_decided = rows_of(options) == "auto" or (options.get("rows") is None and optimize == "balanced")
    if not is_decided or not scheduled_for(options):
        raise UsageError(
            "no rows are weighed against instructions here: --spend instructions has no effect",
            remedy="name a processor by --target, and give --optimize ram, --optimize balanced or --rows auto",
        )
    if not price >= 0:
        raise UsageError(f"--spend instructions={price:g} is not a number of percents", remedy="give 0 or more")
    return price


def recompute(options: Options) -> float:
    """Percents of the multiply-accumulates that may be made again.

    Raises:
        UsageError: nothing is decided by it.
    """
    share = options.get("recompute")
    if share is None:
        return 0.0
    if rows_of(options) not in ("on", "auto"):
        raise UsageError(
            "no order of rows is chosen here: --spend macs has no effect",
            remedy="give --rows on, and no segments by hand",
        )
    if not share >= 0:
        raise UsageError(f"--spend macs={share:g} is not a number of percents", remedy="give 0 or more")
    return share
