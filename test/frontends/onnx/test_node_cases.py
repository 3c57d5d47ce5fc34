"""ONNX's own node tests: none is wrong, and none of them, all sound, is called malformed."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest
import sweeps

pytestmark = [pytest.mark.extra("onnx"), pytest.mark.sweep]
sys.path.append(str(Path(__file__).resolve().parents[3] / "bench"))


def test_sweep_node_cases() -> None:
    nodes: Any = importlib.import_module("onnx_nodes")
    # Of the usual sweep every sixteenth: compiling all takes nine minutes of the processor.
    found = nodes.cases()[:: sweeps.size(16, long=1)]
    nodes.judged(found)
    faults = [
        f"{case.name}: {case.verdict}: {case.reason}" for case in found if case.verdict not in ("passed", "refused")
    ]
    assert not faults, "\n".join(faults)
    assert sum(case.verdict == "passed" for case in found) > len(found) // 3, nodes.table(found)
