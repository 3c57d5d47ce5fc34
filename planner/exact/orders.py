"""Variable orders of the search: which of the buffers that could lie lowest is tried first.

Run times over orders are heavy-tailed, so several orders with small limits beat one with a large limit.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from .instance import Instance

LEXICOGRAPHIC = ("TO", "TWA", "WTA", "AW", "TWl", "WAT", "TOz", "CZ", "AT", "TC", "OC", "OA")
"""Orders by features, the first that differs decides; capital letters: the largest first."""


def orders(instance: Instance) -> Iterator[list[int]]:
    """Orders without end: the lexicographic ones, then random mixtures of the features, always the same."""
    features = _features(instance)
    everything = range(instance.count)
    for name in LEXICOGRAPHIC:
        columns = [(features[letter.upper()], -1 if letter.isupper() else 1) for letter in name]
        yield sorted(everything, key=lambda i: (*(sign * column[i] for column, sign in columns), i))
    source = random.Random(0)
    while True:
        total, width, size, others = (source.uniform(*r) for r in ((0, 10), (0, 3), (-0.3, 1), (-0.5, 1.5)))
        noise = source.uniform(0, 0.3)
        weights = [
            (t**total) * (w**width) * (z**size) * (o**others) * (1 - noise * source.random())
            for t, w, z, o in zip(*(features[letter] for letter in "TWZO"), strict=True)
        ]
        yield sorted(everything, key=lambda i: (-weights[i], i))


def _features(instance: Instance) -> dict[str, Sequence[float]]:
    """Total of the fullest section, width (life), size, area, others in the way, count of sections, begin of life.

    At least 1, that powers of them make sense; the totals lie between 0 and 1.
    """
    totals = [sum(section.weights.values()) for section in instance.sections]
    most = max(totals, default=1) or 1
    size = [max(1, units) for units in instance.units]
    width = [max(1, span) for span in instance.spans]
    return {
        "T": [max((totals[s] for s, _ in row), default=1) / most for row in instance.memberships],
        "W": width,
        "Z": size,
        "A": [w * z for w, z in zip(width, size, strict=True)],
        "O": [1 + len(row) for row in instance.gaps],
        "C": [len(row) for row in instance.memberships],
        "L": instance.births,
    }
