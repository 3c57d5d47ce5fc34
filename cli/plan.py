"""`stillpool plan`: the planner alone, on files of buffers."""

from __future__ import annotations

import json
from pathlib import Path

import click

from .help import Verb
from .output import Output, output_options
from .text_file import write_text

SECONDS = 20.0
"""Seconds that the search may take in each pool by default."""


@click.command(cls=Verb)
@click.argument("buffers", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--capacity", type=click.IntRange(min=0), metavar="BYTES", help="Largest size of the pool (CSV only).")
@click.option("--algorithm", metavar="NAME", help="Placement algorithm. Default: exact.")
@click.option(
    "--planner-seconds",
    type=click.FloatRange(min=0),
    metavar="S",
    help="Search in each pool, counted in steps: equal input has an equal plan. Default: 20.",
)
@click.option("-o", "--output-file", type=click.Path(dir_okay=False, path_type=Path), help="Where the plan goes.")
@output_options
def plan(
    buffers: Path,
    capacity: int | None,
    algorithm: str | None,
    planner_seconds: float | None,
    output_file: Path | None,
    output: Output,
) -> None:
    """Place the buffers of BUFFERS in pools.

    A CSV has the columns id, lower, upper, size (live on [lower, upper)); the output adds offset. A JSON file has
    explicit conflicts, alignments and candidate pools; the output gives pool and offset of each buffer.
    """
    from ..driver.options.search import check_search
    from ..errors import UsageError
    from ..planner import files
    from ..planner import plan as place
    from ..planner.plan import DEFAULT
    from ..progress import tell

    is_json = buffers.suffix == ".json"
    if is_json and capacity is not None:
        raise UsageError("--capacity goes with a CSV", remedy="leave it out")
    check_search(algorithm, planner_seconds)
    problem = files.read_json(buffers) if is_json else files.read_csv(buffers, capacity)
    tell(f"placing {len(problem.buffers):,} buffers")
    answer = place(problem, algorithm or DEFAULT, SECONDS if planner_seconds is None else planner_seconds)
    document = files.as_json(problem, answer)
    if output_file is not None:
        text = f"{json.dumps(document, indent=1)}\n" if is_json else files.write_csv(problem, answer)
        write_text(output_file, text)
    lines = [
        f"pool {pool.name}: {pool.size:,} bytes, lower bound {pool.lower_bound:,}"
        f"{', proved optimal' if pool.optimal else ''}"
        for pool in answer.pools
    ]
    output.result(document, "\n".join(lines))
