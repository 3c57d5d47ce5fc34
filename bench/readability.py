"""How easy the docs are to read: words, words a sentence, the longest sentence, Flesch-Kincaid grade (textstat).

Usage: python bench/readability.py [PAGE ...] [--json FILE] [--long]
The default is every page of docs/ that is written by hand, and the README. Tables, code and headings are left out.
Needs `pip install textstat==0.7.8`, which works without a network.
"""

from __future__ import annotations

import argparse
import json
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ("docs/reference", "docs/operators.md")
MOST_WORDS = 30
"""No sentence of a user's page is longer."""


def pages() -> list[Path]:
    """Every page that is written by hand."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if not page.relative_to(ROOT).as_posix().startswith(GENERATED)]


def prose(text: str) -> list[str]:
    """Paragraphs and items of lists, as plain text."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"^(```|~~~).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in text.splitlines() if not line.lstrip().startswith(("|", "#", "!", "<", "    `"))]
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", "\n".join(lines))
    return [plain for block in blocks if (plain := _plain(block))]


def _plain(block: str) -> str:
    block = re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", block.strip())
    block = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", block)
    # A piece of code is one word, whatever is in it.
    block = re.sub(r"`[^`]*`", "code", block)
    return re.sub(r"\s+", " ", block.replace("*", "").replace("_", " ")).strip()


def sentences(block: str) -> list[str]:
    """Sentences of a block: they end in a full stop, question or exclamation mark before a space."""
    return [one for one in re.split(r"(?<=[.?!])\s+", block) if re.search(r"\w", one)]


def words(sentence: str) -> int:
    """Words of a sentence."""
    return len(re.findall(r"[\w'.,/+-]*\w[\w'.,/+-]*", sentence))


def figures(text: str) -> dict[str, Any]:
    """Measures of one page."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import textstat

    found = [sentence for block in prose(text) for sentence in sentences(block)]
    lengths = [words(sentence) for sentence in found]
    grade = textstat.flesch_kincaid_grade(" ".join(re.sub(r"[:;]$", ".", one) for one in found)) if found else 0.0
    return {
        "words": sum(lengths),
        "sentences": len(lengths),
        "mean": round(sum(lengths) / max(1, len(lengths)), 1),
        "longest": max(lengths, default=0),
        "grade": round(float(grade), 1),
    }


def report(found: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """Figures by page, and of all pages together."""
    texts = {page.resolve().relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in found}
    return {name: figures(text) for name, text in texts.items()} | {"all": figures("\n\n".join(texts.values()))}


def main() -> None:
    """Print a table; write it as JSON if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--long", action="store_true", help=f"show every sentence of more than {MOST_WORDS} words")
    arguments = parser.parse_args()
    chosen = arguments.pages or pages()
    made = report(chosen)
    heads = ("words", "sentences", "mean", "longest", "grade")
    print(f"{'page':36}" + "".join(f"{head:>11}" for head in heads))
    for name, row in made.items():
        print(f"{name:36}" + "".join(f"{row[head]:>11}" for head in heads))
    if arguments.long:
        for page in chosen:
            for block in prose(page.read_text(encoding="utf-8")):
                for sentence in sentences(block):
                    if words(sentence) > MOST_WORDS:
                        print(f"{page}: {sentence}")
    if arguments.json:
        arguments.json.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
