"""`stillpool run`: compile a model for this machine or an emulated one, and run it on arrays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .budgets import budget_options, refuse_budgets
from .effects import refuse_given
from .emulation import HOST, check_host, check_target, emulation_options, figure_tables, within_budgets
from .files import write_whole
from .help import Verb
from .inputs import input_options, refuse_seed, stacked_inputs
from .options import MODEL, plan_options, prepared
from .output import Output, output_options

if TYPE_CHECKING:
    from ..run.budgets import Budgets
    from ..run.samples import Array


@click.command(cls=Verb)
@click.argument("model", type=MODEL)
@input_options()
@click.option("--output-dir", type=click.Path(path_type=Path), help="Where output_<i>.npy files go.")
@click.option(
    "--repeat", default=10, show_default=True, type=click.IntRange(0), help="Further runs for the timing (host)."
)
@emulation_options
@budget_options
@plan_options
@output_options
def run(
    model: Path,
    inputs: tuple[str, ...],
    output_dir: Path | None,
    seed: int,
    repeat: int,
    target: str,
    cc: str | None,
    emulator: str | None,
    opt: str | None,
    budgets: Budgets,
    output: Output,
    **options: Any,
) -> None:
    """Compile MODEL, run it on this machine or on an emulated processor (--target), and write its outputs."""
    if target == HOST:
        check_host(cc, emulator, opt)
        refuse_budgets(budgets, "goes with an emulated processor", "name one by --target")
    else:
        refuse_given(("repeat",), "an emulated processor counts instructions, which no further run changes")
    if inputs:
        refuse_seed()
    from ..run.artifact import Artifact

    request = prepared(model, target=target, **options)
    check_target(target, cc, emulator, opt)
    artifact = Artifact.of(request.result())
    description = artifact.description
    stacked = stacked_inputs(description, inputs, seed, output)
    if target == HOST:
        execution = artifact.execute(stacked, repeats=repeat)
        outputs = execution.outputs
        runtime: dict[str, Any] = {"median_us": execution.median_microseconds, "runs": len(execution.microseconds)}
        figures = ""
        output_time = f"median of {len(execution.microseconds)} runs: {execution.median_microseconds:.1f} us"
    else:
        emulation = within_budgets(budgets, request, artifact, target, stacked, cc=cc, emulator=emulator, opt=opt)
        outputs, runtime = emulation.outputs, emulation.figures.document()
        figures, output_time = figure_tables(emulation.figures), None
        uses = budgets.uses(emulation.figures)
        if uses:
            runtime["budgets"] = [use.document() for use in uses]
            output_time = f"within its budgets: {', '.join(use.label for use in uses)}"
    results = [outputs[tensor.name][0] for tensor in description.outputs]
    files = write_outputs(output_dir, results) if output_dir is not None else [None] * len(results)
    document = {
        "model": description.name,
        "target": target,
        "inputs": "random" if not inputs else "given",
        "seed": None if inputs else seed,
        "outputs": [
            {"name": tensor.name, "dtype": tensor.dtype, "shape": list(tensor.shape), "file": file}
            for tensor, file in zip(description.outputs, files, strict=True)
        ],
        "pools": artifact.manifest["pools"],
        "runtime": runtime,
    }
    lines = [_summary(tensor.name, array) for tensor, array in zip(description.outputs, results, strict=True)]
    output.result(document, "\n".join([*lines, *([figures] if figures else [])]))
    if output_time:
        output.say(output_time)


def write_outputs(folder: Path, arrays: list[Array]) -> list[str]:
    """Write `output_<i>.npy` files, each whole or not at all; returns their paths."""
    from io import BytesIO

    import numpy as np

    paths: list[str] = []
    for index, array in enumerate(arrays):
        stream = BytesIO()
        np.save(stream, array, allow_pickle=False)
        path = folder / f"output_{index}.npy"
        write_whole(path, stream.getvalue())
        paths.append(str(path))
    return paths


def _summary(name: str, array: Array) -> str:
    flat = array.reshape(-1)
    shown = ", ".join(str(value) for value in flat[:16].tolist())
    more = f", ... ({flat.size} values)" if flat.size > 16 else ""
    return f"{name}: {array.dtype} {'x'.join(map(str, array.shape))} [{shown}{more}] argmax {int(flat.argmax())}"
