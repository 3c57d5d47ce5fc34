"""`stillpool run`: compile a model for this machine or an emulated one, and run it on arrays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, UsageError
from .emulation import HOST, check_host, emulated, emulation_options, figure_tables
from .options import MODEL, plan_options, prepared
from .output import Output, output_options

if TYPE_CHECKING:
    from ..driver.samples import Array
    from ..targets.interfaces.description import Description


@click.command()
@click.argument("model", type=MODEL)
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="[NAME=]FILE.npy",
    help="An input, by name or in order (repeatable). Default: seeded random inputs.",
)
@click.option("--output-dir", type=click.Path(path_type=Path), help="Where output_<i>.npy files go.")
@click.option("--seed", default=0, show_default=True, help="Seed of random inputs.")
@click.option(
    "--repeat", default=10, show_default=True, type=click.IntRange(0), help="Further runs for the timing (host)."
)
@emulation_options
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
    output: Output,
    **options: Any,
) -> None:
    """Compile MODEL, run it on this machine or on an emulated processor (--target), and write its outputs."""
    import numpy as np

    from ..driver.samples import checked_inputs, random_inputs

    if target == HOST:
        check_host(cc, emulator, opt)
    artifact = prepared(model, target=target, **options).result()
    description = artifact.description
    if inputs:
        arrays = checked_inputs(description, read_inputs(description, inputs))
        stacked = {name: array[np.newaxis] for name, array in arrays.items()}
    else:
        stacked = random_inputs(description, 1, seed)
        output.say(f"no --input: random inputs, seed {seed}")
    if target == HOST:
        execution = artifact.execute(stacked, repeats=repeat)
        outputs = execution.outputs
        runtime: dict[str, Any] = {"median_us": execution.median_microseconds, "runs": len(execution.microseconds)}
        figures = ""
        output_time = f"median of {len(execution.microseconds)} runs: {execution.median_microseconds:.1f} us"
    else:
        emulation = emulated(artifact, target, stacked, cc=cc, emulator=emulator, opt=opt)
        outputs, runtime = emulation.outputs, emulation.figures.document()
        figures, output_time = figure_tables(emulation.figures), None
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


def read_inputs(description: Description, given: tuple[str, ...]) -> dict[str, Array]:
    """Arrays by input name from `[NAME=]FILE.npy` texts; those without a name fill the free inputs in order.

    Raises:
        InputError: a file cannot be read.
        UsageError: there are more arrays than inputs.
    """
    names = {tensor.name for tensor in description.inputs} | {tensor.identifier for tensor in description.inputs}
    pairs: list[tuple[str | None, str]] = []
    for text in given:
        name, equals, file = text.partition("=")
        # A path may contain "="; a text is only split where what stands before is an input.
        pairs.append((name, file) if equals and (name in names or not Path(text).exists()) else (None, text))
    taken = {name for name, _ in pairs}
    free = iter([tensor.name for tensor in description.inputs if not {tensor.name, tensor.identifier} & taken])
    result: dict[str, Array] = {}
    for name, file in pairs:
        key = name if name is not None else next(free, None)
        if key is None:
            raise UsageError(f"model '{description.name}' has {len(description.inputs)} inputs, got {len(given)}")
        if key in result:
            raise UsageError(f"input '{key}' is given twice")
        result[key] = _load(file)
    return result


def _load(file: str) -> Array:
    import numpy as np

    try:
        loaded = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"cannot read {file}: {error}", remedy="inputs are arrays written by numpy.save") from error
    if not isinstance(loaded, np.ndarray):
        raise InputError(f"{file} holds several arrays", remedy="inputs are single arrays written by numpy.save")
    return loaded


def write_outputs(folder: Path, arrays: list[Array]) -> list[str]:
    """Write `output_<i>.npy` files, each whole or not at all; returns their paths."""
    import os

    import numpy as np

    paths: list[str] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for index, array in enumerate(arrays):
            path = folder / f"output_{index}.npy"
            partial = folder / f".output_{index}.npy.part"
            with partial.open("wb") as stream:
                np.save(stream, array, allow_pickle=False)
            os.replace(partial, path)
            paths.append(str(path))
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror or error}") from error
    return paths


def _summary(name: str, array: Array) -> str:
    flat = array.reshape(-1)
    shown = ", ".join(str(value) for value in flat[:16].tolist())
    more = f", ... ({flat.size} values)" if flat.size > 16 else ""
    return f"{name}: {array.dtype} {'x'.join(map(str, array.shape))} [{shown}{more}] argmax {int(flat.argmax())}"
