"""Pages of users are read by people who scan: short sentences, and an example soon."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import ROOT
from readability import MOST_WORDS, pages, prose, sentences, words  # pyright: ignore

TWO_SCREENS = 60
"""Lines."""
MOST_WORDS_ON_AVERAGE = 16
MOST_WORDS_OF_ALL = 20_000
"""Of all pages, tables and code apart."""
NOTHING_TO_TYPE = {"docs/numerics.md"}
"""Pages of facts."""


@pytest.mark.parametrize("page", [page.relative_to(ROOT).as_posix() for page in pages()])
def test_sentences_are_short(page: str) -> None:
    found = [sentence for block in prose((ROOT / page).read_text()) for sentence in sentences(block)]
    assert [sentence for sentence in found if words(sentence) > MOST_WORDS] == []
    assert sum(map(words, found)) <= MOST_WORDS_ON_AVERAGE * len(found)


@pytest.mark.parametrize(
    "page", [page for page in pages() if "internals" not in page.parts], ids=lambda page: page.name
)
def test_an_example_comes_soon(page: Path) -> None:
    first = re.search(r"^```", page.read_text(), re.MULTILINE)
    if page.relative_to(ROOT).as_posix() in NOTHING_TO_TYPE:
        assert first is None
        return
    assert first is not None, "a page of users has a command or a piece of code"
    assert page.read_text().count("\n", 0, first.start()) <= TWO_SCREENS
