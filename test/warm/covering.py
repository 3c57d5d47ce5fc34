"""Which tests of IR are enough to meet every pass, target and dialect once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

_WORD = re.compile(r"[a-z][\w-]*")


def covering(tests: Iterable[Path], names: Collection[str]) -> set[Path]:
    """The tests that have one of some names in their text as the first ones in order."""
    found, known, met = set[Path](), frozenset(names), set[str]()
    for test in sorted(tests):
        own = known.intersection(_WORD.findall(test.read_text(encoding="utf-8")))
        if not own <= met:
            found.add(test)
            met |= own
    return found
