"""String literals: what has no end is said to have none, at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

READ = """
import sys
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, StringAttr
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from stillpool.dialects import upstream

context = Context()
context.load_dialect(Builtin)
try:
    read = Parser(context, sys.argv[1]).parse_attribute()
    print(read.data)
except ParseError as error:
    print("refused" if "closing string literal" in str(error) else error)
"""


def read(text: str) -> str:
    """What becomes of a text, in a process that may not think about it for long."""
    done = subprocess.run([sys.executable, "-c", READ, text], capture_output=True, text=True, check=True, timeout=600)
    return done.stdout.strip()


@pytest.mark.parametrize(
    "rest", ["a" * 60, "a\\n" * 30, "func.func @f(%x: memref<4xf32>) {" * 4], ids=["word", "escapes", "ir"]
)
def test_a_string_without_an_end_is_refused(rest: str) -> None:
    assert read(f'"{rest}') == "refused"


def test_strings_are_read_as_before() -> None:
    assert read('"one \\"two\\" three\\\\"') == 'one "two" three\\'
