"""The table of workspaces with and without rows, for each place of the input."""

from __future__ import annotations

from pathlib import Path

import rows  # pyright: ignore[reportMissingImports]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_a_model_has_a_row_and_what_is_refused_has_dashes(tmp_path: Path) -> None:
    broken = tmp_path / "broken.tflite"
    broken.write_bytes(b"no model")
    digits, refused = rows.measured([EXAMPLES / "digits/digits.tflite", broken])
    assert digits == ("digits", "1,547 / 518 / 496", "1,547 / 492 / 480", "508 / 496", "-")
    assert refused == ("broken", "-", "-", "-", "-")
