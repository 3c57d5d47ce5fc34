"""What applications may rely on about inputs: kept, in two slots, refilled during the run."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import models
import numpy as np
import pytest
import toolchain
from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

import stillpool
from stillpool.driver import pipeline
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.options.options import Request
from stillpool.errors import StillpoolError, UsageError
from stillpool.run.samples import random_inputs
from stillpool.run.system import System

CONTRACTS: list[dict[str, Any]] = [
    {"keep_inputs": True},
    {"double_buffer_inputs": True},
    {"input_released_callback": True},
    {"keep_inputs": True, "input_released_callback": True},
    {"double_buffer_inputs": True, "input_released_callback": True, "builtin_pools": True},
    {"workspace_io": "none", "input_released_callback": True, "poison": True},
    {"workspace_io": "image", "double_buffer_inputs": True, "poison": True},
    {"keep_inputs": True, "pools": ["fast:size=900", "slow"]},
]
SAMPLES = 4


@pytest.mark.parametrize("options", CONTRACTS, ids=str)
def test_outputs_are_the_same(options: dict[str, Any]) -> None:
    plain = models.compiled()
    inputs = random_inputs(plain.description, SAMPLES, 0)
    made = models.compiled(**options)
    for name, values in plain.execute(inputs).outputs.items():
        np.testing.assert_array_equal(made.execute(inputs, repeats=1).outputs[name], values)


@pytest.mark.parametrize("options", CONTRACTS, ids=str)
@pytest.mark.parametrize(("compiler", "dialect"), toolchain.CASES)
def test_compiles_silently(options: dict[str, Any], compiler: str, dialect: tuple[str, ...], tmp_path: Path) -> None:
    files = models.compiled(**options).files
    toolchain.unpack(files, tmp_path)
    sources = [path for path in files if path.endswith(".c")]
    program = toolchain.build(tmp_path, compiler, (*dialect, "-O1", *toolchain.SANITISERS), sources)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def run_application(files: dict[str, bytes], text: str, folder: Path) -> int:
    """Exit code of an application that has the samples and their outputs at hand."""
    plain = models.compiled()
    inputs = random_inputs(plain.description, SAMPLES, 0)
    arrays = [("images", inputs["image"]), ("expected", plain.execute(inputs).outputs["scores"])]
    data = "".join(
        f"static const int8_t {name}[{SAMPLES}][{values[0].size}] = {{"
        + ", ".join("{" + ", ".join(map(str, row.reshape(-1))) + "}" for row in values)
        + "};\n"
        for name, values in arrays
    )
    main = f'#include "digits.h"\n#include <string.h>\n{data}{text}'
    toolchain.unpack({**files, "main.c": main.encode()}, folder)
    sources = ["main.c", *(path for path in files if path.endswith(".c"))]
    program = toolchain.build(folder, "gcc", ("-std=c99", *toolchain.SANITISERS), sources)
    return subprocess.run([program], check=False).returncode


POOL = "STILLPOOL_ALIGNED(16) static uint8_t memory[DIGITS_WORKSPACE_POOL_SIZE];\n"

KEPT = (
    POOL
    + """
int main(void)
{
    digits_workspace_pools pools = {memory};
    digits_inputs inputs = digits_map_inputs(&pools);
    int round;
    memcpy(inputs.image, images[1], sizeof images[1]);
    for (round = 0; round < 3; ++round) {
        if (digits_run(&pools) != DIGITS_OK || memcmp(inputs.image, images[1], sizeof images[1]) != 0) {
            return 1;
        }
        if (memcmp(digits_map_outputs(&pools).scores, expected[1], sizeof expected[1]) != 0) {
            return 2;
        }
    }
    return 0;
}
"""
)


@pytest.mark.parametrize("poison", [False, True])
def test_a_kept_input_is_run_again(poison: bool, tmp_path: Path) -> None:
    assert run_application(models.compiled(keep_inputs=True, poison=poison).code, KEPT, tmp_path) == 0
    plain = models.compiled(poison=poison).code
    assert run_application(plain, KEPT, tmp_path / "plain") != 0, "without the promise the input is gone"


SLOTS = (
    POOL
    + """
