"""`stillpool profile`: where the instructions of one inference go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from .emulation import HOST, emulated, emulation_options, figure_tables
from .files import write_whole
from .inputs import input_options, refuse_seed, stacked_inputs
from .options import MODEL, plan_options, prepared
from .output import Output, output_options


@click.command()
@click.argument("model", type=MODEL)
@click.option(
    "--trace",
    "trace_file",
    type=click.Path(path_type=Path),
    help="Write a time line of operators for Perfetto (ui.perfetto.dev) or chrome://tracing to this JSON file.",
)
@click.option("--flame-graph", type=click.Path(path_type=Path), help="Write a flame graph to this SVG file.")
@input_options
@emulation_options
@plan_options
@output_options
def profile(
    model: Path,
    trace_file: Path | None,
    flame_graph: Path | None,
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
