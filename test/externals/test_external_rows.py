"""External functions compute whole tensors, while the operators around them run row by row."""

# pyright: reportMissingImports=false
# Modules beside this folder are found at run time.

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from branches import ACCELERATOR, ASYNCHRONOUS, DIGITS
from models import compiled
from toolchain import CASES, SANITISERS, build, unpack

import stillpool
from stillpool.errors import UsageError
from stillpool.run.artifact import Artifact

LAST = "*conv2d_2*=accelerator_conv:scratch=256,align=16"
FAILING = r"""
#include <stdio.h>
#include "digits.h"
#include "digits_external.h"

STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) static uint8_t pool[DIGITS_WORKSPACE_WORKSPACE_POOL_SIZE];
static int8_t image[DIGITS_INPUT_IMAGE_COUNT];
static int calls;

STILLPOOL_EXTERNAL int32_t failing(const stillpool_external_conv2d *op, const int8_t *input, const int8_t *filter,
    const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    (void)op;
    (void)input;
    (void)filter;
    (void)bias;
    (void)output;
    (void)scratch;
    (void)device;
    ++calls;
    return 7;
}

int main(void)
{
    digits_workspace_pools pools = {pool};
    digits_inputs inputs = {image};
    digits_stream stream;
    int32_t row, said = 0;
    (void)digits_stream_begin(&stream);
    for (row = 0; row < DIGITS_INPUT_IMAGE_ROWS && said >= 0; ++row) {
        said = digits_push_rows(&stream, &pools, image + row * DIGITS_INPUT_IMAGE_ROW_COUNT, 1);
    }
    printf("%d %d ", (int)said, calls);
    calls = 0;
    said = digits_run(&inputs, &pools);
    printf("%d %d", (int)said, calls);
    return said == DIGITS_ERROR_EXTERNAL ? 0 : 1;
}
"""


def made(pattern: str = LAST, **options: object) -> Artifact:
    # The least memory is not asked for here.
    return compiled(DIGITS, externals=(pattern,), external_sources=(ACCELERATOR,), planner_seconds=0.05, **options)


@pytest.mark.parametrize("pattern", [LAST, "conv_2d=accelerator_conv:scratch=256,align=16"])
@pytest.mark.parametrize("options", [{"rows": "on"}, {"rows": "auto"}, {"stream_input": "image"}], ids=str)
def test_outputs_are_those_of_whole_operators(pattern: str, options: dict[str, str]) -> None:
    artifact = made(pattern, **options)
    image = np.random.default_rng(3).integers(-128, 128, (1, 8, 8)).astype(np.int8)
    for name, values in compiled().run({"image": image}).items():
        np.testing.assert_array_equal(artifact.run({"image": image})[name], values)


def test_operators_around_it_run_by_rows() -> None:
    whole, rows = (sum(pool.bytes for pool in made(rows=way).description.pools) for way in ("off", "on"))
    assert rows < whole // 2
    operators = made(rows="on").description.operators
    assert [o.row for o in operators if "conv2d_2" in o.name] == [None]
    assert any(o.row is not None for o in operators)


def test_a_device_works_beside_rows() -> None:
    sources = (ACCELERATOR, ASYNCHRONOUS)
    asked = ("*conv2d_2*=device_conv:scratch=256,align=32,device=npu,async",)
    artifact = compiled(DIGITS, externals=asked, external_sources=sources, rows="on", planner_seconds=0.05)
    assert any(operator.row is not None for operator in artifact.description.operators)
    image = {"image": np.random.default_rng(3).integers(-128, 128, (1, 8, 8)).astype(np.int8)}
    wanted = compiled().run(image)["scores"]
    stacked = {name: array[np.newaxis] for name, array in image.items()}
    found = artifact.program.run(stacked, timeout=600).outputs["scores"][0]
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(("compiler", "dialect"), CASES)
def test_an_error_ends_the_run_at_its_row(compiler: str, dialect: tuple[str, ...], tmp_path: Path) -> None:
    artifact = compiled(DIGITS, externals=("*conv2d_1*=failing",), stream_input="image", planner_seconds=0.05)
    unpack(artifact.code, tmp_path)
    (tmp_path / "main.c").write_text(FAILING)
    sources = ["main.c", "src/digits.c", "src/digits_data.c"]
    program = build(tmp_path, compiler, (*dialect, *SANITISERS), sources)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    pushed, pushes, run, runs = done.stdout.split()
    assert pushed == run
    assert (pushes, runs) == ("1", "1")


@pytest.mark.parametrize("wish", ["device=npu", "device=npu,async", "async"])
def test_rows_from_outside_and_devices_are_refused(wish: str) -> None:
    with pytest.raises(UsageError, match="--io stream=image goes with plain external functions"):
        stillpool.compile(DIGITS, externals=[f"conv_2d=f:{wish}"], stream_input="image")
