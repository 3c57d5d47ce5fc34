"""Where the names of buffers stand in a picture, so that none runs into another or out of its buffer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

HEIGHT = 13.0
"""Height of a line of text, in pixels."""
CHARACTER = 6.4
"""Width of a character of the picture's 11 pixel sans-serif font, on the wide side."""
_LEAST = 3
"""Fewer characters than this say nothing."""


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, y downwards."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box) -> bool:
        """Whether the two share area."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


@dataclass(frozen=True)
class Label:
    """A text whose line fills `box`."""

    text: str
    box: Box


def place_labels(boxes: Sequence[Box], texts: Sequence[str]) -> list[Label]:
    """Labels for those boxes that have room where no other box lies; long texts are cut."""
    return [label for box, text in zip(boxes, texts, strict=True) if (label := _place(box, text, boxes)) is not None]


def _place(box: Box, text: str, boxes: Sequence[Box]) -> Label | None:
    if box.height < HEIGHT or box.width < _LEAST * CHARACTER:
        return None
    others = [other for other in boxes if other is not box and other.meets(box)]
    best: Box | None = None
    for y in (box.y + 1, box.y + (box.height - HEIGHT) / 2, box.y + box.height - HEIGHT - 1):
        line = Box(box.x, max(box.y, y), box.width, HEIGHT)
        free = _widest_gap(line, [other for other in others if other.meets(line)])
        if best is None or free.width > best.width + 1:
            best = free
    assert best is not None, "three lines were looked at"
    room = int((best.width - 6) / CHARACTER)
    if room < min(_LEAST, len(text)):
        return None
    cut = text if len(text) <= room else f"{text[: room - 1]}…"
    return Label(cut, Box(best.x + 3, best.y, best.width - 3, HEIGHT))


def _widest_gap(line: Box, others: Sequence[Box]) -> Box:
    """The widest part of a line that no other box covers; the leftmost of several."""
    best, start = Box(line.x, line.y, 0, line.height), line.x
    end = line.x + line.width
    for x, stop in [*sorted((other.x, other.x + other.width) for other in others), (end, end)]:
        if x - start > best.width:
            best = Box(start, line.y, x - start, line.height)
        start = max(start, stop)
    return best
