"""`stillpool audit`: what a linked program holds of a model, beside what was planned."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import BudgetError, StillpoolError, VerificationError
from .help import Verb
from .output import Output, output_options, result_and_error
from .tables import rendered, table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..report.audit.compare import Audit
    from ..report.use import Use


@click.command(cls=Verb)
@click.argument("program", type=click.Path(path_type=Path), metavar="ELF")
@click.option(
    "--manifest",
    type=click.Path(path_type=Path),
    required=True,
    help="The manifest.json of what is linked, or the folder that compile wrote.",
)
@click.option(
    "--pool",
    "pools",
    multiple=True,
    metavar="POOL=SYMBOL",
    help="The application's array for a pool (repeatable). Default: a built-in pool, or an array that is called as "
    "the pool.",
)
@click.option(
    "--budget",
    type=click.Path(path_type=Path),
    help="TOML file with the most bytes of code, constants, workspace, [pools] and [sections]; more is exit code 3.",
)
@output_options
def audit(program: Path, manifest: Path, pools: tuple[str, ...], budget: Path | None, output: Output) -> None:
    """Compare a linked program with the plan of its model: pools, alignment, constants, code, sections.

    Exit code 4 if a pool is not as planned: too small, misaligned, read-only, or not alone in its bytes.
    """
    from ..report.audit.compare import audit as compared
    from ..report.audit.elf import read_program
    from ..report.audit.limits import read_limits, uses
    from ..report.audit.plan import named_arrays, read_plan

    plan = read_plan(manifest)
    arrays = named_arrays(pools, plan)
    limits = read_limits(budget) if budget is not None else {}
    linked = read_program(program)
    found = compared(linked, plan, arrays)
    used = uses(limits, found, linked)
    document: dict[str, Any] = {"program": program.name, "models": list(plan.identifiers), **found.document()}
    document["budgets"] = [use.document() for use in used]
    error = _error(program.name, found, used)
    if error is not None:
        result_and_error(click.get_current_context(), output, document, _text(found, used), error)
    output.result(document, _text(found, used))


def _error(name: str, found: Audit, used: list[Use]) -> StillpoolError | None:
    if found.faults:
        return VerificationError(f"{name} is not as planned: {'; '.join(found.faults)}")
    over = [f"{use.name} by {-use.free:,} bytes ({use.used:,} of {use.budget:,})" for use in used if use.free < 0]
    return BudgetError(f"{name} is over budget: {', '.join(over)}") if over else None


def _text(found: Audit, used: list[Use]) -> str:
    heads = ("pool", "planned", "linked", "aligned to", "address", "section", "symbol")
    rows: list[tuple[object, ...]] = []
    for pool in found.pools:
        planned, array = pool.planned, pool.array
        place = (None, None, None) if array is None else (f"{array.address:#x}", array.section, array.name)
        rows.append((planned.name, planned.bytes, None if array is None else array.bytes, planned.alignment, *place))
    parts: list[RenderableType] = [table("pools, bytes", heads, rows)]
    document = found.document()
    rest: list[tuple[object, ...]] = []
    for what, planned in (("constants", found.planned_constants), ("code", None)):
        sections = ", ".join(f"{name} {size:,}" for name, size in document[what]["sections"].items())
        rest.append((what, planned, document[what]["linked_bytes"], sections))
    parts.append(table("constants and code, bytes", ("", "planned", "linked", "sections"), rest))
    if used:
        budgets = [(use.name, use.used, use.budget, use.free) for use in used]
        parts.append(table("budgets, bytes", ("", "used", "budget", "free"), budgets))
    if any(pool.array is None for pool in found.pools):
        parts.append("Pools without a symbol are the application's arrays: name them with --pool POOL=SYMBOL.")
    return rendered(*parts)
