"""Variables are read when they are needed: results over many runs, and what the workspace holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from streaming_state import streaming_network
from test_branched_graphs import check

from stillpool.driver.compile import prepare

LAYERS = [(5, 24), (9, 24), (9, 24), (13, 24), (17, 16), (5, 4)]
"""Six variables of 2,008 bytes in all."""


@pytest.mark.parametrize("stale", [False, True])
@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_runs_in_sequence_stay_the_same(dtype: str, stale: bool) -> None:
    case = streaming_network(LAYERS[:3], 10, dtype=dtype, stale=stale)
    check([case], [f"{dtype} {stale}"], [{}, {"poison": True}, {"rows": "on"}])


def test_the_workspace_holds_one_window_at_a_time(tmp_path: Path) -> None:
    """Variables are read into the window of their layer, and written out of it."""
    model = tmp_path / "wake_word.tflite"
    model.write_bytes(streaming_network(LAYERS, 10).model)
    compilation = prepare(model, planner_seconds=0.05)
    window = max(moments * width for (moments, _), width in zip(LAYERS, (10, 24, 24, 24, 24, 16), strict=True))
    assert compilation.workspace_bytes()["workspace"] < window + 100
