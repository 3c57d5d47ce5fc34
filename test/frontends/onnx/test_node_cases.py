"""ONNX's own node tests: none is wrong or called malformed, and the page says what becomes of each operator's."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import sweeps

sys.path.append(str(Path(__file__).resolve().parents[3] / "bench"))
PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "onnx-nodes.md"


def test_the_page_adds_up() -> None:
    text = PAGE.read_text(encoding="utf-8")
    (totals,) = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    rows = re.findall(r"^\| [A-Z]\w+ \| (\d+) \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    assert len(rows) > 150
    sums = [sum(int(row[column]) for row in rows) for column in range(3)]
    assert [sum(sums), *sums] == [int(number) for number in totals]


@pytest.mark.extra("onnx")
@pytest.mark.sweep
def test_sweep_node_cases() -> None:
    import onnx

    nodes: Any = importlib.import_module("onnx_nodes")
    found = nodes.cases()
    # Of the usual sweep every thirty-second operator: compiling all takes nine minutes of the processor.
    operators = sorted({case.operator for case in found})[9 :: sweeps.size(32, long=1)]
    found = [case for case in found if case.operator in operators]
    nodes.judged(found)
    faults = [
        f"{case.name}: {case.verdict}: {case.reason}" for case in found if case.verdict not in ("passed", "refused")
    ]
    assert not faults, "\n".join(faults)
    assert any(case.verdict == "passed" for case in found)
    text = PAGE.read_text(encoding="utf-8")
    if f" onnx {onnx.__version__};" in text:
        missing = [row for row in nodes.rows(found).values() if row not in text.splitlines()]
        assert not missing, "\n".join(["run: python bench/onnx_nodes.py --page", *missing])
