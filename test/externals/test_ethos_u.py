"""Models optimised by Vela: the driver gets the addresses that its command streams were made for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import ai_edge_litert.schema_py_generated as schema
import flatbuffers
import numpy as np
import pytest
from branches import two_branches
from tflite_build import Operator, Tensor, constant, write_model
from toolchain import CASES, build, unpack

import stillpool
from stillpool.errors import StillpoolError

ARENA, FAST = 64, 48
PLACES = {"arena": 0, "x": 0, "a": 16, "b": 32, "y": 48}

DRIVER = """\
#include "npu.h"
#include <stddef.h>
#include <stdio.h>

STILLPOOL_ALIGNED(16) static uint8_t sram[256];
static int invoked;

#ifdef __cplusplus
extern "C" {
#endif
struct ethosu_driver;
int ethosu_invoke_v3(struct ethosu_driver *drv, const void *custom_data_ptr, const int custom_data_size,
    uint64_t *const base_addr, const size_t *base_addr_size, const int num_base_addr, void *user_arg);
int32_t ethos_u_activate(void *device);
int32_t ethos_u_open(void *device);
int32_t ethos_u_close(void *device);
int32_t ethos_u_deactivate(void *device);

/* A command stream is: where it reads and writes in the arena, and what it adds; weights are its number. */
int ethosu_invoke_v3(struct ethosu_driver *drv, const void *custom_data_ptr, const int custom_data_size,
    uint64_t *const base_addr, const size_t *base_addr_size, const int num_base_addr, void *user_arg)
{
    const uint8_t *stream = (const uint8_t *)custom_data_ptr;
    const uint8_t *weights = (const uint8_t *)(uintptr_t)base_addr[0];
    uint8_t *arena = (uint8_t *)(uintptr_t)base_addr[1];
    int i, wrong = 0;
    wrong += (void *)drv != (void *)sram || user_arg != NULL || custom_data_size != 16 || num_base_addr != 5;
    wrong += (uintptr_t)custom_data_ptr % 16 != 0 || base_addr[0] % 16 != 0 || base_addr[1] % 16 != 0;
    wrong += base_addr_size[0] != 16 || base_addr_size[1] != 64 || base_addr_size[2] != 64;
    wrong += base_addr_size[3] != 16 || base_addr_size[4] != 16 || base_addr[2] != base_addr[1];
    wrong += arena < sram || arena + 64 > sram + NPU_SRAM_WORKSPACE_POOL_SIZE;
    wrong += base_addr[3] != base_addr[1] + stream[0] || base_addr[4] != base_addr[1] + stream[1];
    for (i = 0; i < 16; ++i) {
        wrong += weights[i] != stream[3];
        arena[stream[1] + i] = (uint8_t)(arena[stream[0] + i] + stream[2]);
    }
    ++invoked;
    return wrong;
}

int32_t ethos_u_activate(void *device) { return device == (void *)sram ? 0 : 1; }
int32_t ethos_u_open(void *device) { return device == (void *)sram ? 0 : 1; }
int32_t ethos_u_close(void *device) { return device == (void *)sram ? 0 : 1; }
int32_t ethos_u_deactivate(void *device) { return device == (void *)sram ? 0 : 1; }
#ifdef __cplusplus
}
#endif

