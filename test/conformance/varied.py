"""Examples of strategies that vary: the same in every run, and different for every name."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

_T = TypeVar("_T")
_NOT_CHECKED = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
_ROUNDS = 4
"""After which a strategy has given all that it has."""


def examples(strategy: st.SearchStrategy[_T], count: int, name: str) -> list[_T]:
    """Different examples of a strategy, fewer than `count` where it has no more; `name` is what they are seeded by.

    The first that hypothesis generates is the simplest of all, whatever the seed: that one is left out.
    """
    found: dict[str, _T] = {}
    for number in range(_ROUNDS):
        drawn = _drawn(strategy, count + 1, zlib.crc32(f"{name} {number}".encode()))
        found |= {repr(one): one for one in drawn[1:]}
        if len(found) >= count:
            break
    return list(found.values())[:count]


def _drawn(strategy: st.SearchStrategy[_T], count: int, number: int) -> list[_T]:
    found: list[_T] = []

    @seed(number)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        # A batch is no use to shrink: every failing case in it is reported with its parameters.
        phases=[Phase.generate],
        suppress_health_check=_NOT_CHECKED,
    )
    @given(strategy)
    def keep(one: _T) -> None:
        found.append(one)

    keep()
    return found


def spread(specs: Iterable[object]) -> dict[str, Counter[str]]:
    """How often each parameter of some cases has which value, as text."""
    found: dict[str, Counter[str]] = {}
    for spec in specs:
        for name, value in vars(spec).items():
            found.setdefault(name, Counter()).update([str(value)])
    return found
