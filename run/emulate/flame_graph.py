"""A run as a flame graph (Brendan Gregg, "The Flame Graph", CACM 59(6), 2016): width is instructions, depth is calls.

The SVG has no scripts; pointing at a box shows its name and its share.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from importlib.resources import files
from xml.sax.saxutils import escape

from .call_tree import Node

WIDTH = 1200
ROW = 18
MARGIN = 10
TITLE = 28
LETTER = 6.6
"""Width of one letter of the font, about."""
NARROWEST = 0.1
"""Boxes that are not even this wide are left out."""


_STYLE = """\
text { fill: var(--ink); } .ground { fill: var(--ground); } .box { --light: 64%; --colour: var(--full); }
.box { fill: hsl(var(--hue), var(--colour), calc(var(--light) + var(--shade))); }
.box:hover { stroke: var(--focus); stroke-width: 1.5; }
@media (prefers-color-scheme: dark) { .box { --light: 26%; --colour: 55%; } }
"""


def flame_graph(root: Node, title: str) -> str:
    """The text of an SVG file, light or dark as the reader's screen is.

    The root lies at the bottom; what it calls stands above it from left to right, most instructions first.
    """
    palette = (files("stillpool.report.picture") / "palette.css").read_text(encoding="utf-8")
    height = TITLE + root.depth * ROW + MARGIN
    boxes = "".join(_boxes(root, root.instructions, MARGIN, height - MARGIN - ROW, (WIDTH - 2 * MARGIN)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' font-family="monospace" font-size="11">\n'
        f"<style>\n{palette}{_STYLE}</style>\n"
        f'<rect class="ground" width="100%" height="100%"/>\n'
        f'<text x="{MARGIN}" y="19" font-size="13">{escape(title)}</text>\n{boxes}</svg>\n'
    )


def _boxes(node: Node, whole: int, x: float, y: float, width: float) -> Iterable[str]:
    if width < NARROWEST:
        return
    share = node.instructions / max(whole, 1)
    text = _fitting(node.name, width)
    yield (
        f"<g><title>{escape(node.name)}: {node.instructions:,} instructions ({share:.1%}),"
        f" {node.itself:,} of its own</title>"
        f'<rect class="box" x="{x:.1f}" y="{y:.0f}" width="{width:.1f}" height="{ROW - 1}" rx="2"'
        f' style="{_colour(node.name)}"/>'
        + (f'<text x="{x + 4:.1f}" y="{y + 12.5:.1f}">{escape(text)}</text>' if text else "")
        + "</g>\n"
    )
    for child in sorted(node.children, key=lambda child: (-child.instructions, child.name)):
        part = width * child.instructions / max(node.instructions, 1)
        yield from _boxes(child, whole, x, y - ROW, part)
        x += part


def _fitting(name: str, width: float) -> str:
    """The name, or as much of it as the box has room for."""
    room = int((width - 8) / LETTER)
    if len(name) <= room:
        return name
    return f"{name[: room - 2]}.." if room > 4 else ""


def _colour(name: str) -> str:
    """A warm colour that depends on the name without its numbers, so that operators of one kind look alike."""
    kind = "".join(letter for letter in name if not letter.isdigit()).strip(" _")
    seed = zlib.crc32(kind.encode())
    return f"--hue: {12 + seed % 44}; --full: {70 + seed // 64 % 20}%; --shade: {seed // 4096 % 12}%"
