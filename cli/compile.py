"""`stillpool compile`: write a C project, or print one level of the IR."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .budgets import budget_options, refuse_budgets
from .emulation import HOST, within_budgets
from .options import MODEL, plan_options, requested
from .output import Output, output_options
from .project_file import file_pools, model_options, project_file

if TYPE_CHECKING:
    from ..driver.artifact import Artifact
    from ..driver.budgets import Budgets
    from ..driver.system import System

FORMATS = ("dir",)
LEVELS = ("nn", "memref", "pools", "emitc", "c")


@click.command()
@click.argument("models", nargs=-1, required=True, type=MODEL, metavar="MODEL...")
@click.option("-o", "--output-dir", type=click.Path(path_type=Path), help="Directory of the C project.")
@click.option(
    "--concurrency",
    default="exclusive",
    metavar="exclusive|concurrent|pipeline",
    help="How several models use the pools: one at a time (default), any time, or each on the outputs of the last.",
)
@click.option("--builtin-pools", is_flag=True, help="Make pools static arrays inside the artefact.")
@click.option("--format", "format_", default="dir", metavar="FORMAT", help="Layout of the project. Default: dir.")
@click.option("--emit", type=click.Choice(LEVELS), help="Print this level to standard output and write nothing.")
@click.option(
    "-c",
    "--config",
    is_eager=True,
    expose_value=False,
    callback=project_file,
    type=click.Path(path_type=Path),
    help="TOML file with these options as keys; options given here win.",
)
@budget_options
@plan_options
@output_options
def compile(
    models: tuple[Path, ...],
    output_dir: Path | None,
    format_: str,
    emit: str | None,
    budgets: Budgets,
    output: Output,
    **options: Any,
) -> None:
    """Compile MODEL (a .tflite file) to C; several share their pools."""
    if format_ not in FORMATS:
        raise UsageError(f"format '{format_}' is not available", remedy=f"available: {', '.join(FORMATS)}")
    if (output_dir is None) == (emit is None):
        raise UsageError(
            "say either where the project goes or which level to print", remedy="give one of -o DIR and --emit LEVEL"
        )
    if emit is not None and output.json:
        raise UsageError("--emit prints a level, --json a document; give one of them")
    if emit is not None:
        refuse_budgets(budgets, "is checked when a project is written", "give -o DIR")
    if options["target"] == HOST:
        refuse_budgets(budgets, "goes with an emulated processor", "name one by --target")
    from ..driver.compile import prepare_all
    from ..driver.options import Request

    context = click.get_current_context()
    requests: list[Request] = []
    for index, path in enumerate(models):
        own = model_options(context, path)
        name = options["name"][index] if index < len(options["name"]) else own.get("name")
        contracts = {key: own.get(key.replace("_", "-")) for key in ("keep_inputs", "double_buffer_inputs")}
        requests.append(Request(path, name, own.get("workspace-io"), **contracts))
    request = requested(len(models), **options)
    request["pools"] = [*request.get("pools", ()), *file_pools(context)]
    compilation = prepare_all(requests, **request)
    if emit is not None:
        click.echo(compilation.text(emit), nl=False)
        return
    assert output_dir is not None, "checked above"
    made = compilation.result()
    _check(budgets, made, options["target"])
    made.write(output_dir)
    output.say(made.verdict)
    output.say(f"wrote {output_dir}")
    output.say(made.report, level=1)
    output.result(made.manifest, "")


def _check(budgets: Budgets, made: Artifact | System, target: str) -> None:
    """Run the model once on its processor and compare what it takes with its budgets, where there are any."""
    from ..driver.artifact import Artifact
    from ..driver.samples import random_inputs

    if not budgets.given():
        return
    if not isinstance(made, Artifact):
        refuse_budgets(budgets, "is a budget of one model", "limit the pools of several by their size")
        return
    within_budgets(budgets, made, target, random_inputs(made.description, 1, 0))
