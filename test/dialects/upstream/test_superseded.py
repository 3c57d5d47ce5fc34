"""What is added to xDSL is still needed: an addition that xDSL has gained is to be deleted here."""

from __future__ import annotations

import stillpool.universe  # noqa: F401
from stillpool.dialects.upstream.everything import PATCHES, SUPERSEDED
from stillpool.dialects.upstream.patch import Patch


def test_nothing_is_superseded() -> None:
    assert PATCHES
    assert SUPERSEDED == ()


def test_what_is_present_is_left_alone() -> None:
    calls: list[str] = []
    assert not Patch("present", lambda: False, lambda: calls.append("added")).apply()
    assert Patch("absent", lambda: True, lambda: calls.append("added")).apply()
    assert calls == ["added"]


def test_each_is_recognised_once_it_is_there() -> None:
    """Having been added, none seems to be needed: so it will be seen when xDSL brings it."""
    assert [patch.what for patch in PATCHES if patch.is_needed()] == []
