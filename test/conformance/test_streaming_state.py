"""Variables lie in the windows that they are part of: results over many runs, and what pools hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from streaming_state import streaming_network
from test_branched_graphs import check

from stillpool.driver.compile.prepare import prepare

WIDTHS = (10, 24, 24, 24, 24, 16)
"""Channels that each layer takes."""
LAYERS = [(5, 24), (9, 24), (9, 24), (13, 24), (17, 16), (5, 4)]
"""Six variables of 2,008 bytes in all."""


@pytest.mark.parametrize("changes", [{}, {"stale": True}, {"whole": True}], ids=["window", "stale", "whole"])
@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_runs_in_sequence_stay_the_same(dtype: str, changes: dict[str, bool]) -> None:
    case = streaming_network(LAYERS[:3], 10, dtype=dtype, **changes)
    check([case], [f"{dtype} {changes}"], [{}, {"poison": True}, {"rows": "on"}, {"target": "cortex-m4"}])


@pytest.mark.parametrize(("whole", "grown"), [(False, 10 + 4 * 24 + 16), (True, 0)])
def test_state_lies_in_the_windows_of_the_layers(tmp_path: Path, *, whole: bool, grown: int) -> None:
    """It is larger by what is new; the workspace holds no window."""
    model = tmp_path / "wake_word.tflite"
    model.write_bytes(streaming_network(LAYERS, 10, whole=whole).model)
    state = sum((moments if whole else moments - 1) * width for (moments, _), width in zip(LAYERS, WIDTHS, strict=True))
    sizes = prepare(model, planner_seconds=0.05).workspace_bytes()
    assert state + grown <= sizes["state"] <= state + grown + 3 * len(LAYERS)
    assert sizes["workspace"] < 50
