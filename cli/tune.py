"""`stillpool tune`: search schedules for the tasks of a model by measuring them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .effects import refuse_given
from .emulation import DEFAULT_LEVEL, HOST, emulation_options
from .files import write_whole
from .help import Verb
from .options import MODEL, input_shapes
from .output import Output, output_options, result_and_error
from .progress import Bar
from .tables import rendered, table

if TYPE_CHECKING:
    from ..tune.session import Tuned
    from ..tune.store import Store
    from ..tune.tuning import Tuning

DATABASE = Path("schedules.jsonl")
COSTS = ("instructions", "cycles")
_OF_SEARCHES = (
    "target",
    "cost",
    "runner",
    "runner_seconds",
    "trials",
    "seed",
    "jobs",
    "scheduler",
    "rows",
    "input_shape",
    "signature",
    "cc",
    "emulator",
    "opt",
)
"""Options that only concern a search."""


@click.command(cls=Verb)
@click.argument("model", type=MODEL, required=False)
@click.option("--target", default=HOST, metavar="CPU", help="Processor to search for: cortex-m4, ...")
@click.option(
    "--schedules",
    type=click.Path(path_type=Path),
    default=DATABASE,
    show_default=True,
    metavar="FILE",
    help="The file to which results are added, and which has earlier ones.",
)
@click.option(
    "--cost",
    type=click.Choice(COSTS),
    default="instructions",
    show_default=True,
    help="What an emulator counts: instructions, or estimated cycles.",
)
@click.option(
    "--runner",
    metavar="'COMMAND {elf}'",
    help="Program that runs the firmware {elf} on a board and prints its cost as the last number.",
)
@click.option(
    "--runner-seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    help="Limit of the runner for one candidate. Default: 600.",
)
@click.option(
    "--trials", default=48, show_default=True, type=click.IntRange(1), help="Limit of the candidates of each task."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Seed of the order of candidates.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    help="Candidates measured at once here. Default: one for each processor; 1 with --runner.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Measure on a Dask cluster: the address of its scheduler.")
@click.option(
    "--rows",
    type=click.Choice(("off", "on")),
    default="off",
    show_default=True,
    help="Search for the tasks of the model run row by row.",
)
@click.option(
    "--input-shape",
    multiple=True,
    metavar="NAME=1,96,96,3",
    help="Shape of an input that the file leaves open (repeatable). Default: the file's.",
)
@click.option("--signature", metavar="KEY", help="Search for one entry of a file that has several.")
@click.option(
    "--merge",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Add the schedules of another file (repeatable), before a search.",
)
@click.option(
    "--export",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the fastest schedule of each task and what it was compared with to a file of its own.",
)
@emulation_options
@output_options
def tune(
    model: Path | None,
    target: str,
    schedules: Path,
    merge: tuple[Path, ...],
    export: Path | None,
    output: Output,
    **search: Any,
) -> None:
    """Search schedules for the tasks of MODEL that are faster on a processor than those that compile chooses.

    Each candidate is built into a small program and run; its outputs must be those of plain loops. Results are added to
    a file at once: the same command goes on where it was interrupted. compile --schedules FILE takes what was found.
    """
    from ..tune.store import Store, exported

    if model is None:
        refuse_given(_OF_SEARCHES, "there is no MODEL to search for")
        if not merge and export is None:
            raise UsageError("there is nothing to do", remedy="give a MODEL, --merge FILE or --export FILE")
    elif target == HOST:
        raise UsageError("candidates run on an emulated processor", remedy="name one, for example --target cortex-m4")
    if export is not None and any(_is_same(export, file) for file in (schedules, *merge)):
        raise UsageError(
            f"--export to {export}, from which it is made, would lose what is not the fastest",
            remedy="name another file",
        )
    store = Store(schedules)
    merged = _merged(store, merge, output)
    tuning = None if model is None else _tuned(model, target, store, output, **search)
    if export is not None:
        write_whole(export, exported(store.database))
        output.say(f"wrote {export}")
    document: dict[str, Any] = {"schedules": str(schedules), "merged": merged}
    document["exported"] = None if export is None else str(export)
    if tuning is None:
        output.result({**document, "search": None}, "")
        return
    document["search"] = tuning.document()
    if (wrong := tuning.wrong(store.path.parent)) is not None:
        result_and_error(click.get_current_context(), output, document, _text(tuning), wrong)
    output.result(document, _text(tuning))


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve() or (one.exists() and other.exists() and one.samefile(other))


def _merged(store: Store, files: tuple[Path, ...], output: Output) -> int:
    from ..lowering.schedule.known.database import read_database

    count = 0
    for file in files:
        added = store.add(list(read_database(file).records.values()))
        output.say(f"added {added:,} of {file} to {store.path}")
        count += added
    return count


def _tuned(model: Path, target: str, store: Store, output: Output, **search: Any) -> Tuning:
    """Search, with a bar that shows how far it is."""
    from ..tune.job import Way
    from ..tune.tuning import Tuning, Wishes, workers_of

    before = store.written()
    way = Way(
        target, search["cost"], search["cc"], search["opt"] or DEFAULT_LEVEL, search["emulator"], search["runner"]
    )
    if way.runner is not None:
        refuse_given(("cost",), "the runner says what is counted")
        way = replace(way, runner_seconds=search["runner_seconds"] or way.runner_seconds)
    else:
        refuse_given(("runner_seconds",), "there is no --runner")
    if search["scheduler"] is not None:
        refuse_given(("jobs",), "the cluster says how many candidates are measured at once")
    shapes = input_shapes(search["input_shape"])
    wishes = Wishes(way, search["trials"], search["seed"], search["rows"], shapes, search["signature"])
    bar = Bar(wanted=output.wants_progress)

    def tell(tuned: Tuned) -> None:
        session = tuning.session
        bar.show(tuned.task.functions[0], sum(len(one.records) for one in session.tuned), session.expected)

    tuning = Tuning(model, store, wishes, tell)
    for reason in tuning.left_out:
        output.say(f"left out: {reason}")
    jobs = search["jobs"] or (1 if way.runner else os.cpu_count() or 1)
    workers = workers_of(way, jobs, search["scheduler"])
    output.line.hide()
    try:
        tuning.run(workers)
    except KeyboardInterrupt:
        bar.hide()
        kept = len(store.written() - before)
        output.say(f"interrupted: {kept:,} measurements are kept in {store.path}; the same command goes on from there")
        raise
    finally:
        bar.hide()
        workers.close()
    return tuning


def _text(tuning: Tuning) -> str:
    heads = ("task", "calls", "plain loops", "speed", "best", "saved", "tried", "schedule")
    rows: list[tuple[object, ...]] = []
    for one in tuning.session.tuned:
        values = [None if record is None else record.value for record in (one.plain, one.speed, one.best)]
        schedule = "none" if one.best is None else one.best.schedule or "loops in order"
        figures = (*map(_whole, values), _saved(*values[1:]))
        rows.append((one.task.what, one.task.calls, *figures, len(one.records), schedule))
    total = tuning.total()
    sums = (_whole(total["plain"]), _whole(total["speed"]), _whole(total["best"]))
    rows.append(("all", None, *sums, _saved(total["speed"], total["best"]), None, ""))
    _, cost, by, _ = tuning.session.group
    return rendered(f"{tuning.model}, {cost} of each call, {by}", table("", heads, rows))


def _whole(value: float | None) -> float | int | None:
    return round(value) if value is not None and value == round(value) else value


def _saved(before: float | None, after: float | None) -> str:
    return "" if not before or after is None else f"{100 * (before - after) / before:.1f} %"
