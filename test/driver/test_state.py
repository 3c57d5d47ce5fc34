"""State that lasts from one run to the next: its pool, `<m>_reset`, and models that share memory with it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import models
import numpy as np
import pytest
import toolchain
from stateful import counter

import stillpool
from stillpool.driver.options.options import Request
from stillpool.driver.options.pool_spec import parse_pool
from stillpool.errors import StillpoolError
from stillpool.run.system import System

INPUTS = np.array([[5, -6, 7], [1, 1, 1], [-100, 100, 0]], np.int8)
STEPS = np.array([[1, 2, -3], [2, 3, -2], [3, 4, -1]])
EXPECTED = INPUTS.cumsum(0, dtype=np.int32) + 10 * STEPS
FORMS: list[dict[str, Any]] = [
    {},
    {"builtin_pools": True},
    {"workspace_io": "none"},
    {"pins": ["steps=workspace"], "pools": ["workspace"]},
    {"pools": ["one:size=12", "two"]},
    {"poison": True},
]


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_state_goes_on_from_sample_to_sample(options: dict[str, Any]) -> None:
    artifact = stillpool.compile(counter(), **options)
    for repeats in (0, 2):
        np.testing.assert_array_equal(artifact.execute({"x": INPUTS}, repeats=repeats).outputs["y"], EXPECTED)


@pytest.mark.parametrize("options", FORMS, ids=str)
@pytest.mark.parametrize(("compiler", "dialect"), toolchain.CASES)
def test_the_project_tests_itself(
    options: dict[str, Any], compiler: str, dialect: tuple[str, ...], tmp_path: Path
) -> None:
    files = stillpool.compile(counter(), **options).files
    toolchain.unpack(files, tmp_path)
    sources = [path for path in files if path.endswith(".c")]
    program = toolchain.build(tmp_path, compiler, (*dialect, "-O1", *toolchain.SANITISERS), sources)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_state_has_a_pool_of_its_own() -> None:
    manifest = stillpool.compile(counter()).manifest
    assert [(pool["name"], pool["bytes"], pool["persistent"]) for pool in manifest["pools"]] == [
        ("workspace", 12, False),
        ("state", 18, True),
    ]
    kinds = {buffer["name"]: (buffer["kind"], buffer["pool"]) for buffer in manifest["buffers"]}
    assert kinds["total"] == kinds["steps"] == ("state", "state")
    named = stillpool.compile(counter(), pools=[parse_pool("backup:size=64", "state")])
    assert [pool["name"] for pool in named.manifest["pools"]] == ["backup", "workspace"]
    with pytest.raises(StillpoolError, match="there is no workspace pool @state"):
        stillpool.compile(counter(), pins=["y=state"], pools=["workspace", _state_pool()])
    with pytest.raises(StillpoolError, match="@state is not persistent"):
        stillpool.compile(counter(), pools=["state"])


def _state_pool() -> Any:
    return parse_pool("state", "state")


CALLER = """\
#include "left.h"
#include "right.h"
#include "digits.h"
#include <string.h>
STILLPOOL_ALIGNED(16) static uint8_t memory[LEFT_WORKSPACE_WORKSPACE_POOL_SIZE];
STILLPOOL_ALIGNED(16) static uint8_t kept[LEFT_STATE_WORKSPACE_POOL_SIZE];
static const int8_t inputs[3][3] = {{5, -6, 7}, {1, 1, 1}, {-100, 100, 0}};
static const int32_t outputs[3][3] = {EXPECTED};
int main(void)
{
    left_workspace_pools a = {memory, kept};
    right_workspace_pools b = {memory, kept};
    digits_workspace_pools c = {memory};
    int round, sample;
    (void)right_reset(&b);
    for (round = 0; round < 3; ++round) {
        int32_t first[3], second[3];
        if (left_reset(&a) != LEFT_OK) {
            return 1;
        }
        for (sample = 0; sample < 3; ++sample) {
            memcpy(left_map_inputs(&a).x, inputs[sample], sizeof inputs[sample]);
            if (left_run(&a) != LEFT_OK || memcmp(left_map_outputs(&a).y, outputs[sample], sizeof first) != 0) {
                return 2;
            }
            /* Between calls the workspace is the application's, and other models'. */
            memset(memory, round + sample, sizeof memory);
            if (digits_run(&c) != DIGITS_OK) {
                return 3;
            }
            memset(right_map_inputs(&b).x, 0, 3);
            if (right_run(&b) != RIGHT_OK) {
                return 4;
            }
            memcpy(second, right_map_outputs(&b).y, sizeof second);
            if (second[0] != 10 * (1 + 3 * round + sample) || second[2] != second[0] - 40) {
                return 5;
            }
        }
    }
    a.state = NULL;
    if (left_reset(&a) != LEFT_ERROR_NULL_POOL || left_reset(NULL) != LEFT_ERROR_NULL_POOL) {
        return 6;
    }
    a.state = kept + 1;
    return left_reset(&a) == LEFT_ERROR_MISALIGNED_POOL ? 0 : 7;
}
"""


@pytest.mark.parametrize("concurrency", ["exclusive", "concurrent"])
def test_models_keep_their_state_while_others_run(concurrency: str, tmp_path: Path) -> None:
    system = stillpool.compile(
        [counter("left"), Request(models.example(), "digits"), counter("right")], concurrency=concurrency
    )
    assert isinstance(system, System), "several models were given"
    sizes = {pool["name"]: pool["bytes"] for pool in system.manifest["pools"]}
    assert sizes["state"] in (36, 18 + 32)
    rows = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in EXPECTED.tolist())
    toolchain.unpack({**system.code, "main.c": CALLER.replace("EXPECTED", rows).encode()}, tmp_path)
    sources = ["main.c", *(path for path in system.code if path.endswith(".c"))]
    program = toolchain.build(tmp_path, "gcc", ("-std=c99", *toolchain.SANITISERS), sources)
    assert subprocess.run([program], check=False).returncode == 0


@pytest.mark.parametrize("stateless_first", [True, False])
@pytest.mark.parametrize("builtin", [False, True])
def test_a_stateless_model_knows_nothing_of_its_neighbours_state(stateless_first: bool, builtin: bool) -> None:
    models_: list[Any] = [Request(models.example(), "digits"), counter()]
    system = stillpool.compile(models_ if stateless_first else models_[::-1], builtin_pools=builtin)
    assert isinstance(system, System), "several models were given"
    assert [pool["name"] for pool in system.manifest["pools"]] == ["workspace", "state"]
    by_name = {artifact.description.name: artifact for artifact in system.artifacts}
    digits, stateful = by_name["digits"], by_name["counter"]
    assert [pool["name"] for pool in digits.manifest["pools"]] == ["workspace"]
    assert "state;" not in digits.sources.header
    assert "digits_state_pool" not in digits.sources.source
    # Both are linked with all of the system's sources, and run.
    image = np.zeros((1, 8, 8), np.int8)
    alone = stillpool.compile(models.example(), name="digits").run({"image": image})
    np.testing.assert_array_equal(digits.run({"image": image})["scores"], alone["scores"])
    answer = stateful.execute({"x": INPUTS})
    np.testing.assert_array_equal(answer.outputs["y"], EXPECTED)


ABSENT = """\
#include "counter.h"
#include "digits.h"
#include <stddef.h>
STILLPOOL_ALIGNED(16) static uint8_t small[COUNTER_SMALL_WORKSPACE_POOL_SIZE];
STILLPOOL_ALIGNED(16) static uint8_t large[DIGITS_LARGE_WORKSPACE_POOL_SIZE];
STILLPOOL_ALIGNED(16) static uint8_t kept[COUNTER_STATE_WORKSPACE_POOL_SIZE];
int main(void)
{
    counter_workspace_pools a = {small, NULL, kept};
    digits_workspace_pools b = {small, large};
    if (counter_reset(&a) != COUNTER_OK || counter_run(&a) != COUNTER_OK || digits_run(&b) != DIGITS_OK) {
        return 1;
    }
    b.large = NULL;
    if (digits_run(&b) != DIGITS_ERROR_NULL_POOL) {
        return 2;
    }
    a.small = NULL;
    return counter_run(&a) == COUNTER_ERROR_NULL_POOL ? 0 : 3;
}
"""


def test_a_pool_without_anything_of_the_model_may_be_null(tmp_path: Path) -> None:
    system = stillpool.compile(
        [counter(), Request(models.example(), "digits")], pools=["small:size=200,align=16", "large:align=16"]
    )
    toolchain.unpack({**system.code, "main.c": ABSENT.encode()}, tmp_path)
    sources = ["main.c", *(path for path in system.code if path.endswith(".c"))]
    program = toolchain.build(tmp_path, "gcc", ("-std=c99", *toolchain.SANITISERS), sources)
    assert subprocess.run([program], check=False).returncode == 0
    assert "nothing of this model lies there" in system.artifacts[0].sources.header
    assert "nothing of this model lies there" not in system.artifacts[1].sources.header
