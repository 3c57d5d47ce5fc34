"""The memory map as one SVG: what a report, a README or a pull request shows."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from importlib.resources import files
from xml.etree import ElementTree

from ...planner.short_name import short_name
from ...targets.interfaces.description import Buffer
from ..timeline import Chart, Entry, operator_label
from .axes import bytes_label, ticks
from .labels import CHARACTER, Box, place_labels
from .shades import shades

Element = ElementTree.Element

_WIDTH = 1120
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold (XML 1.0, section 2.2)."""
_LEFT, _RIGHT = 76, 20
_STRIP, _MAP = 44, 300
_TALL = 480
"""Height of a map that scrolls."""
_STYLE = """
text { font: 11px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--ink); }
.title { font-size: 17px; font-weight: 600; } .head { font-size: 13px; font-weight: 600; }
.quiet { fill: var(--quiet); } .peak-text { fill: var(--peak); font-weight: 600; }
.ground { fill: var(--ground); } .grid { stroke: var(--grid); } .axis { stroke: var(--line); }
.use { fill: var(--use-fill); stroke: var(--use); stroke-width: 1; }
.peak { fill: var(--peak-fill); fill-opacity: 0.22; } .peak-line { stroke: var(--peak); stroke-dasharray: 4 3; }
.limit { stroke: var(--limit); stroke-width: 1.5; } .limit-text { fill: var(--limit); }
.buffer, .swatch { stroke-width: 1; fill-opacity: 0.92; }
.label { paint-order: stroke; stroke: var(--ground); stroke-width: 3px; stroke-opacity: 0.55; stroke-linejoin: round; }
"""
KINDS = ("activation", "input", "output", "scratch", "state", "constant")
"""Kinds of buffers, in the order of the legend."""


def memory_map(title: str, verdict: str, entries: Sequence[Entry]) -> str:
    """The SVG of a plan: for each model and pool the bytes in use and the buffers at their places.

    Equal plans give equal text.
    """
    drawing = _Drawing(title, _WIDTH)
    drawing.text(_LEFT - 56, 28, title, "title")
    drawing.text(_LEFT - 56, 48, verdict, "quiet")
    drawing.y = 62
    for note in (entry.note for entry in entries if entry.note):
        drawing.text(_LEFT - 56, drawing.y + 6, note, "quiet")
        drawing.y += 20
    return drawing.finish(entries)


def scrolling_map(title: str, entries: Sequence[Entry], column: float) -> str:
    """Draw the map without heading and so wide that each operator has `column` pixels."""
    positions = max((chart.positions for entry in entries for chart in entry.charts), default=1)
    drawing = _Drawing(title, max(_WIDTH, round(_LEFT + positions * column + _RIGHT)), _TALL)
    drawing.y = 16
    return drawing.finish(entries)


