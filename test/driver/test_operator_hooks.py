"""Calls of the application after each operator: in order, once each, and without another effect."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import models
import numpy as np
import pytest
import toolchain

from stillpool.driver.compile.compiled import CompiledSystem
from stillpool.driver.compile.prepare import prepare_all
from stillpool.driver.options.options import Request
from stillpool.run.samples import random_inputs

SECONDS = 0.05
"""What the planner may take where it is not asked for the least memory."""

HEARD = """\
#include "digits.h"
STILLPOOL_ALIGNED(16) static uint8_t memory[DIGITS_WORKSPACE_POOL_SIZE];
static int32_t next, wrong;
void digits_operator_done(int32_t position)
{
    wrong += position != next++;
}
int main(void)
{
    digits_workspace_pools pools = {memory};
    (void)digits_map_inputs(&pools);
    return digits_run(&pools) != DIGITS_OK || wrong != 0 || next != DIGITS_OPERATOR_COUNT;
}
"""


STREAMED = """\
    (void)digits_stream_begin(&stream);
    for (i = 0; i < DIGITS_INPUT_IMAGE_ROWS; ++i) {
        if (digits_push_rows(&stream, &pools, row, 1) != DIGITS_INPUT_IMAGE_ROWS - 1 - i) {
            return 1;
        }
    }
    return"""


@pytest.mark.parametrize("options", [{}, {"poison": True}], ids=str)
def test_operators_are_told_in_order(options: dict[str, Any], tmp_path: Path) -> None:
    made = models.compiled(profile_hooks=True, **options)
    toolchain.unpack({**made.code, "main.c": HEARD.encode()}, tmp_path)
    sources = ["main.c", *(path for path in made.code if path.endswith(".c"))]
    program = toolchain.build(tmp_path, "gcc", ("-std=c99", *toolchain.SANITISERS), sources)
    assert subprocess.run([program], check=False).returncode == 0
    count = len(made.manifest["operators"])
    assert count == 9
    assert f"#define DIGITS_OPERATOR_COUNT {count}\n" in made.code["include/digits.h"].decode()


@pytest.mark.parametrize("options", [{}, {"poison": True}, {"optimize": "ram", "target": "cortex-m4"}], ids=str)
def test_rows_are_told_in_order(options: dict[str, Any], tmp_path: Path) -> None:
    rows = {} if "optimize" in options else {"rows": "on"}
    options = {**options, **rows, "planner_seconds": SECONDS}
    made, plain = (models.compiled(profile_hooks=told, **options) for told in (True, False))
    toolchain.unpack({**made.code, "main.c": HEARD.encode()}, tmp_path)
    sources = ["main.c", *(path for path in made.code if path.endswith(".c"))]
    program = toolchain.build(tmp_path, "gcc", ("-std=c99", *toolchain.SANITISERS), sources)
    assert subprocess.run([program], check=False).returncode == 0
    operators = made.manifest["operators"]
    assert len(operators) > 30
    first = [entry["row"] for entry in operators if entry["index"] == operators[0]["index"]]
    assert first == list(range(8))
    inputs = random_inputs(plain.description, 2, 0)
    for name, values in plain.execute(inputs).outputs.items():
        np.testing.assert_array_equal(made.execute(inputs).outputs[name], values)


def test_an_input_row_by_row_tells_of_each_stage(tmp_path: Path) -> None:
    made = models.compiled(profile_hooks=True, stream_input="image", planner_seconds=SECONDS)
    begin = "digits_stream stream;\n    static int8_t row[8];\n    int i;"
    main = HEARD.replace("(void)digits_map_inputs(&pools);", begin)
    main = main.replace("    return digits_run(&pools) != DIGITS_OK ||", STREAMED)
    toolchain.unpack({**made.code, "main.c": main.encode()}, tmp_path)
    sources = ["main.c", *(path for path in made.code if path.endswith(".c"))]
    program = toolchain.build(tmp_path, "gcc", ("-std=c99", *toolchain.SANITISERS), sources)
    assert subprocess.run([program], check=False).returncode == 0


def test_nothing_else_changes() -> None:
    plain, told = models.compiled(), models.compiled(profile_hooks=True)
    inputs = random_inputs(plain.description, 2, 0)
    for name, values in plain.execute(inputs).outputs.items():
        np.testing.assert_array_equal(told.execute(inputs).outputs[name], values)
    for part in ("pools", "buffers", "operators"):
        assert told.manifest[part] == plain.manifest[part]
    assert b"operator_done" not in b"".join(plain.files.values())


def test_a_hook_comes_before_what_the_application_does_on_a_release() -> None:
    made = models.compiled(profile_hooks=True, input_released_callback=True, keep_inputs=True)
    network = made.code["src/digits.c"].decode().split("digits_network(")[1]
    assert 0 < network.index("digits_operator_done(0)") < network.index("digits_input_released(0)")


def test_what_the_header_declares_is_not_declared_again(tmp_path: Path) -> None:
    made = models.compiled(profile_hooks=True, input_released_callback=True)
    toolchain.unpack(made.code, tmp_path)
    strict = ("-std=c99", "-Wredundant-decls", "-Werror", "-Iinclude", "-fsyntax-only", "src/digits.c")
    subprocess.run(["gcc", *strict], cwd=tmp_path, check=True)
    network = made.code["src/digits.c"].decode()
    assert "digits_operator_done(0);" in network
    assert "digits_input_released(0);" in network


def test_models_of_one_plan_tell_each_by_its_own_function() -> None:
    requested = prepare_all([Request(models.example(), "left"), Request(models.example(), "right")], profile_hooks=True)
    system = requested.result()
    assert isinstance(system, CompiledSystem), "two models were given"
    for name, other in (("left", "right"), ("right", "left")):
        text = system.code[f"src/{name}.c"].decode()
        assert f"{name}_operator_done(8)" in text
        assert f"{other}_operator_done" not in text
    together = requested.text("c")
    assert "left_operator_done(8)" in together
    assert "right_operator_done(8)" in together
