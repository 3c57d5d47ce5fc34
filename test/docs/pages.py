"""The fenced blocks of a page of the documentation.

A block is what its fence says: `sh` are commands that run in order, a title is the name of a file that the reader
writes, `text` is output or a synopsis. A comment on the line before it says why it is not run, what it needs, or that
it is in the output of the last command:

    <!-- not run: REASON -->
    <!-- needs: PROGRAM-OR-EXTRA ... -->
    <!-- printed: by the last command -->

`...` in such a text stands for anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_BLOCK = re.compile(
    r"^(?:<!-- (?P<word>not run|needs|printed): (?P<said>.*?) -->\n)?"
    r'```(?P<language>\w*)(?: title="(?P<title>[^"]+)")?\n'
    r"(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    """What stands behind the fence; empty for none."""

    title: str
    """Path of the file that it is, relative to the reader's folder; empty for none."""

    text: str
    line: int
    """Where its fence is, from 1."""

    needs: tuple[str, ...] = ()
    """Programs on the path, or extras of the package."""

    not_run: str = ""
    """Why it is not run; empty if it is."""

    printed: bool = False
    """Whether the last command printed it."""


def all_pages() -> list[str]:
    """README and the pages of the site, relative to the repository, but those that are generated."""
    written = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    return ["README.md", *sorted(page for page in written if not page.startswith("docs/reference/"))]


def read(page: str) -> str:
    """The text of a page; `page` is relative to the repository."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    """All fenced blocks of a page, in order."""
    text = read(page)
    found: list[Block] = []
    for match in _BLOCK.finditer(text):
        said = {match["word"]: match["said"]} if match["word"] else {}
        line = text.count("\n", 0, match.start()) + 1 + bool(said)
        needs = tuple(said.get("needs", "").split())
        title = match["title"] or ""
        not_run, printed = said.get("not run", ""), "printed" in said
        found.append(Block(match["language"], title, match["text"], line, needs, not_run, printed))
    return found
