"""A reader who does what a page says, in a folder that has only the examples."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from extras import EXTRAS, missing_modules
from pages import Block

from stillpool.cli import main

_EXIT_CODE = re.compile(r"#.*\bexit code (\d+)")
_COMMAND = re.compile(r"^(\$ )?(stillpool|make|pip|cmake) .*(tflite|examples/|build/)", re.MULTILINE)
_COMPILERS = {"c": ("cc", "-std=c99", "-x", "c"), "cpp": ("c++", "-std=c++17", "-x", "c++")}
_OUTSIDE = ("#", "static", "STILLPOOL_ALIGNED", "alignas", "extern")
"""How lines of excerpts begin that stand outside of functions."""


class Reader:
    """Follows one page from its top.

    Args:
        folder: the current folder.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self.headers: Path | None = None
        self.printed = ""
        self.left_out: list[str] = []
        """What was left out, and why."""
        self.is_silent = False
        """Whether the commands whose words come next were left out."""

    def follow(self, block: Block) -> None:
        """Do what one block says, and leave a note where something that it needs is not here."""
        if block.not_run:
            return
        if missing := [name for name in block.needs if not is_here(name)]:
            self.left_out.append(f"line {block.line} needs {', '.join(missing)}")
            self.is_silent = True
            return
        if block.printed and self.is_silent:
            return
        if block.title:
            path = self.folder / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        match block.language:
            case "sh":
                self.is_silent = False
                for line in block.text.replace("\\\n", " ").splitlines():
                    self.command(line)
            case "python" if not block.title:
                self.call(sys.executable, "-c", block.text)
            case "c" | "cpp" if not block.title:
                self.excerpt(block)
            case "toml":
                tomllib.loads(block.text)
            case "json":
                json.loads(block.text)
            case "text" if block.printed:
                parts = [re.escape(" ".join(part.split())) for part in block.text.split("...")]
                assert re.search(".*".join(parts), " ".join(self.printed.split())), self.printed
            case "text":
                assert not _COMMAND.search(block.text), "commands belong into blocks of `sh`, which are run"
            case _:
                assert block.title, "say how a reader uses this block (a title), or why it is not run"

    def command(self, line: str) -> None:
        """One line of a shell; `stillpool` runs in this process. A comment may say with which exit code it ends."""
        words = shlex.split(line, comments=True)
        said = _EXIT_CODE.search(line)
        expected = int(said[1]) if said else 0
        if words[:1] == ["stillpool"]:
            done = CliRunner().invoke(main, words[1:])
            assert done.exit_code == expected, done.output
            self.printed = done.output
            if words[1] == "compile" and "-o" in words:
                folder = self.folder / words[words.index("-o") + 1]
                self.headers = next(iter(sorted(folder.rglob("include"))), folder)
        elif words[:1] in (["xdsl-opt"], ["stillpool-opt"]) and not set(line) & set("|<>$*;&"):
            self.call(*words, expected=expected)
        elif words:
            self.call("bash", "-euc", line, expected=expected)

    def call(self, *command: str, expected: int = 0) -> None:
        """A command of another program."""
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        self.printed = done.stdout + done.stderr
        assert done.returncode == expected, self.printed

    def excerpt(self, block: Block) -> None:
        """A part of a program compiles, with the headers of what was compiled last on the page."""
        assert self.headers is not None, "no header was written before this excerpt"
        lines = block.text.splitlines()
        outside = [line for line in lines if line.startswith(_OUTSIDE)]
        inside = [line for line in lines if not line.startswith(_OUTSIDE)]
        included = [f'#include "{path.name}"' for path in sorted(self.headers.glob("*.h*"))]
        if block.language == "c":
            included = [line for line in included if line.endswith('.h"')]
        directives = [line for line in outside if line.startswith("#")]
        outside = [line for line in outside if not line.startswith("#")]
        program = "\n".join(
            [*directives, *included, *outside, "void excerpt(void);", "void excerpt(void) {", *inside, "}"]
        )
        compiler = _COMPILERS[block.language]
        source = self.folder / f"excerpt_{block.line}"
        source.write_text(program)
        self.call(*compiler, "-fsyntax-only", f"-I{self.headers}", str(source))


def is_here(name: str) -> bool:
    """Whether a program is on the path, or an extra installed."""
    if name in EXTRAS:
        return not missing_modules(name)
    return shutil.which(name) is not None


def skip_what_was_left_out(reader: Reader) -> None:
    """End a test that could not do all that its page says."""
    if reader.left_out:
        pytest.skip("; ".join(reader.left_out))
