"""External functions behind the `ai` interface: handles of devices, hooks, errors, two models on one buffer."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from branches import ACCELERATOR, ASYNCHRONOUS, DIGITS, images, two_branches
from toolchain import CASES, SANITISERS, build, unpack

import stillpool
from stillpool.run.system import System

MAIN = """\
#include "ai_runtime_api.h"
#include "branches.h"
#include "branches_external.h"
#include <stdio.h>

AI_ALIGNED(64) static uint8_t activations[8192];
static int32_t calls, wrong, fails;
static char unit[] = "npu";

STILLPOOL_EXTERNAL int32_t accelerator_conv(const stillpool_external_conv2d *op, const int8_t *input,
    const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device);

int32_t device_conv(const stillpool_external_conv2d *op, const int8_t *input, const int8_t *filter,
    const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    ++calls;
    wrong += device != unit;
    return fails ? -1 : accelerator_conv(op, input, filter, bias, output, scratch, NULL);
}

static int32_t hook(void *device)
{
    wrong += device != unit;
    return 0;
}

int32_t npu_activate(void *device) { return hook(device); }
int32_t npu_open(void *device) { return hook(device); }
int32_t npu_close(void *device) { return hook(device); }
int32_t npu_deactivate(void *device) { return hook(device); }

static void run(ai_handle handle, int32_t seed)
{
    ai_tensor *const input = ai_get_input(handle, 0), *const output = ai_get_output(handle, 0);
    int8_t *values = (int8_t *)input->dltensor.data;
    uint32_t i;
    for (i = 0; i < get_tensor_elts(input); ++i) {
        values[i] = (int8_t)((int32_t)((i * 7U + (uint32_t)seed * 31U) % 256U) - 128);
    }
    printf("%d:", (int)ai_run(handle));
    values = (int8_t *)output->dltensor.data;
    for (i = 0; i < get_tensor_elts(output); ++i) {
        printf(" %d", values[i]);
    }
    printf("\\n");
}

int main(void)
{
    ai_handle handles[2];
    int32_t i, count = 0;
    ai_model_iterator it;
    for (it = ai_model_iterator_begin(); it != ai_model_iterator_end(); it = ai_model_iterator_next(it)) {
        ai_model_info *model = ai_model_iterator_value(it);
        if (ai_create(model, NULL, &handles[count]) != AI_STATUS_ERROR || ai_set_device(handles[count], 0, unit) == 0
            || ai_create(model, activations, &handles[count]) != AI_STATUS_OK) {
            return 1;
        }
        for (i = 0; i < ai_get_device_size(handles[count]); ++i) {
            printf("%s ", ai_get_device_name(handles[count], i));
            if (ai_set_device(handles[count], i, unit) != AI_STATUS_OK) {
                return 2;
            }
        }
        if (ai_set_device(handles[count], i, unit) == AI_STATUS_OK || ai_get_device_name(handles[count], i) != NULL
            || ai_set_device(handles[count], -1, unit) == AI_STATUS_OK || ai_get_device_name(NULL, 0) != NULL) {
            return 3;
        }
        ++count;
    }
    printf("%d %d\\n", (int)count, AI_BRANCHES_DEVICE_NPU);
    for (i = 0; i < 4; ++i) {
        run(handles[i % count], i / count);
    }
    fails = 1;
    printf("%d ", (int)ai_run(handles[0]));
    printf("%s\\n", ai_get_error(handles[0]));
    printf("%d %d\\n", (int)calls, (int)wrong);
    return 0;
}
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The model of two branches."""
    path = tmp_path / "branches.tflite"
    path.write_bytes(two_branches())
    return path


def expected(path: Path, seed: int) -> str:
    """What `run` of the program prints of a model."""
    made = stillpool.compile(path)
    (given,), (told,) = made.description.inputs, made.description.outputs
    values = ((np.arange(given.count) * 7 + seed * 31) % 256 - 128).astype(np.int8).reshape(given.shape)
    return f"0: {' '.join(map(str, made.run({given.name: values})[told.name].reshape(-1)))}"


@pytest.mark.parametrize(("compiler", "dialect"), CASES)
def test_models_take_turns_with_a_device(model: Path, tmp_path: Path, compiler: str, dialect: tuple[str, ...]) -> None:
    asked = ["conv_2d=device_conv:scratch=256,device=npu"]
    made = stillpool.compile([model, DIGITS], externals=asked, external_sources=[ACCELERATOR], interface="ai")
    assert isinstance(made, System)
    unpack({**made.files, "main.c": MAIN.encode()}, tmp_path / "c")
    sources = ["main.c", *(path for path in made.files if path.startswith("src/") and path.endswith(".c"))]
    program = build(tmp_path / "c", compiler, (*dialect, *SANITISERS), sources)
    done = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    first, *runs, failed, counts = done
    assert first == "npu npu 2 0"
    order = [model, DIGITS] if runs[0] == expected(model, 0) else [DIGITS, model]
    assert runs == [expected(order[i % 2], i // 2) for i in range(4)]
    assert failed.startswith("2 an external function")
    digits = made.artifacts[1].files["src/digits.c"].decode().count("->status = device_conv(")
    assert counts == f"{2 + 2 * digits + 1} 0", "the failing run ends at its first function"


@pytest.mark.parametrize("options", [{}, {"poison": True}, {"builtin_pools": True}, {"workspace_io": "none"}])
def test_it_computes_what_plain_code_does(model: Path, options: dict[str, Any]) -> None:
    asked = "conv_2d=accelerator_conv:scratch=256"
    made = stillpool.compile(model, externals=[asked], external_sources=[ACCELERATOR], interface="ai", **options)
    for image in images(2):
        assert (made.run(image)["sum"] == stillpool.compile(model).run(image)["sum"]).all()


def test_an_asynchronous_device_goes_with_it(model: Path) -> None:
    asked = "conv_2d=device_conv:scratch=64,align=32,device=npu,async"
    sources = [ASYNCHRONOUS, ACCELERATOR]
    made = stillpool.compile(model, externals=[asked], external_sources=sources, interface="ai")
    for image in images(2):
        assert (made.run(image)["sum"] == stillpool.compile(model).run(image)["sum"]).all()
