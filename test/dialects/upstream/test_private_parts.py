"""xDSL's private parts that the package uses: each is named here, and is there in the xDSL that is installed.

A release of xDSL without one of them fails this test by name; `pyproject.toml` allows releases that pass it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from importlib.metadata import version
from io import StringIO
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import test
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Dialect, Region
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRLexer

ROOT = Path(__file__).parents[3]
ROOMS = ("cli", "dialects", "driver", "frontends", "lowering", "planner", "report", "run", "targets", "transforms")
NOT_OF_XDSL = ("driver", "report", "run", "tune")
"""Rooms that use private parts of other packages."""


def _parser() -> Parser:
    from xdsl.parser.affine_parser import AffineParser

    parser = Parser(Context(), "")
    assert hasattr(AffineParser, "_parse_affine_expr")
    return parser


def _affine() -> object:
    from xdsl.parser.affine_parser import AffineParser

    return AffineParser


def _operation() -> object:
    return test.TestOp()


def _block() -> object:
    return Block(arg_types=[i32])


PARTS: dict[str, Callable[[], object]] = {
    "_TensorLiteralElement": _parser,
    "_attach_op": _block,
    "_attributes": lambda: Dialect("none"),
    "_first_block": Region,
    "_first_op": _block,
    "_get_parse_optional_ssa_value": _affine,
    "_last_op": _block,
    "_next_block": _block,
    "_next_op": _operation,
    "_op": lambda: test.TestOp().operands,
    "_operand_uses": _operation,
    "_operands": _operation,
    "_operations": lambda: Dialect("none"),
    "_parse_affine_expr": _affine,
    "_parse_file_metadata_dictionary": _parser,
    "_parser_state": _parser,
    "_prev_op": _operation,
    "_region": lambda: Region().blocks,
    "_ssa_values": lambda: Printer(StringIO()),
    "_type": lambda: Block(arg_types=[i32]).args[0],
    "_successors": _operation,
    "_unescaped_characters_regex": lambda: MLIRLexer,
    "_verify": lambda: i32,
}
"""What has each part."""


@pytest.mark.parametrize("part", PARTS)
def test_the_part_is_there(part: str) -> None:
    assert hasattr(PARTS[part](), part), f"xDSL {version('xdsl')} has no {part}"


def test_no_other_part_is_used() -> None:
    used: set[str] = set()
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py") if room not in NOT_OF_XDSL else ():
            text = path.read_text()
            whole = "# pyright: reportPrivateUsage=false" in text
            lines = [line for line in text.splitlines() if whole or ("pyright: ignore" in line and "ivate" in line)]
            used |= {name for line in lines for name in re.findall(r"\.(_[a-zA-Z]\w*)", line.partition("#")[0])}
    assert used - {"_type"} == PARTS.keys() - {"_type"}


def test_the_package_allows_the_release_that_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (allowed,) = [each for each in project["dependencies"] if each.startswith("xdsl")]
    found = re.fullmatch(r"xdsl>=0\.(\d+)\.\d+,<0\.(\d+)", allowed)
    assert found
    assert int(found[1]) <= int(version("xdsl").split(".")[1]) < int(found[2])
