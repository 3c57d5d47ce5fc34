"""The native header, wrapper and test programs around a network written by hand."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import handmade
import numpy as np
import pytest
import toolchain

from stillpool.run.host import HostProgram
from stillpool.run.samples import linear_congruential
from stillpool.targets.interfaces.native import Native, header
from stillpool.targets.projects import self_test

FORMS = [
    handmade.native(inside=inside, builtin=builtin) for inside in ("", "i", "o", "io") for builtin in (False, True)
]
IDS = [
    f"{(made.model.caller_owned('input') and 'x') or 'i'}{(made.model.caller_owned('output') and 'x') or 'o'}"
    f"{'-builtin' if made.builtin_pools else ''}"
    for made in FORMS
]


def golden(made: Native, wrong: int = 0) -> self_test.Golden:
    """The expected outputs of the self-test, the first of them off by `wrong`."""
    tensor, state, rows = made.model.inputs[0], self_test.SEED, []
    for _ in range(self_test.SAMPLES):
        array, state = linear_congruential(tensor, state)
        rows.append(array + np.int8(1))
    stacked = np.stack(rows)
    stacked.flat[0] += wrong
    return self_test.Golden("by hand", self_test.SAMPLES, (stacked,))


@pytest.mark.parametrize("made", FORMS, ids=IDS)
def test_runs_in_every_form(made: Native) -> None:
    inputs = np.arange(-9, 9, dtype=np.int8).reshape(3, 2, 3)
    execution = HostProgram(made, handmade.code(made)).run({"serving/x:0": inputs}, repeats=2)
    np.testing.assert_array_equal(execution.outputs["y"], inputs + 1)
    assert len(execution.microseconds) == 9


@pytest.mark.parametrize(("compiler", "dialect"), toolchain.CASES)
@pytest.mark.parametrize("made", FORMS, ids=IDS)
def test_self_test_passes_without_warnings(
    made: Native, compiler: str, dialect: tuple[str, ...], tmp_path: Path
) -> None:
    toolchain.unpack(handmade.code(made), tmp_path)
    (tmp_path / "test.c").write_text(self_test.self_test(made, golden(made)))
    sources = ["test.c", "src/plus_one.c", "src/plus_one_data.c"]
    program = toolchain.build(tmp_path, compiler, (*dialect, *toolchain.SANITISERS), sources)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "PASS: 3 samples equal the golden outputs\n"


def test_self_test_finds_a_wrong_value(tmp_path: Path) -> None:
    made = handmade.native(inside="io")
    toolchain.unpack(handmade.code(made), tmp_path)
    (tmp_path / "test.c").write_text(self_test.self_test(made, golden(made, wrong=1)))
    program = toolchain.build(tmp_path, "gcc", ("-std=c99",), ["test.c", "src/plus_one.c"])
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("FAIL: sample 0, output y[0]:")


def test_self_test_finds_a_write_beside_the_pool(tmp_path: Path) -> None:
    made = handmade.native(inside="io")
    files = handmade.code(made)
    files["src/plus_one.c"] = files["src/plus_one.c"].replace(b"workspace + 64", b"workspace + 126")
    toolchain.unpack(files, tmp_path)
    (tmp_path / "test.c").write_text(self_test.self_test(made, golden(made)))
    program = toolchain.build(tmp_path, "gcc", ("-std=c99",), ["test.c", "src/plus_one.c"])
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == "FAIL: bytes beside pool workspace were written\n"


CALLER = """\
#include "plus_one.h"
#include <stddef.h>
int main(void)
{
    STILLPOOL_ALIGNED(PLUS_ONE_WORKSPACE_POOL_ALIGN) static uint8_t memory[PLUS_ONE_WORKSPACE_POOL_SIZE + 16];
    int8_t in[PLUS_ONE_INPUT_SERVING_X_0_COUNT] = {0}, out[PLUS_ONE_OUTPUT_Y_COUNT];
    plus_one_workspace_pools pools = { memory };
    plus_one_inputs inputs = { in };
    plus_one_outputs outputs = { out };
    if (plus_one_run(&inputs, &outputs, &pools) != PLUS_ONE_OK || out[5] != 1) return 1;
    if (plus_one_run(&inputs, &outputs, NULL) != PLUS_ONE_ERROR_NULL_POOL) return 2;
    if (plus_one_run(NULL, &outputs, &pools) != PLUS_ONE_ERROR_NULL_INPUT) return 3;
    inputs.serving_x_0 = NULL;
    if (plus_one_run(&inputs, &outputs, &pools) != PLUS_ONE_ERROR_NULL_INPUT) return 4;
    inputs.serving_x_0 = in;
    outputs.y = NULL;
    if (plus_one_run(&inputs, &outputs, &pools) != PLUS_ONE_ERROR_NULL_OUTPUT) return 5;
    outputs.y = out;
    pools.workspace = memory + 8;
    if (plus_one_run(&inputs, &outputs, &pools) != PLUS_ONE_ERROR_MISALIGNED_POOL) return 6;
    pools.workspace = NULL;
    if (plus_one_run(&inputs, &outputs, &pools) != PLUS_ONE_ERROR_NULL_POOL) return 7;
    if (PLUS_ONE_INPUT_SERVING_X_0_SIZE != 6 || PLUS_ONE_OUTPUT_Y_ZERO_POINT != 4) return 8;
    if (PLUS_ONE_INPUT_SERVING_X_0_ZERO_POINT != -3 || PLUS_ONE_INPUT_SERVING_X_0_SCALE != 0.5f) return 9;
    return 0;
}
"""


@pytest.mark.parametrize(("compiler", "dialect"), toolchain.CASES)
def test_refuses_bad_pointers(compiler: str, dialect: tuple[str, ...], tmp_path: Path) -> None:
    toolchain.unpack(handmade.code(handmade.native()), tmp_path)
    (tmp_path / "main.c").write_text(CALLER)
    program = toolchain.build(tmp_path, compiler, dialect, ["main.c", "src/plus_one.c"])
    assert subprocess.run([program], check=False).returncode == 0


MAPPED = """\
#include "plus_one.h"
#include <stddef.h>
int main(void)
{
    static uint8_t memory[PLUS_ONE_WORKSPACE_POOL_SIZE];
    plus_one_workspace_pools pools = { memory };
    plus_one_workspace_pools empty = { NULL };
    if ((uint8_t *)plus_one_map_inputs(&pools).serving_x_0 != memory) return 1;
    if ((uint8_t *)plus_one_map_outputs(&pools).y != memory + 32) return 2;
    if (plus_one_map_inputs(&empty).serving_x_0 != NULL || plus_one_map_outputs(NULL).y != NULL) return 3;
    return 0;
}
"""


def test_maps_inputs_and_outputs(tmp_path: Path) -> None:
    toolchain.unpack(handmade.code(handmade.native(inside="io")), tmp_path)
    (tmp_path / "main.c").write_text(MAPPED)
    program = toolchain.build(tmp_path, "gcc", ("-std=c99",), ["main.c", "src/plus_one.c"])
    assert subprocess.run([program], check=False).returncode == 0


def test_names_cannot_break_out_of_comments() -> None:
    made = handmade.native()
    nasty = replace(made.model, name='evil */ int x; /* "\n??/ \\')
    text = header(Native(nasty))
    assert "\n??/" not in text
    assert "evil * / int x; / *" in text
