"""The generated reference of the command line, of C and of Python is up to date."""

from __future__ import annotations

import pytest
from reference_pages import FOLDER, PAGES, index, text

from stillpool.cli import VERBS

REMEDY = "run: python test/docs/reference_pages.py"


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_up_to_date(name: str) -> None:
    assert (FOLDER / name).read_text() == text(name), REMEDY


def test_the_list_has_every_page() -> None:
    assert (FOLDER / "README.md").read_text() == index(), REMEDY
    assert all(f"({path.name})" in index() for path in FOLDER.glob("*.md") if path.name != "README.md")


def test_everything_is_described() -> None:
    assert all(f"## `stillpool {verb}`" in text("cli.md") for verb in VERBS)
    # An option without words ends its row with an empty cell.
    assert [line for line in text("cli.md").splitlines() if line.endswith("|  |")] == []
