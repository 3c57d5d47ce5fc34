"""The generated reference of dialects and passes is complete and up to date."""

from __future__ import annotations

import runpy
from itertools import pairwise
from pathlib import Path

from stillpool.universe import UNIVERSE

SCRIPT = Path(__file__).with_name("reference_pages.py")
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference"


def test_the_pages_are_up_to_date() -> None:
    made = runpy.run_path(str(SCRIPT))["pages"]()
    written = {name: (FOLDER / name).read_text() for name in made if (FOLDER / name).exists()}
    assert written == made, "run: python test/dialects/reference_pages.py"


def test_everything_is_described() -> None:
    made = runpy.run_path(str(SCRIPT))["pages"]()
    text = "".join((FOLDER / name).read_text() for name in made)
    for name, factory in UNIVERSE.all_dialects.items():
        for op in factory().operations:
            assert f"## `{op.name}`\n\n" in text, name
    for name in UNIVERSE.all_passes:
        assert f"## `{name}`\n\n" in text
    # A heading that is followed by another one is something without a docstring.
    lines = [line for line in text.splitlines() if line]
    bare = [one for one, two in pairwise(lines) if one[:3] == "## " and two[:3] in ("## ", "```")]
    assert bare == []
