"""Handles of devices through the shims: by table, by C++, by packed calls."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from branches import ACCELERATOR, images, two_branches
from toolchain import SANITISERS, build, unpack

import stillpool

DEVICE = """\
#include <stdio.h>

static char unit[] = "npu";
static int wrong;

STILLPOOL_EXTERNAL int32_t accelerator_conv(const stillpool_external_conv2d *op, const int8_t *input,
    const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device);

int32_t device_conv(const stillpool_external_conv2d *op, const int8_t *input, const int8_t *filter,
    const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    wrong += device != unit;
    return accelerator_conv(op, input, filter, bias, output, scratch, NULL);
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

static void told(const int8_t *values)
{
    int i;
    for (i = 0; i < 144; ++i) {
        printf("%d ", values[i]);
    }
    printf("%d", wrong);
}
"""

TABLE = """\
STILLPOOL_ALIGNED(64) static uint8_t memory[8192];
static void *pointers[BRANCHES_MODEL_POINTERS];

int main(void)
{
    void *pools[] = {memory};
    stillpool_handle handle;
    if (stillpool_open(&handle, &branches_model, pointers, pools) != STILLPOOL_OK || branches_model.devices != 1
        || stillpool_set_device(&handle, 1, unit) != STILLPOOL_ERROR_INDEX
        || stillpool_set_device(&handle, 0, unit) != STILLPOOL_OK) {
        return 1;
    }
    memcpy(stillpool_input(&handle, 0), image, sizeof image);
    if (stillpool_run(&handle) != STILLPOOL_OK) {
        return 2;
    }
    told((const int8_t *)stillpool_output(&handle, 0));
    return 0;
}
"""

CPP = """\
alignas(16) static uint8_t arena[branches_arena];

int main()
{
    stillpool::MicroInterpreter interpreter(&branches_model, arena, sizeof arena);
    if (interpreter.SetDevice(0, unit) == stillpool::kTfLiteOk || interpreter.AllocateTensors() != stillpool::kTfLiteOk
        || interpreter.SetDevice(1, unit) == stillpool::kTfLiteOk
        || interpreter.SetDevice(0, unit) != stillpool::kTfLiteOk) {
        return 1;
    }
    memcpy(interpreter.typed_input<int8_t>(0), image, sizeof image);
    if (interpreter.Invoke() != stillpool::kTfLiteOk) {
        return 2;
    }
    told(interpreter.typed_output<int8_t>(0));
    return 0;
}
"""

PACKED = """\
STILLPOOL_ALIGNED(64) static uint8_t memory[8192];

int main(void)
{
    static int8_t result[144];
    static int64_t shape[] = {1, 6, 6, 4};
    stillpool_dltensor tensors[2];
    stillpool_value args[3];
    int32_t codes[] = {STILLPOOL_ARG_TENSOR, STILLPOOL_ARG_TENSOR, STILLPOOL_ARG_HANDLE};
    int i;
    memset(tensors, 0, sizeof tensors);
    for (i = 0; i < 2; ++i) {
        tensors[i].data = i == 0 ? (void *)image : (void *)result;
        tensors[i].device.type = 1;
        tensors[i].ndim = 4;
        tensors[i].dtype.bits = 8;
        tensors[i].dtype.lanes = 1;
        tensors[i].shape = shape;
        args[i].v_handle = &tensors[i];
    }
    args[2].v_handle = memory;
    if (branches_packed(args, codes, 3, NULL, NULL, unit) != STILLPOOL_OK) {
        return 2;
    }
    told(result);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("shim", "header", "main"),
    [
        ("table", "branches_model.h", TABLE),
        ("cpp", "branches_interpreter.hpp", CPP),
        ("packed", "branches_packed.h", PACKED),
    ],
)
def test_functions_get_the_handle(tmp_path: Path, shim: str, header: str, main: str) -> None:
    path = tmp_path / "branches.tflite"
    path.write_bytes(two_branches())
    asked = ["conv_2d=device_conv:scratch=64,device=npu"]
    made = stillpool.compile(path, externals=asked, external_sources=[ACCELERATOR], shims=[shim])
    (image,) = images(1)
    values = ", ".join(map(str, image["x"].reshape(-1)))
    text = f'#include "branches.h"\n#include "branches_external.h"\n#include "{header}"\n#include <string.h>\n'
    text += f"{DEVICE}\nstatic int8_t image[] = {{{values}}};\n\n{main}"
    unpack({**made.files, "main.c": text.encode()}, tmp_path / "c")
    sources = ["main.c", *(name for name in made.files if name.startswith("src/") and name.endswith(".c"))]
    wanted = " ".join(map(str, stillpool.compile(path).run(image)["sum"].reshape(-1)))
    cases = [("clang", ("-x", "c++", "-std=c++11"))]
    for compiler, dialect in cases if shim == "cpp" else [("gcc", ("-std=c99",)), *cases]:
        program = build(tmp_path / "c", compiler, (*dialect, *SANITISERS), sources)
        done = subprocess.run([program], capture_output=True, text=True, check=True)
        assert done.stdout == f"{wanted} 0"