static digits_workspace_pools pools = {memory};
static int next;
/* Fills the slot that the run does not read, in the middle of the run, as a DMA channel would. */
void digits_input_released(int32_t input)
{
    if (input == DIGITS_INPUT_IMAGE_NUMBER) {
        memcpy(digits_map_inputs(&pools, next % 2).image, images[next], sizeof images[next]);
    }
}
int main(void)
{
    int sample;
    memcpy(digits_map_inputs(&pools, 0).image, images[0], sizeof images[0]);
    for (sample = 0; sample < 4; ++sample) {
        next = sample < 3 ? sample + 1 : 0;
        if (digits_run(&pools, sample % 2) != DIGITS_OK) {
            return 1;
        }
        if (memcmp(digits_map_outputs(&pools).scores, expected[sample], sizeof expected[sample]) != 0) {
            return 2;
        }
        if (memcmp(digits_map_inputs(&pools, sample % 2).image, images[sample], sizeof images[sample]) != 0) {
            return 3;
        }
    }
    if (digits_map_inputs(&pools, 2).image != NULL || digits_map_inputs(&pools, -1).image != NULL) {
        return 4;
    }
    return digits_run(&pools, 2) == DIGITS_ERROR_NO_SLOT ? 0 : 5;
}
"""
)


@pytest.mark.parametrize("poison", [False, True])
def test_one_slot_is_filled_while_the_other_is_read(poison: bool, tmp_path: Path) -> None:
    made = models.compiled(double_buffer_inputs=True, input_released_callback=True, poison=poison)
    assert run_application(made.code, SLOTS, tmp_path) == 0
    (given,) = made.manifest["inputs"]
    first, second = (slot["offset"] for slot in given["slots"])
    assert (given["offset"], abs(second - first) >= given["bytes"], given["released_after"]) == (first, True, 0)


REFILLED = (
    POOL
    + """
