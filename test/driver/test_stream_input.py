"""Inputs that come row by row: the same outputs in whatever portions, and errors that damage nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import models
import pytest
import toolchain

import stillpool
from stillpool.driver.compile.prepare import prepare
from stillpool.errors import StillpoolError, UsageError

DIGITS = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
#include "digits.h"

STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) static uint8_t pool[DIGITS_WORKSPACE_WORKSPACE_POOL_SIZE];
static int8_t image[DIGITS_INPUT_IMAGE_COUNT];
static int8_t expected[DIGITS_OUTPUT_SCORES_COUNT];
static int check(int32_t found, int32_t wanted, const char *what)
{
    if (found != wanted) {
        printf("%s: %d, not %d\n", what, (int)found, (int)wanted);
    }
    return found != wanted;
}

int main(void)
{
    digits_workspace_pools pools = {pool};
    digits_workspace_pools nothing = {NULL};
    digits_inputs inputs = {image};
    digits_outputs outputs = digits_map_outputs(&pools);
    digits_stream stream = {99};
    int portion, i, wrong = 0;

    for (i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
        image[i] = (int8_t)(i * 37 % 251 - 128);
    }
    wrong += check(digits_run(&inputs, &pools), DIGITS_OK, "run");
    memcpy(expected, outputs.scores, sizeof expected);
    wrong += check(digits_push_rows(&stream, &pools, image, 1), DIGITS_ERROR_ROW_COUNT, "not begun");
    wrong += check(digits_stream_begin(NULL), DIGITS_ERROR_NULL_STREAM, "no stream to begin");
    for (portion = 1; portion <= DIGITS_INPUT_IMAGE_ROWS; ++portion) {
        int row = 0;
        memset(outputs.scores, 0, sizeof expected);
        wrong += check(digits_stream_begin(&stream), DIGITS_OK, "begin");
        while (row < DIGITS_INPUT_IMAGE_ROWS) {
            const int8_t *next = image + row * DIGITS_INPUT_IMAGE_ROW_COUNT;
            const int left = DIGITS_INPUT_IMAGE_ROWS - row, count = portion < left ? portion : left;
            wrong += check(digits_push_rows(&stream, &pools, next, left + 1), DIGITS_ERROR_ROW_COUNT, "too many");
            wrong += check(digits_push_rows(&stream, &pools, next, -1), DIGITS_ERROR_ROW_COUNT, "less than none");
            wrong += check(digits_push_rows(&stream, &pools, NULL, 1), DIGITS_ERROR_NULL_INPUT, "no rows");
            wrong += check(digits_push_rows(&stream, &nothing, next, 1), DIGITS_ERROR_NULL_POOL, "no pool");
            wrong += check(digits_push_rows(&stream, NULL, next, 1), DIGITS_ERROR_NULL_POOL, "no pools");
            wrong += check(digits_push_rows(NULL, &pools, next, 1), DIGITS_ERROR_NULL_STREAM, "no stream");
            wrong += check(digits_push_rows(&stream, &pools, next, 0), left, "none");
            row += count;
            wrong += check(digits_push_rows(&stream, &pools, next, count), left - count, "rows");
        }
        wrong += check(digits_push_rows(&stream, &pools, image, 1), DIGITS_ERROR_ROW_COUNT, "after the last");
        wrong += check(memcmp(expected, outputs.scores, sizeof expected), 0, "scores");
    }
    return wrong != 0;
}
"""


@pytest.mark.parametrize(("compiler", "dialect"), toolchain.CASES)
def test_rows_come_in_portions(compiler: str, dialect: tuple[str, ...], tmp_path: Path) -> None:
    artifact = models.compiled(DIGITS, stream_input="image", planner_seconds=0.05)
    toolchain.unpack(artifact.code, tmp_path)
    (tmp_path / "main.c").write_text(PROGRAM)
    sources = ["main.c", "src/digits.c", "src/digits_data.c"]
    program = toolchain.build(tmp_path, compiler, (*dialect, *toolchain.SANITISERS), sources)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_manifest_says_how_many_rows_there_are() -> None:
    (image,) = models.compiled(DIGITS, stream_input="image", planner_seconds=0.05).manifest["inputs"]
    assert (image["rows"], image["pool"]) == (8, None)
    (image,) = stillpool.compile(DIGITS).manifest["inputs"]
    assert image["rows"] == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"stream_input": "picture"}, "picture"),
        ({"interface": "tvm"}, "--interface"),
        ({"shims": ["table"]}, "--shim"),
        ({"poison": True}, "--poison"),
        ({"workspace_io": "scores,image"}, "--workspace-io image"),
        ({"double_buffer_inputs": True}, "--io double-buffer"),
        ({"keep_inputs": True}, "--io keep"),
        ({"input_released_callback": True}, "--io released-callback"),
    ],
)
def test_what_does_not_go_with_it_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        stillpool.compile(DIGITS, **{"stream_input": "image", **options})  # pyright: ignore[reportArgumentType, reportCallIssue]


def test_rows_fill_a_whole_tensor_where_no_more_rows_save_bytes() -> None:
    """Kws_hybrid needs all of an image before it can quantise it."""
    path = models.public("kws_hybrid")
    way = prepare(path, stream_input="input_1", planner_seconds=0.05).decided
    assert way.row_choice is not None
    whole = sum(prepare(path, planner_seconds=0.05).workspace_bytes().values())
    assert way.row_choice.whole_bytes == whole < (way.row_choice.row_bytes or 0)
    assert (way.row_choice.is_taken, way.plan.rows, way.plan.stream_input) == (False, "off", "input_1")


def test_one_row_is_none() -> None:
    scores = Path(__file__).resolve().parents[2] / "examples" / "novelty" / "novelty.tflite"
    model = stillpool.load(scores)
    with pytest.raises(StillpoolError, match="only what has two rows or more comes row by row"):
        stillpool.compile(model, stream_input=next(iter(model.inputs)))
