"""Two models and two formats, as a project file asks for them: every format knows both models."""

from __future__ import annotations

import json
from pathlib import Path

from building import WARNINGS, run, unpacked
from click.testing import CliRunner

from stillpool.cli import main

NOVELTY = Path(__file__).resolve().parents[3] / "examples" / "novelty" / "novelty.tflite"
FILE = f"""\
format = ["mlf", "arduino", "dir"]

[[model]]
path = "{NOVELTY}"
name = "one"

[[model]]
path = "{NOVELTY}"
name = "two"
"""


def test_two_models(tmp_path: Path) -> None:
    (tmp_path / "project.toml").write_text(FILE)
    made = CliRunner().invoke(
        main, ["compile", "-c", str(tmp_path / "project.toml"), "-o", str(tmp_path / "out"), "-q"]
    )
    assert made.exit_code == 0, made.output
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {"mlf", "arduino", "dir", "manifest.json"}
    unpacked((out / "mlf" / "one.tar").read_bytes(), tmp_path / "mlf")
    metadata = json.loads((tmp_path / "mlf" / "metadata.json").read_text())
    assert list(metadata["modules"]) == ["one", "two"]
    assert sorted(path.stem for path in (tmp_path / "mlf" / "parameters").iterdir()) == ["one", "two"]
    assert sorted(path.name for path in (out / "arduino" / "examples").rglob("*.ino")) == ["one.ino", "two.ino"]
    assert "includes=one.h,two.h\n" in (out / "arduino" / "library.properties").read_text()
    said = run("make", "-s", f"CFLAGS={' '.join(WARNINGS)}", "check", cwd=out / "dir")
    assert said.count("PASS") == 2