int main(void)
{
    npu_workspace_pools pools;
    npu_devices devices;
    int i;
    pools.sram = sram;
    devices.ethos_u = sram;
    for (i = 0; i < 16; ++i) {
        npu_map_inputs(&pools).x[i] = (int8_t)(i - 8);
    }
    printf("%d", (int)npu_run(&pools, &devices));
    for (i = 0; i < 16; ++i) {
        printf(" %d", npu_map_outputs(&pools).y[i]);
    }
    printf(" %d", invoked);
    return 0;
}
"""


FAST_DRIVER = (
    DRIVER.replace("uint8_t sram[256];", "uint8_t sram[256];\nSTILLPOOL_ALIGNED(16) static uint8_t dram[256];")
    .replace("base_addr_size[2] != 64;", "base_addr_size[2] != 48;")
    .replace("base_addr[2] != base_addr[1];", "fast < sram || fast + 48 > sram + NPU_SRAM_WORKSPACE_POOL_SIZE;")
    .replace("arena < sram || arena + 64 > sram + NPU_SRAM", "arena < dram || arena + 64 > dram + NPU_DRAM")
    .replace("    int i, wrong = 0;", "    uint8_t *fast = (uint8_t *)(uintptr_t)base_addr[2];\n    int i, wrong = 0;")
    .replace("    ++invoked;", "    for (i = 0; i < 48; ++i) {\n        fast[i] = 0x55;\n    }\n    ++invoked;")
    .replace("    pools.sram = sram;", "    pools.sram = sram;\n    pools.dram = dram;")
)
"""The same for a command stream with fast scratch in a pool of its own, which it writes over."""


def vela_like(places: dict[str, int] = PLACES, *, fast: bool = False) -> bytes:
    """`y = relu(x + 3) + 5`, of which the device adds; one arena for both of its operators."""
    row = ((1, 16), "int8", (0.5,), (0,))
    tensors = [Tensor(*row, name=name) for name in ("x", "a", "b", "y")]
    tensors += [Tensor((ARENA,), "uint8", name="arena"), Tensor((FAST,), "uint8", name="fast")]
    for number, (source, target, added) in enumerate((("x", "a", 3), ("b", "y", 5))):
        stream = np.array([places[source], places[target], added, number + 1, *[0] * 12], np.uint8)
        tensors += [constant(stream), constant(np.full(16, number + 1, np.uint8))]
    scratch = (4, 5 if fast else 4)
    operators = [
        Operator("CUSTOM ethos-u", (6, 7, *scratch, 0), (1,), bytes([1, 4, 1])),
        Operator("RELU", (1,), (2,)),
        Operator("CUSTOM ethos-u", (8, 9, *scratch, 2), (3,), bytes([1, 4, 1])),
    ]
    offsets = [places["x"], places["a"], places["b"], places["y"], 0, 0, -1, -1, -1, -1]
    return with_offsets(write_model(tensors, operators, [0], [3]), offsets)


def with_offsets(data: bytes, offsets: list[int]) -> bytes:
    """A model with Vela's metadata."""
    model: Any = schema.ModelT.InitFromObj(schema.Model.GetRootAs(data, 0))
    buffer = schema.BufferT()
    buffer.data = list(np.array([0, 1, len(offsets), *offsets], "<i4").tobytes())
    metadata = schema.MetadataT()
    metadata.name, metadata.buffer = b"OfflineMemoryAllocation", len(model.buffers)
    model.buffers.append(buffer)
    model.metadata = [metadata]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


@pytest.mark.parametrize(("compiler", "dialect"), CASES)
def test_a_driver_gets_the_addresses_of_the_plan(tmp_path: Path, compiler: str, dialect: tuple[str, ...]) -> None:
    path = tmp_path / "npu.tflite"
    path.write_bytes(vela_like())
    made = stillpool.compile(path, pools=["sram"])
    assert runs(made, tmp_path / "c", DRIVER, compiler, dialect)
    placed = {buffer["name"]: buffer for buffer in made.manifest["buffers"]}
    begin = placed["x"]["offset"]
    assert {name: placed[name]["offset"] - begin for name in ("a", "b", "y")} == {"a": 16, "b": 32, "y": 48}
    assert made.manifest["pools"][0]["bytes"] == ARENA, "one arena, and nothing beside it"


@pytest.mark.parametrize(("compiler", "dialect"), CASES)
def test_dedicated_sram_is_a_buffer_of_its_own(tmp_path: Path, compiler: str, dialect: tuple[str, ...]) -> None:
    path = tmp_path / "npu.tflite"
    path.write_bytes(vela_like(fast=True))
    made = stillpool.compile(path, pools=["sram", "dram"], pins=["scratch_fast*=sram", "*_scratch=dram"])
    assert runs(made, tmp_path / "c", FAST_DRIVER, compiler, dialect)
    assert {pool["name"]: pool["bytes"] for pool in made.manifest["pools"]} == {"sram": FAST, "dram": ARENA}
    fast = [buffer for buffer in made.manifest["buffers"] if buffer["name"].startswith("scratch_fast")]
    assert [(b["pool"], b["kind"], b["bytes"]) for b in fast] == [("sram", "scratch", FAST)] * 2
    assert fast[0]["last_use"] < fast[1]["first_use"], "it is free between the operators"
    one = stillpool.compile(path, pools=["sram"])
    assert one.manifest["pools"][0]["bytes"] == ARENA + FAST, "they do not overlap in one pool either"


