"""`stillpool analyze`: the memory plan of a model, verdict first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import MODEL, plan_options, prepared
from .output import Output, output_options


@click.command()
@click.argument("model", type=MODEL)
@plan_options
@output_options
def analyze(model: Path, output: Output, **options: Any) -> None:
    """Plan MODEL's memory; show pools, bounds, inputs and outputs, what is live at the peak, and operators."""
    from ..driver.analysis import analysis
    from ..driver.report import report

    description = prepared(model, **options).result().description
    output.result(analysis(description), report(description))
