"""`stillpool plan` on small files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from stillpool.cli import main

CSV = "id,lower,upper,size\na,0,2,4\nb,1,3,8\nc,2,4,4\n"
JSON = {
    "buffers": [
        {"id": 0, "size": 20, "alignment": 16, "pools": ["sram"], "conflicts": [1]},
        {"id": 1, "size": 8, "alignment": 16, "pools": ["sram"], "conflicts": [0]},
        {"id": 2, "size": 30, "alignment": 4, "pools": ["psram"], "conflicts": []},
    ]
}


def test_csv_gains_offsets(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(CSV)
    result = CliRunner().invoke(main, ["plan", str(tmp_path / "in.csv"), "-o", str(tmp_path / "out.csv"), "--json"])
    assert result.exit_code == 0, result.output
    (pool,) = json.loads(result.stdout)["pools"]
    assert (pool["bytes"], pool["lower_bound_bytes"], pool["proven_optimal"]) == (12, 12, True)
    assert (tmp_path / "out.csv").read_text().splitlines()[0] == "id,lower,upper,size,offset"


def test_over_capacity_is_exit_3(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(CSV)
    result = CliRunner().invoke(main, ["plan", str(tmp_path / "in.csv"), "--capacity", "10"])
    assert result.exit_code == 3
    assert "pool 'workspace' is 2 bytes short" in result.stderr


def test_conflicts_alignments_and_pools(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(json.dumps(JSON))
    result = CliRunner().invoke(main, ["plan", str(tmp_path / "in.json"), "--json"])
    assert result.exit_code == 0, result.output
    places = {b["id"]: (b["pool"], b["offset"]) for b in json.loads(result.stdout)["buffers"]}
    assert places == {"0": ("sram", 16), "1": ("sram", 0), "2": ("psram", 0)}, "the smaller one below wastes least"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("in.csv", "id,size\n1,2\n", "must name the columns"),
        ("in.csv", "id,lower,upper,size\n1,0,x,2\n", "line 2: lower, upper and size must be whole numbers"),
        ("in.csv", "id,lower,upper,size\n1,3,3,2\n", "line 2: size must not be negative"),
        ("in.json", "{", "not a placement problem"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    result = CliRunner().invoke(main, ["plan", str(tmp_path / name)])
    assert result.exit_code == 1
    assert message in result.stderr
