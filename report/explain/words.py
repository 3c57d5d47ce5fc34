"""An explanation of the peak as plain text and as a section of the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ...planner.short_name import short_name
from ..text_table import table
from .explanation import Explanation, Peak

_SAVINGS = ("net", "saves", "elsewhere", "new peak", "pool", "fits", "action", "option")
"""Bytes saved in all and in the pool, and needed elsewhere; what the pool takes then, and whether its limit holds."""


def text(explanation: Explanation) -> str:
    """The section of the report."""
    parts = ["why the peak is where it is"]
    for peak in explanation.peaks:
        parts += [f"  {peak.headline}", table(_PARTS, _parts(peak), indent="    "), f"  {peak.bound}"]
    parts += ["", "what would lower it, planned anew with each change", f"  {explanation.verdict}"]
    if explanation.savings:
        rows = [(number, *row[:-1]) for number, row in enumerate(_savings(explanation), 1)]
        parts.append(table(("", *_SAVINGS[:-1]), rows, indent="    "))
        # What is to be typed stands in one piece.
        parts += [f"    {number}: {saving.option}" for number, saving in enumerate(explanation.savings, 1)]
    return "\n".join(parts) + "\n"


def section(explanation: Explanation) -> str:
    """The section of the page."""
    parts = ['<section id="explain-peak"><h2>What would lower the peak</h2>', f"<p>{escape(explanation.verdict)}.</p>"]
    if explanation.savings:
        parts.append(_table(_SAVINGS, _savings(explanation)))
    for peak in explanation.peaks:
        parts += [
            f"<h2>Why {escape(peak.chart.pool.name)} takes what it takes</h2>",
            f"<p>{escape(peak.headline)}.</p>",
        ]
        parts += [_table(_PARTS, _parts(peak)), f"<p>{escape(peak.bound)}.</p>"]
    return "\n".join([*parts, "</section>"])


_PARTS = ("bytes", "kind", "buffer", "why it is there")


def _parts(peak: Peak) -> list[tuple[int | str, ...]]:
    return [(p.buffer.bytes, p.buffer.kind, short_name(p.buffer.name), p.role) for p in peak.parts]


def _savings(explanation: Explanation) -> list[tuple[int | str, ...]]:
    return [
        (
            s.net_bytes,
            s.bytes_saved,
            f"{s.elsewhere_bytes:+,}",
            s.new_peak,
            s.pool,
            "yes" if s.fits else "no",
            s.action,
            s.option,
        )
        for s in explanation.savings
    ]


def _table(heads: Sequence[str], rows: Sequence[Sequence[int | str]]) -> str:
    styles = [' class="number"' if isinstance(value, int) else "" for value in rows[0]]

    def line(tag: str, row: Sequence[int | str]) -> str:
        texts = [f"{value:,}" if isinstance(value, int) else escape(value) for value in row]
        cells = (f"<{tag}{style}>{text}</{tag}>" for style, text in zip(styles, texts, strict=True))
        return f"<tr>{''.join(cells)}</tr>"

    return "\n".join(
        ('<div class="table"><table>', line("th", heads), *(line("td", row) for row in rows), "</table></div>")
    )
