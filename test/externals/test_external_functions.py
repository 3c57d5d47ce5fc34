"""Operators that C functions of the application compute: what they are told, what they get, what they return."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from branches import ACCELERATOR, DIGITS, images, status, two_branches
from click.testing import CliRunner
from toolchain import CASES, SANITISERS

import stillpool
from stillpool.cli import main
from stillpool.errors import StillpoolError, UsageError

CONV = "conv_2d=accelerator_conv:scratch=256,align=16"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The model of two branches."""
    path = tmp_path / "branches.tflite"
    path.write_bytes(two_branches())
    return path


def test_digits_with_the_accelerator_are_those_of_tflite_micro() -> None:
    words = [
        *("verify", str(DIGITS), "--json", "--samples", "3", "--external", CONV),
        *("--external-source", str(ACCELERATOR), "--workspace-pool", "sram"),
    ]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["exact"]


@pytest.mark.parametrize("pattern", ["conv_2d", "conv2d", "convolved", "conv*", "convolv?d"])
def test_operators_are_found_by_kind_and_by_output(model: Path, pattern: str) -> None:
    made = stillpool.compile(
        model, externals=[f"{pattern}=accelerator_conv:scratch=64"], external_sources=[ACCELERATOR]
    )
    plain = stillpool.compile(model)
    for image in images(2):
        assert (made.run(image)["sum"] == plain.run(image)["sum"]).all()
    source = made.files["src/branches.c"].decode()
    assert "accelerator_conv(&external_0" in source
    assert "conv2d_0" not in source


def test_scratch_and_buffers_are_where_the_function_asks(model: Path) -> None:
    pools = ["fast:size=4096", "sram:align=64"]
    asked = "conv_2d=accelerator_conv:scratch=64,align=64,pool=sram"
    made = stillpool.compile(model, externals=[asked], external_sources=[ACCELERATOR], pools=pools)
    placed = {buffer["name"]: buffer for buffer in made.manifest["buffers"]}
    for name in ("x", "convolved", "accelerator_conv_scratch"):
        assert placed[name]["pool"] == "sram"
        assert placed[name]["offset"] % 64 == 0
    assert placed["largest"]["pool"] == "fast", "what no device touches stays in the pool that is preferred"
    assert placed["accelerator_conv_scratch"]["kind"] == "scratch"
    assert placed["accelerator_conv_scratch"]["bytes"] == 64
    # x is read while convolved and scratch are written: none of their lines are shared.
    lines = [
        set(range(b["offset"] // 64, -(-(b["offset"] + b["bytes"]) // 64)))
        for b in map(placed.get, placed)
        if b["name"] in ("x", "convolved", "accelerator_conv_scratch")
    ]
    assert sum(map(len, lines)) == len(set().union(*lines))


def test_aligned_buffers_own_their_cache_lines(model: Path) -> None:
    made = stillpool.compile(model, alignments=["largest=32", "mean=32"], overlap="off")
    placed = {buffer["name"]: buffer for buffer in made.manifest["buffers"]}
    assert placed["largest"]["offset"] % 32 == 0
    assert made.manifest["pools"][0]["alignment"] == 32
    end = placed["largest"]["offset"] + 160
    assert placed["largest"]["bytes"] == 144
    for name in ("convolved", "mean"):
        other = placed[name]
        assert other["offset"] >= end or other["offset"] + other["bytes"] <= placed["largest"]["offset"]


def test_an_error_of_a_function_is_what_a_run_returns(model: Path, tmp_path: Path) -> None:
    made = stillpool.compile(model, externals=["conv_2d=accelerator_conv:scratch=8"], external_sources=[ACCELERATOR])
    assert status(made, tmp_path / "c") == "-10", "eight bytes of scratch are too few for the accelerator"
    assert "BRANCHES_ERROR_EXTERNAL (-10)" in made.files["include/branches.h"].decode()


@pytest.mark.parametrize(("compiler", "dialect"), CASES)
def test_the_project_compiles_without_warnings(
    model: Path, tmp_path: Path, compiler: str, dialect: tuple[str, ...]
) -> None:
    made = stillpool.compile(model, externals=[CONV], external_sources=[ACCELERATOR])
    assert status(made, tmp_path / "c", compiler, (*dialect, *SANITISERS)) == "0"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("dense=f", "'dense=f' matches none of the 4 operators; there are add, average_pool_2d, conv_2d, max_pool_2d"),
        ("convolve=f", "matches none of the 4 operators; close are 'convolved'"),
        ("conv_2d=2fast", "'2fast' is no name of a C function"),
        ("conv_2d=int", "'int' is no name of a C function"),
        ("conv_2d=", "is not PATTERN=FUNCTION"),
        ("conv_2d=f:pool=ocram", "there is no pool @ocram; declared are none"),
        ("conv_2d=f:align=24", "alignment '24' is no power of two"),
        ("conv_2d=f:scratch=much", "scratch 'much' is no number of bytes"),
        ("conv_2d=f:device=n-pu", "device 'n-pu' is no name in C"),
        ("conv_2d=f:speed=9", "'speed=9' is none of scratch=BYTES"),
        ("someone", "no installed package has patterns of that name"),
        ("*pool*=f", "f would be called in two ways"),
    ],
)
def test_mistakes_are_told_in_one_line(model: Path, asked: str, words: str) -> None:
    with pytest.raises(StillpoolError) as caught:
        stillpool.compile(model, externals=[asked])
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"externals": [CONV, CONV]}, "is given twice"),
        ({"workspace_io": "none"}, "its buffer 'x' belongs to the caller"),
        ({"alignments": ["x=3"]}, "'x=3' is not TENSOR=N with N a power of two"),
        ({"alignments": ["y=32"]}, "'y=32' matches none of"),
    ],
)
def test_what_does_not_go_together_is_refused(model: Path, options: dict[str, object], words: str) -> None:
    with pytest.raises(StillpoolError) as caught:
        stillpool.compile(model, **{"externals": [CONV], **options})
    assert words in str(caught.value)


def test_functions_need_operators(model: Path) -> None:
    with pytest.raises(UsageError, match="--source has no effect"):
        stillpool.compile(model, external_sources=[ACCELERATOR])
