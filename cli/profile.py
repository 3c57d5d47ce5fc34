"""`stillpool profile`: where the instructions of one inference go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from .board import board_table
from .effects import refuse_given
from .emulation import HOST, emulated, emulation_options, figure_tables
from .files import write_whole
from .inputs import input_options, refuse_seed, stacked_inputs
from .options import MODEL, plan_options, prepared
from .output import Output, output_options

_OF_RUNS = ("trace_file", "flame_graph", "inputs", "seed", "target", "cc", "emulator", "opt")
"""Options that only concern a run."""


@click.command()
@click.argument("model", type=MODEL)
@click.option(
    "--trace",
    "trace_file",
    type=click.Path(path_type=Path),
    help="Write a time line of operators for Perfetto (ui.perfetto.dev) or chrome://tracing to this JSON file.",
)
@click.option("--flame-graph", type=click.Path(path_type=Path), help="Write a flame graph to this SVG file.")
@click.option(
    "--from",
    "from_file",
    type=click.Path(path_type=Path),
    help="Run nothing: read cycles that a program compiled with --profile-hooks measured, a line POSITION CYCLES for "
    "each operator.",
)
@input_options
@emulation_options
@plan_options
@output_options
def profile(
    model: Path,
    trace_file: Path | None,
    flame_graph: Path | None,
    from_file: Path | None,
    inputs: tuple[str, ...],
    seed: int,
    target: str,
    cc: str | None,
    emulator: str | None,
    opt: str | None,
    output: Output,
    **options: Any,
) -> None:
    """Count the instructions of one inference of MODEL on an emulated processor, by operator."""
    if from_file is not None:
        from ..driver.board_cycles import read_cycles

        # Operators may have schedules for a processor.
        idle = tuple(name for name in _OF_RUNS if name != "target" or options["optimize"] is None)
        refuse_given(idle, "--from says what the board measured")
        description = prepared(model, target=target, profile_hooks=True, **options).result().description
        measured = read_cycles(from_file, description)
        output.result({"model": description.name, **measured.document()}, board_table(measured))
        return
    if target == HOST:
        raise UsageError(
            "instructions are counted on an emulated processor", remedy="name one, for example --target cortex-m4"
        )
    if inputs:
        refuse_seed()
    artifact = prepared(model, target=target, **options).result()
    description = artifact.description
    stacked = stacked_inputs(description, inputs, seed, output)
    figures = emulated(artifact, target, stacked, cc=cc, emulator=emulator, opt=opt).figures
    if figures.operators is None and (trace_file or flame_graph):
        raise UsageError(
            f"{figures.emulator} counts instructions in total only, not by operator",
            remedy="choose --emulator unicorn and a processor that it emulates",
        )
    if trace_file is not None:
        from ..driver.emulate.trace import trace

        write_whole(trace_file, (json.dumps(trace(figures, description), indent=1) + "\n").encode())
        output.say(f"wrote {trace_file}")
    if flame_graph is not None:
        from ..driver.emulate.call_tree import model_tree
        from ..driver.emulate.flame_graph import flame_graph as drawn

        title = f"{description.name} on {target}: {figures.instructions:,} instructions"
        write_whole(flame_graph, drawn(model_tree(figures, description.name), title).encode())
        output.say(f"wrote {flame_graph}")
    output.result({"model": description.name, **figures.document()}, figure_tables(figures))
