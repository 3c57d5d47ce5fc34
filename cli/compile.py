"""`stillpool compile`: write a C project, or print one level of the IR."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .budgets import budget_options, refuse_budgets
from .emulation import HOST, within_budgets
from .options import plan_options
from .output import Output, output_options
from .several import model_arguments, prepared_all

if TYPE_CHECKING:
    from ..driver.artifact import Artifact
    from ..driver.budgets import Budgets
    from ..driver.system import System

FORMATS = ("dir",)
LEVELS = ("nn", "memref", "pools", "emitc", "c")


@click.command()
@model_arguments
@click.option("-o", "--output-dir", type=click.Path(path_type=Path), help="Directory of the C project.")
@click.option("--builtin-pools", is_flag=True, help="Make pools static arrays inside the artefact.")
@click.option("--format", "format_", default="dir", metavar="FORMAT", help="Layout of the project. Default: dir.")
@click.option("--emit", type=click.Choice(LEVELS), help="Print this level to standard output and write nothing.")
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
    compilation = prepared_all(models, **options)
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