static digits_workspace_pools pools = {memory};
static int next, calls;
void digits_input_released(int32_t input)
{
    calls += input == DIGITS_INPUT_IMAGE_NUMBER;
    memcpy(digits_map_inputs(&pools).image, images[next], sizeof images[next]);
}
int main(void)
{
    int sample;
    memcpy(digits_map_inputs(&pools).image, images[0], sizeof images[0]);
    for (sample = 0; sample < 4; ++sample) {
        next = (sample + 1) % 4;
        if (digits_run(&pools) != DIGITS_OK || calls != sample + 1) {
            return 1;
        }
        if (memcmp(digits_map_outputs(&pools).scores, expected[sample], sizeof expected[sample]) != 0) {
            return 2;
        }
    }
    return 0;
}
"""
)


@pytest.mark.parametrize("options", [{}, {"poison": True}, {"keep_inputs": True}, {"overlap": "off"}], ids=str)
def test_a_released_input_is_refilled_during_the_run(options: dict[str, Any], tmp_path: Path) -> None:
    made = models.compiled(input_released_callback=True, **options)
    assert made.manifest["inputs"][0]["released_after"] is not None
    assert run_application(made.code, REFILLED, tmp_path) == 0


def test_the_release_is_late_where_the_bytes_are_used_again() -> None:
    (plain,) = models.compiled().manifest["inputs"]
    (kept,) = models.compiled(keep_inputs=True).manifest["inputs"]
    (owned,) = models.compiled(workspace_io="none").manifest["inputs"]
    assert (kept["released_after"], owned["released_after"]) == (0, 0)
    assert plain["released_after"] is None or plain["released_after"] > 0
    assert (plain["kept"], kept["kept"], owned["kept"]) == (False, True, True)
    assert plain["slots"] == kept["slots"] == []


def planned(**options: Any) -> ModuleOp:
    return prepare(models.example(), **options).module("pools")


def move(module: ModuleOp, kind: str, target: str, *, slot: int | None = None) -> None:
    """Move the first buffer of kind `target` to where the one of `kind` lies."""
    allocs = [op for op in module.walk() if isinstance(op, memref.AllocOp)]

    def found(wanted: str, number: int | None = None) -> memref.AllocOp:
        given = [op for op in allocs if f"#pool.kind<{wanted}>" == str(op.attributes["pool.kind"])]
        if number is not None:
            given = [op for op in given if op.attributes.get("pool.slot") == IntegerAttr(number, i64)]
        return given[0]

    found(target).attributes["pool.offset"] = found(kind, slot).attributes["pool.offset"]


@pytest.mark.parametrize("level", ["usmp-check", "usmp-materialize-offsets,usmp-check"])
@pytest.mark.parametrize(
    ("options", "slot"),
    [({"keep_inputs": True}, None), ({"double_buffer_inputs": True}, 0), ({"double_buffer_inputs": True}, 1)],
    ids=str,
)
def test_a_plan_that_destroys_an_input_is_refused(options: dict[str, Any], slot: int | None, level: str) -> None:
    module = planned(**options)
    pipeline.apply(module.clone(), pipeline.parsed(level), where="digits")
    move(module, "input", "output", slot=slot)
    with pytest.raises(StillpoolError, match=r"input 0|after '.*' was written over it"):
        pipeline.apply(module, pipeline.parsed(level), where="digits")


@pytest.mark.parametrize("level", ["usmp-check", "usmp-materialize-offsets,usmp-check"])
def test_a_release_that_comes_too_early_is_refused(level: str) -> None:
    module = planned()
    (release,) = [op for op in module.walk() if "pool.releases" in op.attributes]
    promise = release.attributes.pop("pool.releases")
    earlier = release.prev_op
    while earlier is not None and earlier.name != "func.call":
        earlier = earlier.prev_op
    assert earlier is not None, "the bytes of the input are used again after the first operator"
    earlier.attributes["pool.releases"] = promise
    with pytest.raises(StillpoolError, match=r"releases input 0 after func\.call, but"):
        pipeline.apply(module, pipeline.parsed(level), where="digits")


def test_inputs_of_the_caller_have_no_slots() -> None:
    with pytest.raises(UsageError, match="belong to the caller"):
        models.compiled(double_buffer_inputs=True, workspace_io="outputs")


SYSTEM = """\
#include "left.h"
#include "right.h"
#include <string.h>
STILLPOOL_ALIGNED(16) static uint8_t memory[LEFT_WORKSPACE_POOL_SIZE];
int main(void)
{
    left_workspace_pools a = {memory};
    right_workspace_pools b = {memory};
    int8_t image[LEFT_INPUT_IMAGE_COUNT], scores[LEFT_OUTPUT_SCORES_COUNT];
    int i, slot;
    for (i = 0; i < LEFT_INPUT_IMAGE_COUNT; ++i) {
        image[i] = (int8_t)(7 * i);
    }
    memcpy(left_map_inputs(&a, 0).image, image, sizeof image);
    memcpy(left_map_inputs(&a, 1).image, image, sizeof image);
    for (slot = 0; slot < 2; ++slot) {
        /* Both slots are there whatever the other model does, which keeps its own input too. */
        memcpy(right_map_inputs(&b).image, image, sizeof image);
        if (right_run(&b) != RIGHT_OK || memcmp(right_map_inputs(&b).image, image, sizeof image) != 0) {
            return 1;
        }
        memcpy(scores, right_map_outputs(&b).scores, sizeof scores);
        if (left_run(&a, slot) != LEFT_OK || memcmp(left_map_inputs(&a, 1 - slot).image, image, sizeof image) != 0) {
            return 2;
        }
        if (memcmp(left_map_outputs(&a).scores, scores, sizeof scores) != 0) {
            return 3;
        }
    }
    return 0;
}
"""


@pytest.mark.parametrize("concurrency", ["exclusive", "concurrent"])
@pytest.mark.parametrize("poison", [False, True])
def test_models_of_one_plan_have_contracts_of_their_own(concurrency: str, poison: bool, tmp_path: Path) -> None:
    requests = [
        Request(models.example(), "left", double_buffer_inputs=True),
        Request(models.example(), "right", keep_inputs=True),
    ]
    system = stillpool.compile(requests, concurrency=concurrency, poison=poison)
    assert isinstance(system, System), "two models were given"
    toolchain.unpack({**system.code, "main.c": SYSTEM.encode()}, tmp_path)
    sources = ["main.c", *(path for path in system.code if path.endswith(".c"))]
    program = toolchain.build(tmp_path, "gcc", ("-std=c99", *toolchain.SANITISERS), sources)
    assert subprocess.run([program], check=False).returncode == 0
