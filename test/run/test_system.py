"""Several models in one plan: their pools, their sources, what they pass on."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import models
import numpy as np
import pytest
import toolchain

from stillpool import compile, load
from stillpool.driver.options.options import Request
from stillpool.driver.options.pool_spec import parse_pool
from stillpool.errors import BudgetError, UsageError
from stillpool.run.system import System

sys.path.append(str(Path(__file__).parents[1] / "conformance"))
from tflite_build import Tensor, constant, one_operator, options

SCALE, ZERO = 0.125, 3


def dense(path: Path, inputs: int, outputs: int, names: tuple[str, str]) -> Path:
    """A model of one layer; all of them have one quantisation at both ends, so that they can follow each other."""
    rng = np.random.default_rng(inputs)
    weights = constant(rng.integers(-127, 128, (outputs, inputs), np.int8), (0.01,))
    ends = [
        Tensor((1, size), "int8", (SCALE,), (ZERO,), name=name)
        for size, name in zip((inputs, outputs), names, strict=True)
    ]
    path.write_bytes(one_operator("FULLY_CONNECTED", options("FullyConnected"), (ends[0], weights), ends[1]))
    return path


@pytest.fixture
def row(tmp_path: Path) -> list[Path]:
    """Three models, each of which takes what the one before gives."""
    return [
        dense(tmp_path / "first.tflite", 40, 24, ("x", "features")),
        dense(tmp_path / "second.tflite", 24, 16, ("features", "code")),
        dense(tmp_path / "third.tflite", 16, 5, ("words", "classes")),
    ]


def system(requests: Any, **given: Any) -> System:
    made = compile(requests, **given)
    assert isinstance(made, System)
    return made


def samples(artifact: Any, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {t["name"]: rng.integers(-128, 128, t["shape"], np.int8) for t in artifact.manifest["inputs"]}


@pytest.mark.parametrize("concurrency", ["exclusive", "concurrent", "pipeline"])
@pytest.mark.parametrize("builtin", [False, True])
def test_every_model_computes_what_it_does_alone(row: list[Path], concurrency: str, builtin: bool) -> None:
    made = system(row, concurrency=concurrency, builtin_pools=builtin)
    for path, artifact in zip(row, made.artifacts, strict=True):
        alone, given = compile(path), samples(artifact, 1)
        for name, values in alone.run(given).items():
            np.testing.assert_array_equal(artifact.run(given)[name], values)


def test_exclusive_models_need_the_largest_and_concurrent_ones_the_sum(row: list[Path]) -> None:
    sizes = [sum(pool["bytes"] for pool in compile(path).manifest["pools"]) for path in row]
    exclusive, concurrent = (system(row, concurrency=mode) for mode in ("exclusive", "concurrent"))
    assert exclusive.workspace_bytes == max(sizes)
    assert concurrent.workspace_bytes >= sum(sizes)
    assert exclusive.saving_bytes == sum(sizes) - max(sizes)
    assert exclusive.manifest["workspace_bytes_alone"] == dict(zip(("first", "second", "third"), sizes, strict=True))
    used = [
        {(b["offset"], b["offset"] + b["bytes"]) for b in artifact.manifest["buffers"]}
        for artifact in concurrent.artifacts
    ]
    for a, b in itertools.combinations(used, 2):
        assert all(last <= start or end <= first for first, last in a for start, end in b)


def test_a_pipeline_passes_on_in_place(row: list[Path], tmp_path: Path) -> None:
    made = system(row, concurrency="pipeline")
    assert made.links == ("first.features -> second.features", "second.code -> third.words")
    for one, after in itertools.pairwise(made.artifacts):
        (output,), (given,) = one.manifest["outputs"], after.manifest["inputs"]
        assert (output["pool"], output["offset"]) == (given["pool"], given["offset"])
    first = samples(made.artifacts[0], 2)["x"]
    value = first
    for path in row:
        (name,) = samples(compile(path), 0)
        (value,) = compile(path).run({name: value}).values()
    program = f"""
