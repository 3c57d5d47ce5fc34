"""Devices that run beside the processor: launches and waits, hooks, overlap, and no race."""

# pyright: reportMissingImports=false
# Modules beside this folder are found at run time.

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import compilers
import numpy as np
import pytest
from branches import ACCELERATOR, ASYNCHRONOUS, images, status, two_branches
from toolchain import STRICT, unpack

import stillpool

LAUNCHED = "conv_2d=device_conv:scratch=64,align=32,device=npu,async"

OVERLAP = """\
/* A device that is done only after the processor has run another operator: without overlap a run would never end. */
#include "branches_external.h"
#include "branches.h"
#include <pthread.h>

STILLPOOL_EXTERNAL int32_t accelerator_conv(const stillpool_external_conv2d *op, const int8_t *input,
    const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static int32_t pooled;

static struct {
    const stillpool_external_conv2d *op;
    const int8_t *input;
    const int8_t *filter;
    const int32_t *bias;
    int8_t *output;
    void *scratch;
    int32_t result;
} work;

void branches_operator_done(int32_t position)
{
    if (position == 1) { /* the pool behind the launch */
        (void)pthread_mutex_lock(&lock);
        pooled = 1;
        (void)pthread_cond_broadcast(&changed);
        (void)pthread_mutex_unlock(&lock);
    }
}

static void *run_device(void *unused)
{
    (void)unused;
    (void)pthread_mutex_lock(&lock);
    while (!pooled) {
        (void)pthread_cond_wait(&changed, &lock);
    }
    pooled = 0;
    (void)pthread_mutex_unlock(&lock);
    work.result = accelerator_conv(work.op, work.input, work.filter, work.bias, work.output, work.scratch, 0);
    return 0;
}

int32_t device_conv(const stillpool_external_conv2d *op, const int8_t *input, const int8_t *filter,
    const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    (void)device;
    work.op = op;
    work.input = input;
    work.filter = filter;
    work.bias = bias;
    work.output = output;
    work.scratch = scratch;
    return pthread_create(&thread, 0, run_device, 0);
}

int32_t device_conv_wait(const stillpool_external_conv2d *op, void *device)
{
    (void)op;
    (void)device;
    return pthread_join(thread, 0) != 0 ? -1 : work.result;
}
"""

MAIN = """\
#include "branches.h"
#include "branches_external.h"
#include <stdio.h>

STILLPOOL_ALIGNED(64) static uint8_t memory[8192];
static char told[4096];
static size_t length;

#define HOOK(name) \\
    STILLPOOL_EXTERNAL int32_t name(void *device) \\
    { \\
        length += (size_t)snprintf(told + length, sizeof(told) - length, "%s(%s) ", #name, (const char *)device); \\
        return 0; \\
    }
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The model of two branches."""
    path = tmp_path / "branches.tflite"
    path.write_bytes(two_branches())
    return path


def test_the_example_gives_the_numbers_of_plain_code(model: Path) -> None:
    plain = stillpool.compile(model)
    sources = [ASYNCHRONOUS, ACCELERATOR]
    made = stillpool.compile(model, externals=[LAUNCHED], external_sources=sources)
    for image in images(3):
        assert (made.run(image)["sum"] == plain.run(image)["sum"]).all()


def test_a_device_that_nobody_switched_on_is_an_error(model: Path, tmp_path: Path) -> None:
    asked = "conv_2d=device_conv:scratch=64,align=32,async"
    made = stillpool.compile(model, externals=[asked], external_sources=[ASYNCHRONOUS, ACCELERATOR])
    assert status(made, tmp_path / "c", flags=("-std=c99", "-pthread")) == "-10", "without device= no hook is called"


def test_what_was_launched_lives_until_its_wait(model: Path) -> None:
    made = stillpool.compile(model, externals=[LAUNCHED], external_sources=[ASYNCHRONOUS, ACCELERATOR])
    placed = {buffer["name"]: buffer for buffer in made.manifest["buffers"]}
    for mine in ("x", "convolved", "device_conv_scratch"):
        assert placed[mine]["last_use"] >= 2, "until the wait behind the pools; plainly x dies in the first of them"
        for theirs in ("largest", "mean"):
            a, b = placed[mine], placed[theirs]
            assert a["offset"] + a["bytes"] <= b["offset"] or b["offset"] + b["bytes"] <= a["offset"]
    network = made.files["src/branches.c"].decode()
    order = [
        network.rindex(word)
        for word in ("device_conv(&", "max_pool2d_0(", "average_pool2d_0(", "device_conv_wait(&", "add_0(")
    ]
    assert order == sorted(order)