def runs(made: stillpool.Artifact, folder: Path, driver: str, compiler: str, dialect: tuple[str, ...]) -> bool:
    """Whether a driver finds every address right, and the network what it computes."""
    unpack({**made.files, "main.c": driver.encode()}, folder)
    sources = ["main.c", *(name for name in made.files if name.startswith("src/") and name.endswith(".c"))]
    program = build(folder, compiler, dialect, sources)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    wanted = [max(i - 8 + 3, 0) + 5 for i in range(16)]
    return [int(word) for word in done.stdout.split()] == [0, *wanted, 2]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"places": {**PLACES, "a": -1}}, "has no place for tensor 'a'"),
        ({"places": {**PLACES, "y": 56}}, "tensor 'y' cannot lie at byte 56 of an arena of 64 bytes"),
    ],
)
def test_what_vela_did_not_place_is_refused(tmp_path: Path, changed: dict[str, Any], words: str) -> None:
    path = tmp_path / "npu.tflite"
    path.write_bytes(broken(changed["places"]))
    with pytest.raises(StillpoolError) as caught:
        stillpool.compile(path)
    assert words in str(caught.value)


def broken(places: dict[str, int]) -> bytes:
    """The model with other metadata; command streams stay."""
    offsets = [places["x"], places["a"], places["b"], places["y"], 0, 0, -1, -1, -1, -1]
    return with_offsets(vela_like(), offsets)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"workspace_io": "none"}, "its buffer 'x' belongs to the caller"),
        ({"rows": "on"}, "model 'npu' for a device does not go with --rows on"),
        ({"poison": True}, "in the arena of its device, laid out beforehand: --poison cannot be done"),
        ({"keep_inputs": True}, "--io keep cannot be done"),
        ({"double_buffer_inputs": True}, "--io double-buffer cannot be done"),
    ],
)
def test_options_that_do_not_fit_are_refused(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    path = tmp_path / "npu.tflite"
    path.write_bytes(vela_like())
    with pytest.raises(StillpoolError) as caught:
        stillpool.compile(path, **options)
    assert words in str(caught.value)


VELA = pytest.mark.skipif(shutil.which("vela") is None, reason="Vela (pip install ethos-u-vela) is not on the path")


@VELA
def test_what_vela_really_writes_for_dedicated_sram_compiles(tmp_path: Path) -> None:
    (tmp_path / "m.tflite").write_bytes(two_branches())
    words = ["--accelerator-config", "ethos-u65-256", "--config", "Arm/vela.ini", "--output-dir", "."]
    words += ["--system-config", "Ethos_U65_Mid_End", "--memory-mode", "Dedicated_Sram_256KB"]
    subprocess.run(["vela", "m.tflite", *words], cwd=tmp_path, capture_output=True, check=True)
    pins = ["scratch_fast*=sram", "*_scratch=dram"]
    made = stillpool.compile(tmp_path / "m_vela.tflite", pools=["sram", "dram"], pins=pins)
    text = made.files["src/external/ethos_u_int8_to_int8_dedicated.c"].decode()
    assert "address[2] = (uint64_t)(uintptr_t)scratch_fast;" in text
    scratch = {b["name"]: (b["pool"], b["bytes"]) for b in made.manifest["buffers"] if b["kind"] == "scratch"}
    assert {pool for pool, _ in scratch.values()} == {"sram", "dram"}
    assert dict(scratch.values()) == {pool["name"]: pool["bytes"] for pool in made.manifest["pools"]}


@VELA
def test_what_vela_really_writes_compiles(tmp_path: Path) -> None:
    (tmp_path / "m.tflite").write_bytes(two_branches())
    command = ["vela", "m.tflite", "--accelerator-config", "ethos-u55-128", "--output-dir", "."]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    made = stillpool.compile(tmp_path / "m_vela.tflite", pools=["sram"])
    assert "ethosu_invoke_v3(" in made.files["src/external/ethos_u_int8_to_int8.c"].decode()
    (arena,) = (b for b in made.manifest["buffers"] if b["kind"] == "scratch")
    assert made.manifest["pools"][0]["bytes"] == arena["bytes"]
