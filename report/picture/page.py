"""The memory map as one HTML page that needs no other file and no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from ...driver.compile.lost_channels import HEADS, cells
from ...planner.short_name import labels
from ..timeline import Chart, Entry, operator_label
from .svg import scrolling_map

_COLUMN = 18.0
"""Pixels of an operator: room for its name, turned."""


_EXPLAIN = (
    "<section><h2>What would lower the peak</h2><p>Run <code>stillpool analyze</code> with <code>--explain-peak</code>:"
    " it plans anew with every change that may help, and says here what each saves.</p></section>"
)


def memory_page(title: str, verdict: str, entries: Sequence[Entry], sections: Sequence[str] = ()) -> str:
    """The page of a plan: the map, which scrolls sideways, what is live at the peak of each pool, more `sections`.

    Equal plans give equal text.
    """
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{_text('palette.css')}{_text('page.css')}</style></head>",
        "<body>",
        f"<header><h1>{escape(title)}</h1><p>{escape(verdict)}</p>",
        *(f"<p>{escape(entry.note)}</p>" for entry in entries if entry.note),
        '<button type="button" id="to-peak">Go to the peak</button>',
        '<button type="button" id="zoom-out" aria-label="Zoom out">\u2212</button>',
        '<button type="button" id="zoom-in" aria-label="Zoom in">+</button>',
        '<label><input type="checkbox" id="fit"> Fit the width</label></header>',
        f'<div class="map">\n{scrolling_map(title, entries, _COLUMN)}</div>',
        *(_at_peak(entry, chart) for entry in entries for chart in entry.charts),
        *(_lost(entry) for entry in entries if entry.lost),
        *(sections or [_EXPLAIN] * bool(entries)),
        '<div id="tip" role="tooltip" hidden></div>',
        f"<script>\n{_text('page.js')}</script>",
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _at_peak(entry: Entry, chart: Chart) -> str:
    where = escape(operator_label(entry.operators, chart.peak))
    live = chart.live(chart.peak)
    caption = f"{chart.peak_bytes:,} bytes in use at {where}{chart.also}; bytes that buffers share count once"
    label = labels(buffer.name for buffer in live)
    rows = [
        f'<tr><td title="{escape(buffer.name)}">{escape(label[buffer.name])}</td>'
        f"<td>{buffer.kind}</td>{_number(buffer.bytes)}{_number(buffer.offset)}"
        f"<td>{escape(operator_label(entry.operators, buffer.first_use))}</td>"
        f"<td>{escape(operator_label(entry.operators, buffer.last_use))}</td></tr>"
        for buffer in live
    ]
    heads = (
        '<tr><th>buffer</th><th>kind</th><th class="number">bytes</th><th class="number">offset</th>'
        "<th>first use</th><th>last use</th></tr>"
    )
    table = "\n".join((f"<table><caption>{caption}</caption>", heads, *rows, "</table>"))
    return f'<section><h2>Peak of {escape(chart.pool.name)}</h2><div class="table">{table}</div></section>'


def _lost(entry: Entry) -> str:
    heads = "".join(f"<th>{head}</th>" for head in HEADS)
    rows = ["".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in cells(entry.lost)]
    lines = "\n".join(f"<tr>{row}</tr>" for row in (heads, *rows))
    title = f"Channels of {escape(entry.name)} that went"
    return f'<section><h2>{title}</h2><div class="table"><table>\n{lines}\n</table></div></section>'


def _number(value: int) -> str:
    return f'<td class="number">{value:,}</td>'


def _text(name: str) -> str:
    return (files("stillpool.report.picture") / name).read_text(encoding="utf-8")
