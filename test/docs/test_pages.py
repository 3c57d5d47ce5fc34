"""What the README and the pages of the site show does run, in order, in a folder that has only the examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import ROOT, all_pages, blocks, read
from reader import Reader, skip_what_was_left_out


@pytest.mark.usefixtures("compiled_once")
@pytest.mark.parametrize("page", all_pages())
def test_what_the_page_says_can_be_done(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "build").mkdir()
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path)
    for block in blocks(page):
        try:
            reader.follow(block)
        except AssertionError as error:
            raise AssertionError(f"{page}:{block.line}: {error}") from error
    skip_what_was_left_out(reader)


@pytest.mark.parametrize("page", all_pages())
def test_no_code_stands_outside_of_fences(page: str) -> None:
    text = re.sub(r"^```.*?^```$", "", read(page), flags=re.MULTILINE | re.DOTALL)
    assert "```" not in text, "a fence is not closed"
    indented = re.findall(r"(?:^|\n)\n(    .*)", text)
    assert indented == [], "code belongs into fences, which are run"


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"
