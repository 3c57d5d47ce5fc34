"""`stillpool profile`: where the instructions of one inference go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .board import board_table
from .effects import refuse_given
from .emulation import HOST, check_target, emulated, emulation_options, figure_tables
from .files import write_whole
from .help import Verb
from .inputs import input_options, refuse_seed, stacked_inputs
from .options import MODEL, plan_options, prepared
from .output import Output, output_options

if TYPE_CHECKING:
    from ..report.manifest_operators import Operators

_OF_RUNS = ("trace_file", "flame_graph", "inputs", "seed", "target", "cc", "emulator", "opt")
"""Options that only concern a run."""


@click.command(cls=Verb)
@click.argument("model", type=MODEL)
@click.option(
    "--trace",
    "trace_file",
    type=click.Path(path_type=Path),
    help="Write a time line of operators for Perfetto (ui.perfetto.dev) to this JSON file.",
)
@click.option("--flame-graph", type=click.Path(path_type=Path), help="Write a flame graph to this SVG file.")
@click.option(
    "--from",
    "from_file",
    type=click.Path(path_type=Path),
    help="Read cycles measured on a board with --profile-hooks: a line POSITION CYCLES for each operator. MODEL may be "
    "the project's folder or manifest.",
)
@input_options()
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
        from ..report.board_cycles import read_cycles

        operators = _operators(model, target, options)
        measured = read_cycles(from_file, operators)
        output.result({"model": operators.model, **measured.document()}, board_table(measured))
        return
    if target == HOST:
        raise UsageError(
            "instructions are counted on an emulated processor", remedy="name one, for example --target cortex-m4"
        )
    if inputs:
        refuse_seed()
    request = prepared(model, target=target, **options)
    check_target(target, cc, emulator, opt)
    artifact = request.result()
    description = artifact.description
    stacked = stacked_inputs(description, inputs, seed, output)
    figures = emulated(artifact, target, stacked, cc=cc, emulator=emulator, opt=opt).figures
    if figures.operators is None and (trace_file or flame_graph):
        raise UsageError(
            f"{figures.emulator} counts instructions in total only, not by operator",
            remedy="choose --emulator unicorn and a processor that it emulates",
        )
    if trace_file is not None:
        from ..run.emulate.trace import trace

        write_whole(trace_file, (json.dumps(trace(figures, description), indent=1) + "\n").encode())
        output.say(f"wrote {trace_file}")
    if flame_graph is not None:
        from ..run.emulate.call_tree import model_tree
        from ..run.emulate.flame_graph import flame_graph as drawn

        title = f"{description.name} on {target}: {figures.instructions:,} instructions"
        write_whole(flame_graph, drawn(model_tree(figures, description.name), title).encode())
        output.say(f"wrote {flame_graph}")
    output.result({"model": description.name, **figures.document()}, figure_tables(figures))


def _operators(model: Path, target: str, options: dict[str, Any]) -> Operators:
    """Operators of the measured program: as its manifest says, or as the model compiles with the options."""
    from ..report.manifest_operators import Operators, is_manifest, read_operators

    # Operators may have schedules for a processor.
    idle = tuple(name for name in _OF_RUNS if name != "target" or options["optimize"] is None)
    refuse_given(idle, "--from says what the board measured")
    if not is_manifest(model):
        return Operators.of(prepared(model, target=target, profile_hooks=True, **options).result().description)
    decided = tuple(name for name in (*options, "target") if name != "name")
    refuse_given(decided, f"{model} says what was compiled")
    names = options["name"]
    return read_operators(model, names[0] if names else None)
