"""`stillpool diff`: what changed between two manifests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .help import Verb
from .output import Output, output_options
from .tables import rendered, table

if TYPE_CHECKING:
    from ..report.manifest_diff import Change, ManifestDiff


@click.command(cls=Verb)
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@output_options
def diff(before: Path, after: Path, output: Output) -> None:
    """Compare two manifests, or folders that compile wrote: pools, buffers, RAM, flash, MACs.

    Buffers of several models are called MODEL: BUFFER. The exit code is 0 whether something changed or not; --json says
    which.
    """
    from ..report.manifest_diff import diff_manifests, read_manifest

    found = diff_manifests(read_manifest(before), read_manifest(after))
    output.result(found.document(), _text(found))


def _text(found: ManifestDiff) -> str:
    if found.is_empty:
        return "nothing changed"
    heads = ("", "before", "after", "change")
    parts = [table("totals", heads, [_row(change) for change in found.totals])]
    if found.pools:
        parts.append(table("pools, bytes", heads, [_row(change) for change in found.pools]))
    if found.buffers:
        rows = [(moved.name, moved.change, _place(moved.before), _place(moved.after)) for moved in found.buffers]
        parts.append(table("buffers", ("buffer", "change", "before", "after"), rows))
    return rendered(*parts)


def _row(change: Change) -> tuple[object, ...]:
    return change.what, change.before, change.after, f"{change.delta:+,}" if change.delta else "0"


def _place(at: tuple[str, int, int] | None) -> str | None:
    return None if at is None else f"{at[0]} + {at[1]:,}, {at[2]:,} bytes"
