"""`stillpool analyze`: the memory plan of a model, verdict first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import MODEL, plan_options, prepared
from .output import Output, output_options

_PICTURE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("model", type=MODEL)
@click.option("--svg", type=_PICTURE, metavar="FILE", help="Write the memory map as an SVG.")
@click.option("--html", type=_PICTURE, metavar="FILE", help="Write the memory map as one HTML page, for offline use.")
@plan_options
@output_options
def analyze(model: Path, svg: Path | None, html: Path | None, output: Output, **options: Any) -> None:
    """Plan MODEL's memory; show pools, bounds, inputs and outputs, what is live at the peak, and operators."""
    from ..driver.analysis import analysis, verdict
    from ..driver.picture.page import memory_page
    from ..driver.picture.svg import memory_map
    from ..driver.picture.timeline import entry
    from ..driver.report import report
    from ..errors import UsageError
    from .text_file import write_text

    if svg is not None and svg == html:
        raise UsageError(f"--svg and --html both name {svg}", remedy="give each its own file")
    description = prepared(model, **options).result().description
    for path, picture in ((svg, memory_map), (html, memory_page)):
        if path is not None:
            write_text(path, picture(f"Memory map of {description.name}", verdict(description), [entry(description)]))
            output.say(f"wrote {path}")
    output.result(analysis(description), report(description))