class _Drawing:
    """An SVG that grows downwards."""

    def __init__(self, title: str, width: int, tall: int = _MAP):
        self._width, self._tall = width, tall
        self._root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
        self._root.append(_titled(title))
        palette = (files("stillpool.report.picture") / "palette.css").read_text(encoding="utf-8")
        ElementTree.SubElement(self._root, "style").text = "\n" + palette + _STYLE
        self._rect(Box(0, 0, width, 0), "ground").set("height", "100%")
        self.y = 0.0

    def finish(self, entries: Sequence[Entry]) -> str:
        """Draw the legend and all charts; returns the text of the SVG."""
        present = {buffer.kind for entry in entries for chart in entry.charts for buffer in chart.buffers}
        self._legend([kind for kind in KINDS if kind in present])
        for entry in entries:
            for chart in entry.charts:
                self._chart(entry, chart, f"{entry.name}: " if len(entries) > 1 else "")
        if not present:
            self.y += 24
            self.text(_LEFT - 56, self.y, "No buffer lies in a pool.", "quiet")
        height = round(self.y + 16)
        self._root.set("width", str(self._width))
        self._root.set("height", str(height))
        self._root.set("viewBox", f"0 0 {self._width} {height}")
        ElementTree.indent(self._root, " ")
        return ElementTree.tostring(self._root, encoding="unicode") + "\n"

    def _legend(self, kinds: Sequence[str]) -> None:
        """One swatch per kind."""
        x = float(_LEFT - 56)
        for kind in kinds:
            self._swatch(Box(x, self.y, 12, 12), kind, "swatch")
            self.text(x + 17, self.y + 10, kind, "quiet")
            x += 40 + CHARACTER * len(kind)
        self.y += 14

    def _chart(self, entry: Entry, chart: Chart, prefix: str) -> None:
        """One pool: headline, bytes in use, memory map, operators."""
        column = (self._width - _LEFT - _RIGHT) / chart.positions
        pool = chart.pool
        self.y += 32
        self.text(_LEFT - 56, self.y, f"{prefix}{pool.name}", "head")
        limit = "" if pool.size_limit is None else f", limit {pool.size_limit:,}"
        size = f"{pool.bytes:,} bytes{limit}; peak at {operator_label(entry.operators, chart.peak)}: "
        size += f"{chart.peak_bytes:,} bytes in use{chart.also}"
        self.text(_LEFT - 56 + 8.4 * len(f"{prefix}{pool.name}") + 12, self.y, size, "quiet")
        self.y += 14
        top = self.y
        self._in_use(chart, column)
        self.y += _STRIP + 8
        self._map(entry, chart, column)
        self.y += self._tall
        for position in chart.peaks:
            # Beside the buffers, whose colours it would change.
            peak = Box(_LEFT + position * column, top, max(column, 1.5), _STRIP + 8)
            self._rect(peak, "peak").append(_titled(f"peak at {operator_label(entry.operators, position)}"))
        self._operators(entry, chart.positions, column, frozenset(chart.peaks))

    def _in_use(self, chart: Chart, column: float) -> None:
        base, most = self.y + _STRIP, max(chart.peak_bytes, 1)
        points = [(float(_LEFT), base)]
        for position, value in enumerate(chart.in_use):
            y = base - value / most * (_STRIP - 4)
            points += [(_LEFT + position * column, y), (_LEFT + (position + 1) * column, y)]
        points.append((_LEFT + chart.positions * column, base))
        path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        ElementTree.SubElement(self._root, "polygon", {"points": path, "class": "use"})
        self.text(_LEFT - 6, base - _STRIP + 12, f"{chart.peak_bytes:,}", "quiet", "end")
        self.text(_LEFT - 6, base, "in use", "quiet", "end")

    def _map(self, entry: Entry, chart: Chart, column: float) -> None:
        limit = chart.pool.size_limit
        shown = limit if limit is not None and limit < 2 * chart.pool.bytes else None
        top = max(chart.pool.bytes, shown or 0, 1)
        scale = (self._tall - 10) / top

        def at(offset: float) -> float:
            return self.y + self._tall - offset * scale

        right = _LEFT + chart.positions * column
        for tick in ticks(top, 8):
            self._line(_LEFT, at(tick), right, at(tick), "grid" if tick else "axis")
            self.text(_LEFT - 6, at(tick) + 4, bytes_label(tick), "quiet", "end")
        boxes = [
            Box(
                _LEFT + b.first_use * column,
                at(b.offset + b.bytes),
                (b.last_use - b.first_use + 1) * column,
                b.bytes * scale,
            )
            for b in chart.buffers
        ]
        for buffer, box, shade in zip(chart.buffers, boxes, shades(chart.buffers), strict=True):
            whole = Box(box.x, box.y, max(box.width, 1), max(box.height, 1))
            steps = [
                Box(
                    box.x + (first - buffer.first_use) * column,
                    at(buffer.offset + begin + size),
                    (last - first + 1) * column,
                    size * scale,
                )
                for begin, size, first, last in buffer.parts
            ]
            self._buffer(entry, buffer, shade, whole, steps)
        for label in place_labels(boxes, [_label(buffer) for buffer in chart.buffers]):
            self.text(label.box.x, label.box.y + 10.5, label.text, "label")
        self._line(_LEFT, at(chart.pool.bytes), right, at(chart.pool.bytes), "peak-line")
        if shown is not None:
            self._line(_LEFT, at(shown), right, at(shown), "limit")
            self.text(right - 4, at(shown) + (12 if at(shown) < self.y + 14 else -4), "limit", "limit-text", "end")

    def _operators(self, entry: Entry, positions: int, column: float, peaks: Set[int]) -> None:
        labels = [one.short_label for one in entry.operators[:positions]]
        labels += [str(position) for position in range(len(labels), positions)]
        longest = max(map(len, labels)) * CHARACTER
        if column > longest + 6:
            for position, label in enumerate(labels):
                middle = _LEFT + (position + 0.5) * column
                self.text(middle, self.y + 15, label, "peak-text" if position in peaks else "quiet", "middle")
            self.y += 20
        elif column >= 13:
            for position, label in enumerate(labels):
                x, y = _LEFT + (position + 0.5) * column + 4, self.y + 10
                mark = self.text(x, y, label, "peak-text" if position in peaks else "quiet", "end")
                mark.set("transform", f"rotate(-50 {_number(x)} {_number(y)})")
            self.y += 14 + 0.77 * longest
        else:
            step = next(step for step in (5, 10, 20, 25, 50, 100, 200, 500, 1000, positions) if step * column >= 34)
            for position in range(0, positions, step):
                x = _LEFT + (position + 0.5) * column
                self._line(x, self.y, x, self.y + 4, "axis")
                self.text(x, self.y + 16, str(position), "quiet", "middle")
            self.text(_LEFT - 6, self.y + 16, "position", "quiet", "end")
            self.y += 20

    def text(self, x: float, y: float, words: str, style: str = "", anchor: str = "") -> Element:
        """One line of text on the base line y."""
        attributes = {"x": _number(x), "y": _number(y)}
        if style:
            attributes["class"] = style
        if anchor:
            attributes["text-anchor"] = anchor
        element = ElementTree.SubElement(self._root, "text", attributes)
        element.text = _xml(words)
        return element

    def _rect(self, box: Box, style: str) -> Element:
        attributes = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
        made = {key: _number(value) for key, value in attributes.items()}
        return ElementTree.SubElement(self._root, "rect", {**made, "class": style})

    def _buffer(self, entry: Entry, buffer: Buffer, shade: int, box: Box, steps: Sequence[Box]) -> None:
        """A rectangle, or a staircase of `steps` from below where the buffer dies or is born part by part."""
        element = self._swatch(box, buffer.kind, "buffer", shade)
        if steps:
            element.tag = "path"
            corners = [f"V{_number(s.y + s.height)}H{_number(s.x + s.width)}V{_number(s.y)}" for s in steps]
            # On the left there are steps only where it is born so.
            born = [f"H{_number(s.x)}V{_number(s.y + s.height)}" for s in reversed(steps) if s.x != steps[0].x]
            path = f"M{_number(steps[0].x)} {_number(box.y + box.height)}{''.join((*corners, *born))}"
            element.set("d", f"{path}H{_number(steps[0].x)}Z")
        facts = {
            "pool": buffer.pool,
            "name": _xml(buffer.name),
            "offset": buffer.offset,
            "bytes": buffer.bytes,
            "first": buffer.first_use,
            "last": buffer.last_use,
        }
        for key, value in facts.items():
            element.set(f"data-{key}", str(value))
        first, last = (operator_label(entry.operators, at) for at in (buffer.first_use, buffer.last_use))
        life = f"at {first}" if buffer.first_use == buffer.last_use else f"from {first} to {last}"
        place = f"{buffer.bytes:,} bytes at offset {buffer.offset:,} of {buffer.pool}"
        slot = "" if buffer.slot is None else f", slot {buffer.slot}"
        element.append(_titled(f"{buffer.name}\n{buffer.kind}{slot}: {place}\nlive {life}"))

    def _swatch(self, box: Box, kind: str, style: str, shade: int = 0) -> Element:
        element = self._rect(box, style)
        colour = f"--{kind}-{shade}" if shade else f"--{kind}"
        element.set("style", f"fill: var({colour}); stroke: var(--{kind}-edge)")
        return element

    def _line(self, x: float, y: float, to_x: float, to_y: float, style: str) -> None:
        ends = {"x1": x, "y1": y, "x2": to_x, "y2": to_y}
        made = {key: _number(value) for key, value in ends.items()}
        ElementTree.SubElement(self._root, "line", {**made, "class": style})


def _label(buffer: Buffer) -> str:
    return short_name(buffer.tensor) + ("" if buffer.row is None else f"[{buffer.row}]")


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _titled(words: str) -> Element:
    element = Element("title")
    element.text = _xml(words)
    return element


def _xml(words: str) -> str:
    return _NOT_XML.sub("\ufffd", words)
