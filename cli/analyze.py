"""`stillpool analyze`: the memory plan of one model or several, verdict first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import BudgetError, UsageError
from .effects import refuse_given
from .help import Verb
from .options import plan_options
from .output import Output, output_options, result_and_error
from .several import model_arguments, prepared_all

if TYPE_CHECKING:
    from ..run.artifact import Artifact
    from ..run.system import System

_PICTURE = click.Path(dir_okay=False, path_type=Path)


@click.command(cls=Verb)
@model_arguments
@click.option("--explain-peak", is_flag=True, help="Show what would lower the peak, and what each change saves.")
@click.option(
    "--pareto",
    is_flag=True,
    help="Compare ways to compile for a --target: instructions, flash and workspace of each, and its options.",
)
@click.option("--svg", type=_PICTURE, metavar="FILE", help="Write the memory map as an SVG.")
@click.option("--html", type=_PICTURE, metavar="FILE", help="Write the memory map as one HTML page, for offline use.")
@plan_options
@output_options
def analyze(
    models: tuple[Path, ...],
    explain_peak: bool,
    pareto: bool,
    svg: Path | None,
    html: Path | None,
    output: Output,
    **options: Any,
) -> None:
    """Plan MODEL's memory. Show pools, bounds, inputs and outputs, the peak, and operators.

    Several models are planned together, as compile does. A plan that is over the limit of a pool is shown without
    limits; the exit code is 3 then.
    """
    if svg is not None and svg == html:
        raise UsageError(f"--svg and --html both name {svg}", remedy="give each its own file")
    if explain_peak and options["poison"]:
        raise UsageError("--poison adds bytes to find mistakes; --explain-peak explains the plan without them")
    if pareto and len(models) > 1:
        raise UsageError("--pareto compares ways to compile one model", remedy="name one")
    if pareto and options["target"] == "host":
        raise UsageError("--pareto compares what a processor takes", remedy="name one by --target")
    from ..driver.compile.compilation import Compilation
    from ..driver.options.objectives import scheduled_for
    from ..report.explain.variants import unlimited, with_limits
    from ..run.finished import finished

    if options["optimize"] is None and not scheduled_for({"target": options["target"]}):
        refuse_given(("target",), "memory is planned alike wherever plain C99 runs")

    compilation, over = prepared_all(models, **options), None
    try:
        compiled = compilation.result()
    except BudgetError as error:
        compiled, over = with_limits(unlimited(compilation).result(), compilation), error
    made = finished(compiled)
    document, text, sections = made.analysis, made.report, list[str]()
    if not explain_peak:
        text += "\nwhat would lower it: analyze with --explain-peak\n"
    if explain_peak:
        from ..report.explain import words
        from ..report.explain.explanation import explain

        explanation = explain(compilation, made.descriptions, limited=over is None)
        document = {**document, **explanation.document()}
        text = f"{text}\n{words.text(explanation)}"
        sections.append(words.section(explanation))
    if isinstance(compilation, Compilation) and compilation.plan.rows != "off":
        from ..report import io_choices

        choices = io_choices.io_choices(compilation)
        document = {**document, "io_choices": [one.document() for one in choices]}
        text = f"{text}\n{io_choices.text(choices)}"
    if pareto:
        from ..report import pareto as ways

        assert isinstance(compilation, Compilation), "there is one model"
        points = ways.pareto_front(compilation)
        document = {**document, "pareto": [point.document() for point in points]}
        text = f"{text}\n{ways.text(points)}"
    _draw(made, svg, html, sections, output)
    if over is None:
        output.result(document, text)
        return
    result_and_error(click.get_current_context(), output, document, text, over)


def _draw(made: Artifact | System, svg: Path | None, html: Path | None, sections: list[str], output: Output) -> None:
    from ..report.picture.page import memory_page
    from ..report.picture.svg import memory_map
    from ..report.timeline import entry
    from .text_file import write_text

    entries = [entry(model) for model in made.descriptions]
    title = f"Memory map of {', '.join(model.name for model in made.descriptions)}"
    if svg is not None:
        write_text(svg, memory_map(title, made.verdict, entries))
        output.say(f"wrote {svg}")
    if html is not None:
        write_text(html, memory_page(title, made.verdict, entries, sections))
        output.say(f"wrote {html}")
