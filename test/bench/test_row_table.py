"""The table of workspaces with and without rows."""

from __future__ import annotations

from pathlib import Path

import rows

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_a_model_has_a_row_and_what_is_refused_has_dashes(tmp_path: Path) -> None:
    broken = tmp_path / "broken.tflite"
    broken.write_bytes(b"no model")
    digits, refused = rows.measured([EXAMPLES / "digits/digits.tflite", broken])
    assert digits[:4] == ("digits", "1,547", "516", "67 %")
    assert refused == ("broken", "-", "-", "-", "-")