def test_launch_and_compute_overlap_without_a_race(model: Path, tmp_path: Path) -> None:
    asked = "conv_2d=device_conv:scratch=64,async"
    source = tmp_path / "overlap.c"
    source.write_text(OVERLAP)
    made = stillpool.compile(model, externals=[asked], external_sources=[source, ACCELERATOR], profile_hooks=True)
    plain = stillpool.compile(model).run(images(1)[0])["sum"]
    text = MAIN.partition("#define HOOK")[0]
    image, wanted = (", ".join(map(str, array.reshape(-1))) for array in (images(1)[0]["x"], plain))
    text += (
        f"static const int8_t image[] = {{{image}}};\nstatic const int8_t wanted[] = {{{wanted}}};\n\n"
        "int main(void)\n{\n    branches_workspace_pools pools;\n    int32_t run, i, wrong = 0;\n"
        "    pools.workspace = memory;\n    (void)told;\n    (void)length;\n    for (run = 0; run < 20; ++run) {\n"
        "        for (i = 0; i < BRANCHES_INPUT_X_COUNT; ++i) {\n"
        "            branches_map_inputs(&pools).x[i] = image[i];\n        }\n"
        "        wrong += branches_run(&pools) != 0;\n        for (i = 0; i < BRANCHES_OUTPUT_SUM_COUNT; ++i) {\n"
        "            wrong += branches_map_outputs(&pools).sum[i] != wanted[i];\n        }\n    }\n"
        "    return wrong != 0;\n}\n"
    )
    files = {**made.files, "main.c": text.encode()}
    unpack(files, tmp_path / "c")
    sources = ["main.c", *(path for path in files if path.startswith("src/") and path.endswith(".c"))]
    for flags in (("-fsanitize=thread",), ("-fsanitize=address,undefined",)):
        compilers.need("gcc", flags)
        command = ["gcc", "-std=c99", "-g", *flags, *STRICT, "-Iinclude", *sources, "-o", "program", "-pthread"]
        done = subprocess.run(command, cwd=tmp_path / "c", capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        ran = subprocess.run(
            ["./program"], cwd=tmp_path / "c", capture_output=True, text=True, timeout=600, check=False
        )
        assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("interface", ["native", "tvm"])
@pytest.mark.parametrize("way", ["", ",async"])
def test_hooks_get_the_handle_where_tvm_calls_them(model: Path, tmp_path: Path, interface: str, way: str) -> None:
    asked = f"conv_2d=f:device=ethos_u{way}"
    made = stillpool.compile(model, externals=[asked], interface=interface, workspace_io="all", pools=["sram"])
    name = "branches" if interface == "native" else "tvmgen_branches"
    hooks = [f"ethos_u_{hook}" for hook in ("activate", "open", "close", "deactivate")]
    if interface == "tvm":
        hooks = [f"TVMDeviceEthosU{hook}" for hook in ("Activate", "Open", "Close", "Deactivate")]
    told = 'length += (size_t)snprintf(told + length, sizeof(told) - length, "%s(%s) ", NAME, (const char *)device);'
    text = MAIN + "".join(f"HOOK({hook})\n" for hook in hooks)
    declared = made.files["include/branches_external.h"].decode()
    for function, end in re.findall(r"STILLPOOL_EXTERNAL int32_t (f(?:_wait)?)(\([^;]*\));", declared):
        body = told.replace("NAME", f'"{function}"')
        named = end
        unused = "".join(f"    (void){word};\n" for word in re.findall(r"\*(\w+)[,)]", named) if word != "device")
        text += f"STILLPOOL_EXTERNAL int32_t {function}{named}\n{{\n{unused}    {body}\n    return 0;\n}}\n"
    text += (
        f"\nint main(void)\n{{\n    {name}_workspace_pools pools;\n    {name}_devices devices;\n"
        '    static char handle[] = "42";\n    int32_t status;\n    pools.sram = memory;\n'
        "    devices.ethos_u = handle;\n"
        f'    status = {name}_run(&pools, &devices);\n    printf("%s%d %d", told, (int)status, '
        f"(int){name}_run(&pools, 0));\n    return 0;\n}}\n"
    )
    unpack({**made.files, "main.c": text.encode()}, tmp_path / "c")
    sources = ["main.c", "src/branches.c", "src/branches_data.c"]
    command = ["gcc", "-std=c99", *STRICT, "-Iinclude", *sources, "-o", "program"]
    done = subprocess.run(command, cwd=tmp_path / "c", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    ran = subprocess.run(["./program"], cwd=tmp_path / "c", capture_output=True, text=True, check=True)
    wait = ["f_wait"] if way else []
    wanted = [hooks[0], hooks[1], "f", *wait, hooks[2], hooks[3]]
    assert ran.stdout.split() == [*(f"{word}(42)" for word in wanted), "0", "-11"]


def test_poisoned_builds_leave_what_a_device_has_alone(model: Path) -> None:
    made = stillpool.compile(model, externals=[LAUNCHED], external_sources=[ASYNCHRONOUS, ACCELERATOR], poison=True)
    plain = stillpool.compile(model)
    image = images(1)[0]
    assert np.array_equal(made.run(image)["sum"], plain.run(image)["sum"])
