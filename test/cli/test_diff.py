"""`stillpool diff` on manifests that the compiler wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from stillpool import compile
from stillpool.cli import main

MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"


def diff(*arguments: Path | str) -> Result:
    return CliRunner().invoke(main, ["diff", *map(str, arguments)])


@pytest.fixture(scope="module")
def manifests(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Of the same model with inputs and outputs in the workspace, and without."""
    folder = tmp_path_factory.mktemp("manifests")
    paths = folder / "all.json", folder / "none.json"
    for path, io in zip(paths, ("all", "none"), strict=True):
        path.write_text(json.dumps(compile(MODEL, workspace_io=io, overlap="off").manifest))
    return paths


def test_the_same_has_not_changed(manifests: tuple[Path, Path]) -> None:
    result = diff(manifests[0], manifests[0])
    assert (result.exit_code, result.stdout) == (0, "nothing changed\n")
    assert json.loads(diff(manifests[0], manifests[0], "--json").stdout)["equal"] is True


def test_buffers_that_left_the_workspace(manifests: tuple[Path, Path]) -> None:
    found: dict[str, Any] = json.loads(diff(*manifests, "--json").stdout)
    before, after = (json.loads(path.read_text()) for path in manifests)
    removed = {moved["name"] for moved in found["buffers"] if moved["change"] == "removed"}
    assert removed == {buffer["name"] for buffer in before["buffers"]} - {b["name"] for b in after["buffers"]}
    assert {"image", "scores"} <= removed
    ram, flash, macs = found["totals"]
    assert ram["delta"] == sum(p["bytes"] for p in after["pools"]) - sum(p["bytes"] for p in before["pools"])
    assert (flash["delta"], macs["delta"]) == (0, 0)
    assert "removed" in diff(*manifests).stdout


def test_what_is_no_manifest(tmp_path: Path, manifests: tuple[Path, Path]) -> None:
    other = tmp_path / "other.json"
    for text, words in (("{}", "no manifest of schema"), ("not JSON", "is no JSON"), ('{"schema": 1}', "damaged")):
        other.write_text(text)
        result = diff(manifests[0], other)
        assert result.exit_code == 1
        assert words in result.stderr
    assert "cannot read" in diff(manifests[0], tmp_path / "absent.json").stderr


def test_projects_of_several_models_are_compared(tmp_path: Path) -> None:
    models = [MODEL, MODEL.parents[1] / "novelty" / "novelty.tflite"]
    for name, concurrency in (("one", "exclusive"), ("two", "concurrent")):
        made = compile(models, concurrency=concurrency, weights="incbin")
        (tmp_path / name).write_text(json.dumps(made.manifest))
    same = diff(tmp_path / "one", tmp_path / "one")
    assert (same.exit_code, same.stdout) == (0, "nothing changed\n")
    done = diff(tmp_path / "one", tmp_path / "two", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    (pool,) = found["pools"]
    assert pool["delta"] > 0
    totals = {total["what"]: total for total in found["totals"]}
    assert totals["RAM"]["delta"] == pool["delta"]
    assert totals["MACs"]["before"] == sum(
        operator["macs"] for m in made.manifest["models"] for operator in m["operators"]
    )
    assert all(moved["name"].startswith(("digits: ", "novelty: ")) for moved in found["buffers"])


def test_code_is_compared_where_both_state_it(manifests: tuple[Path, Path], tmp_path: Path) -> None:
    def with_code(name: str, linked: int | None, estimated: int) -> Path:
        document = json.loads(manifests[0].read_text())
        document["code"]["linked_bytes"] = linked
        document["estimates"] = {"code_bytes": estimated}
        (tmp_path / name).write_text(json.dumps(document))
        return tmp_path / name

    one, two, unlinked = with_code("a", 500, 450), with_code("b", 700, 640), with_code("c", None, 640)
    found = [json.loads(diff(one, other, "--json").stdout)["totals"] for other in (two, unlinked, manifests[0])]
    assert [[change["delta"] for change in totals if "code" in change["what"]] for totals in found] == [
        [200],
        [190],
        [],
    ]
