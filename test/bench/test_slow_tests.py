"""Tests of the list of slow tests, and of what makes it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from slow import LIST, listed, mark
from slow_tests import lines

ROOT = Path(__file__).parents[2]


def test_the_slow_are_listed_but_for_those_of_the_sweep() -> None:
    measured = [["a.py::slow[x y]", 0.5, 0.5, False], ["a.py::quick", 0.3, 0.2, False], ["a.py::many", 9.0, 9.0, True]]
    made = lines(map(json.dumps, measured), ["3.5e-01 test/b.mlir", "5.1e-01 test/c d.mlir"])
    assert made[1] == "# The other 1 take 0 s."
    assert listed("\n".join(made)) == {"a.py::slow[x y]", "test/c d.mlir"}


def test_what_is_listed_is_of_the_sweep(request: pytest.FixtureRequest) -> None:
    item = pytest.Function.from_parent(request.node.parent, name=request.node.name, callobj=lambda: None)
    mark([item], frozenset({"another"}))
    assert item.get_closest_marker("sweep") is None
    mark([item], frozenset({item.nodeid}))
    assert item.get_closest_marker("sweep") is not None


def test_what_is_listed_exists() -> None:
    """Whoever names a test anew lists it anew."""
    names = {name.partition("[")[0] for name in listed(LIST.read_text(encoding="utf-8"))}
    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in {name.partition("::")[0] for name in names}}
    tests = [name.split("::") for name in names if "::" in name]
    missing = [name for file, *_, name in tests if not re.search(rf"def {name}\(", texts[file])]
    assert not missing, "names of bench/results/slow_tests.txt that no test has"
