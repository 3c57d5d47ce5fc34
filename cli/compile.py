"""`stillpool compile`: write a C project, or print one level of the IR."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .budgets import budget_options, refuse_budgets
from .effects import refuse_given
from .emulation import DEFAULT_LEVEL, HOST, check_host, emulation_options, within_budgets
from .gathered import Gathered
from .help import Verb
from .options import plan_options
from .output import Output, output_options
from .several import model_arguments, prepared_all

if TYPE_CHECKING:
    from ..driver.compile.compilation import Compilation
    from ..driver.compile.compile_system import SystemCompilation
    from ..report.use import Use
    from ..run.artifact import Artifact
    from ..run.budgets import Budgets
    from ..run.system import System

LEVELS = ("nn", "tasks", "memref", "pools", "emitc", "c")
_OF_PROJECTS = (
    "cc",
    "emulator",
    "opt",
    "target",
    "format_",
    "builtin_pools",
    "shims",
    "source",
    "custom_source",
    "external_source",
    "sbom",
    "misra_report",
)
"""Options that no level of the IR depends on."""


@click.command(cls=Verb)
@model_arguments
@click.option("-o", "--output-dir", type=click.Path(path_type=Path), help="Directory of the C project.")
@click.option("--builtin-pools", is_flag=True, help="Make pools static arrays of the C.")
@click.option(
    "--format",
    "format_",
    multiple=True,
    default=("dir",),
    metavar="FORMAT",
    help="Layout of the project (repeatable: each in a folder of its name): dir (default, also called cmake), mlf, "
    "zephyr, arduino, esp-idf, platformio, cmsis-pack.",
)
@click.option(
    "--profile-hooks",
    is_flag=True,
    help="Call a function of the application after each operator, to measure operators on the board.",
)
@click.option(
    "--report",
    cls=Gathered,
    keys={"sbom": "--sbom", "misra": "--misra-report"},
    help="Further files in the folder report/.",
)
@click.option(
    "--sbom", is_flag=True, help="Write a bill of materials too: report/<m>.cdx.json, CycloneDX 1.6.", hidden=True
)
@click.option(
    "--misra-report",
    is_flag=True,
    help="Write report/misra.md too: where the C deviates from MISRA C:2012, and why that is safe.",
    hidden=True,
)
@click.option("--emit", type=click.Choice(LEVELS), help="Print this level and write nothing.")
@emulation_options
@budget_options
@plan_options
@output_options
def compile(
    models: tuple[Path, ...],
    output_dir: Path | None,
    format_: tuple[str, ...],
    sbom: bool,
    misra_report: bool,
    emit: str | None,
    target: str,
    cc: str | None,
    emulator: str | None,
    opt: str | None,
    budgets: Budgets,
    output: Output,
    **options: Any,
) -> None:
    """Compile MODEL (.tflite, .onnx, .tosa, .mlir) to C; several share pools."""
    from ..driver.options.objectives import scheduled_for
    from ..machines.boards import get_board
    from ..report.summary import summary
    from ..run.finished import finished
    from ..targets.projects.registry import get_formats

    get_formats(format_)
    if (output_dir is None) == (emit is None):
        raise UsageError(
            "say either where the project goes or which level to print", remedy="give one of -o DIR and --emit LEVEL"
        )
    if emit is not None and output.json:
        raise UsageError("--emit prints a level, --json a document; give one of them")
    if emit is not None:
        refuse_budgets(budgets, "is checked when a project is written", "give -o DIR")
        # Schedules for a processor are part of the levels.
        scheduled = scheduled_for({"target": target, "optimize": options["optimize"]})
        idle = tuple(name for name in _OF_PROJECTS if name != "target" or not scheduled)
        # Constants in pools are part of the levels, how a file of constants is written is not.
        idle += ("weights",) if options["weights"] != "binary" else ()
        refuse_given(idle, "--emit prints a level of the IR and writes no project")
    if len(models) > 1:
        refuse_budgets(budgets, "is a budget of one model", "limit the pools of several by their size")
    if target == HOST:
        check_host(cc, emulator, opt)
        refuse_budgets(budgets, "goes with an emulated processor", "name one by --target")
    elif not budgets.given():
        refuse_given(
            ("emulator",),
            "nothing is run without a budget",
            "leave out --emulator, or give a budget such as --max stack=BYTES",
        )
    uses: list[Use] = []
    compilation = prepared_all(models, target=target, **options)
    if emit is not None:
        text = compilation.text(emit)
        output.line.hide()
        click.echo(text, nl=False)
        return
    assert output_dir is not None, "checked above"
    made = finished(compilation.result())
    if target != HOST:
        made = _stated(made, target, cc, opt, output)
        uses = _check(budgets, compilation, made, target, cc=cc, emulator=emulator, opt=opt)
    made.write(output_dir, format_, [*["sbom"] * sbom, *["misra"] * misra_report])
    found = summary(made, None if options["board"] is None else get_board(options["board"]))
    output.say(found.text())
    if uses:
        output.say(f"within its budgets: {', '.join(use.label for use in uses)}")
    output.say(f"wrote {output_dir}")
    output.say(made.report, level=1)
    further = {"summary": found.document()} | ({"budgets": [use.document() for use in uses]} if uses else {})
    output.result({**made.manifest, **further}, "")


def _stated(made: Artifact | System, target: str, cc: str | None, opt: str | None, output: Output) -> Artifact | System:
    """With the worst case of the stack, which needs a compiler for the processor."""
    from ..machines.cpus import get_cpu
    from ..run.stack import with_stack

    try:
        return with_stack(made, get_cpu(target), cc=cc, opt=opt or DEFAULT_LEVEL, refused=output.say)
    except UsageError as error:
        if cc is not None or opt is not None:
            raise
        output.say(f"the worst case of the stack is not stated: {error}")
        return made


def _check(
    budgets: Budgets,
    request: Compilation | SystemCompilation,
    made: Artifact | System,
    target: str,
    *,
    cc: str | None,
    emulator: str | None,
    opt: str | None,
) -> list[Use]:
    """Run the model once on its processor and compare what it takes with its budgets, where there are any."""
    from ..driver.compile.compilation import Compilation
    from ..run.artifact import Artifact
    from ..run.samples import random_inputs

    if not budgets.given():
        return []
    if not isinstance(made, Artifact) or not isinstance(request, Compilation):
        refuse_budgets(budgets, "is a budget of one model", "limit the pools of several by their size")
        return []
    stacked = random_inputs(made.description, 1, 0)
    found = within_budgets(budgets, request, made, target, stacked, cc=cc, emulator=emulator, opt=opt)
    return budgets.uses(found.figures)