#include <stdio.h>
#include <string.h>
#include "first.h"
#include "second.h"
#include "third.h"
STILLPOOL_ALIGNED(16) static uint8_t memory[FIRST_WORKSPACE_WORKSPACE_POOL_SIZE];
static const int8_t sample[] = {{ {", ".join(map(str, first.reshape(-1)))} }};
int main(void) {{
    first_workspace_pools a = {{ memory }};
    second_workspace_pools b = {{ memory }};
    third_workspace_pools c = {{ memory }};
    int i, round;
    for (round = 0; round < 3; ++round) {{
        memcpy(first_map_inputs(&a).x, sample, sizeof sample);
        if (first_run(&a) != 0 || second_run(&b) != 0 || third_run(&c) != 0) {{
            return 1;
        }}
    }}
    for (i = 0; i < THIRD_OUTPUT_CLASSES_COUNT; ++i) {{
        printf("%d ", third_map_outputs(&c).classes[i]);
    }}
    return 0;
}}
"""
    toolchain.unpack({**made.code, "main.c": program.encode()}, tmp_path)
    sources = ["main.c", *(path for path in made.code if path.endswith(".c"))]
    built = toolchain.build(tmp_path, "gcc", ("-std=c99", *toolchain.SANITISERS), sources)
    done = subprocess.run([built], capture_output=True, text=True, check=True)
    assert [int(word) for word in done.stdout.split()] == list(value.reshape(-1))


def test_what_a_pipeline_passes_on_has_one_place(row: list[Path]) -> None:
    made = system(row[:2], concurrency="pipeline", double_buffer_inputs=True, keep_inputs=True)
    first, second = (artifact.manifest["inputs"][0] for artifact in made.artifacts)
    assert (len(first["slots"]), second["slots"]) == (2, [])
    assert first["kept"] is second["kept"] is True
    assert second["released_after"] is None, "the application does not fill it"
    buffers = [
        (b["offset"], b["offset"] + b["bytes"]) for artifact in made.artifacts for b in artifact.manifest["buffers"]
    ]
    for slot in first["slots"]:
        place = (slot["offset"], slot["offset"] + first["bytes"])
        assert sum(a < place[1] and place[0] < b for a, b in buffers) == 1
    for path, artifact in zip(row, made.artifacts, strict=False):
        given = samples(artifact, 4)
        for name, values in compile(path).run(given).items():
            np.testing.assert_array_equal(artifact.run(given)[name], values)


def test_a_project_file_says_what_holds_for_the_inputs_of_one_model(row: list[Path], tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(
        "[[model]]\npath = 'first.tflite'\nkeep-inputs = true\n[[model]]\npath = 'second.tflite'\n"
        "double-buffer-inputs = true\n"
    )
    command = [
        Path(sys.executable).with_name("stillpool"),
        "compile",
        "-c",
        tmp_path / "p.toml",
        "-o",
        tmp_path / "out",
    ]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    first, second = (model["inputs"][0] for model in json.loads(done.stdout)["models"])
    assert (first["kept"], first["slots"], len(second["slots"])) == (True, [], 2)
    (tmp_path / "p.toml").write_text("[[model]]\npath = 'first.tflite'\nkeep-inputs = 'yes'\n")
    refused = subprocess.run([*command], capture_output=True, text=True, check=False)
    assert (refused.returncode, "keep-inputs (true or false)" in refused.stderr.replace("\n", " ")) == (1, True)


def test_instances_share_their_constants(row: list[Path], tmp_path: Path) -> None:
    made = system([Request(row[0], "left"), Request(row[0], "right")], concurrency="concurrent")
    assert "src/left_data.c" in made.code
    assert "src/right_data.c" not in made.code
    for artifact in made.artifacts:
        given = samples(artifact, 3)
        np.testing.assert_array_equal(artifact.run(given)["features"], compile(row[0]).run(given)["features"])


def test_the_project_builds_and_tests_itself(row: list[Path], tmp_path: Path) -> None:
    pools = [parse_pool("sram"), parse_pool("flash", "constant")]
    made = system(row, pools=pools, concurrency="concurrent")
    made.write(tmp_path / "project")
    done = subprocess.run(["make", "-s", "-C", "test"], cwd=tmp_path / "project", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("PASS") == 3
    assert sorted(made.manifest["files"]) == []
    made.write(tmp_path / "project")


def test_limits_count_for_all_models_together(row: list[Path]) -> None:
    pool = parse_pool("sram:size=100")
    system(row, pools=[pool], concurrency="exclusive")
    with pytest.raises(BudgetError, match="sram"):
        system(row, pools=[pool], concurrency="concurrent")


def test_models_of_one_name_are_refused(row: list[Path]) -> None:
    with pytest.raises(UsageError, match="two models are called 'first'"):
        compile([row[0], row[0]])


def test_models_that_do_not_fit_together_are_no_pipeline(row: list[Path]) -> None:
    with pytest.raises(UsageError, match=r"'features' and input 'words' differ: int8 1x24 and int8 1x16"):
        compile([row[0], row[2]], concurrency="pipeline")
    with pytest.raises(UsageError, match="belongs to the caller"):
        compile(row, concurrency="pipeline", workspace_io="none")


def test_a_model_has_options_of_its_own(row: list[Path]) -> None:
    made = system([Request(load(row[0]), workspace_io="none"), row[1]])
    first, second = made.artifacts
    assert first.manifest["inputs"][0]["pool"] is None
    assert second.manifest["inputs"][0]["pool"] == "workspace"


def test_one_model_in_a_list_is_one_model() -> None:
    assert not isinstance(compile([models.example()]), System)
