"""Options and output of the verbs that run a model on an emulated processor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import UsageError
from .tables import rendered, table

if TYPE_CHECKING:
    from ..driver.compile.compilation import Compilation
    from ..driver.compile.compiled import Compiled
    from ..run.budgets import Budgets
    from ..run.emulate.emulator import Emulation
    from ..run.emulate.figures import Figures
    from ..run.samples import Array

Command = TypeVar("Command", bound=Callable[..., Any])
HOST = "host"
DEFAULT_LEVEL = "2"
"""Level of `-O`."""


def emulation_options(command: Command) -> Command:
    """Add what says how a model is built and run on an emulated processor; `emulated` takes it."""
    decorated: Any = command
    for option in (
        click.option(
            "--opt",
            metavar="0|1|2|3|s",
            help="Level of -O for the firmware of an emulated target. Default: 2.",
        ),
        click.option("--emulator", metavar="unicorn|qemu", help="Emulator of the target. Default: unicorn."),
        click.option(
            "--cc", metavar="gcc|zig|PROGRAM", help="Compiler for an emulated target. Default: gcc if there, else zig."
        ),
    ):
        decorated = option(decorated)
    return decorated


def check_host(cc: str | None, emulator: str | None, opt: str | None) -> None:
    """Refuse the options of emulated processors where none is.

    Raises:
        UsageError: one of them was given.
    """
    for name, value in (("cc", cc), ("emulator", emulator), ("opt", opt)):
        if value is not None:
            raise UsageError(f"--{name} goes with an emulated processor", remedy="name one by --target")


def check_target(target: str, cc: str | None, emulator: str | None, opt: str | None) -> None:
    """Refuse options for an emulated processor that nothing can be built or run with, before the model is compiled.

    Raises:
        UsageError: as `run.emulate.emulator.check_emulation`.
    """
    from ..machines.cpus import get_cpu
    from ..run.emulate.emulator import check_emulation

    if target != HOST:
        check_emulation(get_cpu(target), cc=cc, emulator=emulator, opt=opt or DEFAULT_LEVEL)


def emulated(
    artifact: Compiled,
    target: str,
    stacked: Mapping[str, Array],
    *,
    cc: str | None,
    emulator: str | None,
    opt: str | None,
) -> Emulation:
    """Run samples on the processor `target`; see `run.emulate.emulator.emulate`."""
    from ..machines.cpus import get_cpu
    from ..run.emulate.emulator import emulate

    return emulate(artifact, get_cpu(target), stacked, cc=cc, emulator=emulator, opt=opt or DEFAULT_LEVEL)


def within_budgets(
    budgets: Budgets,
    request: Compilation,
    artifact: Compiled,
    target: str,
    stacked: Mapping[str, Array],
    *,
    cc: str | None = None,
    emulator: str | None = None,
    opt: str | None = None,
) -> Emulation:
    """Like `emulated`, for a run of what `request` made that must not take more than `budgets`.

    Raises:
        BudgetError: it does.
    """
    emulations: dict[str, Emulation] = {}

    def measure(level: str) -> Figures:
        if level not in emulations:
            emulations[level] = emulated(artifact, target, stacked, cc=cc, emulator=emulator, opt=level)
        return emulations[level].figures

    level = opt or DEFAULT_LEVEL
    budgets.check(request, artifact.description, level, measure)
    return emulations[level]


def figure_tables(figures: Figures) -> str:
    """The figures of a run as tables."""
    parts = [f"{figures.target}, {figures.emulator}, {figures.compiler}", _totals(figures), _memory(figures)]
    if figures.operators is not None:
        parts.append(operator_table(figures))
    return rendered(*parts)


def _totals(figures: Figures) -> Any:
    from ..run.emulate.figures import CYCLE_MODEL

    worst = figures.worst_case_stack
    rows = [("instructions", f"{figures.instructions:,}")]
    if figures.cycles is not None:
        rows.append((f"cycles ({CYCLE_MODEL})", f"{figures.cycles:,}"))
    rows += [
        ("stack, observed", f"{figures.stack_bytes:,} bytes"),
        ("stack, worst case", "unknown" if worst is None else f"{worst:,} bytes"),
    ]
    return table("", ("one inference", ""), rows)


def _memory(figures: Figures) -> Any:
    sizes = figures.sizes
    rows = [
        (
            "flash",
            sizes.flash,
            f"code {sizes.code:,}, weights {sizes.weights:,}, tables {sizes.tables:,}, padding {sizes.padding:,}, "
            f"data {sizes.data:,}",
        ),
        (
            "RAM",
            sizes.ram,
            f"pools {sizes.pools:,}, arrays {sizes.arrays:,}, data {sizes.data:,}, bss {sizes.bss:,}",
        ),
    ]
    return table("", ("memory", "bytes", "of these"), rows)


def operator_table(figures: Figures) -> Any:
    """Every operator with its MACs, instructions and share.

    The operators must be known.
    """
    assert figures.operators is not None, "the emulator counted by operator"
    from ..planner.short_name import labels

    cycles = figures.cycles is not None
    label = labels(entry.operator.name for entry in figures.operators)
    rows: list[tuple[object, ...]] = []
    for entry in figures.operators:
        share = f"{entry.instructions / max(figures.instructions, 1):.1%}"
        operator = entry.operator
        head = (operator.position, operator.index, operator.op, operator.macs, entry.instructions, entry.per_mac)
        rows.append((*head, share, *((entry.cycles,) if cycles else ()), label[operator.name]))
    rows.append(
        (None, None, "(between)", None, figures.between, None, f"{figures.between / max(figures.instructions, 1):.1%}")
    )
    rows[-1] += (*((None,) if cycles else ()), "")
    heads = (
        "position",
        "index",
        "operator",
        "MACs",
        "instructions",
        "per MAC",
        "share",
        *(("cycles",) if cycles else ()),
        "output",
    )
    return table("", heads, rows)
