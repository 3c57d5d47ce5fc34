"""The table, the interpreter and the packed function: clean code for all forms of models, and refusals."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import handmade
import pytest
import toolchain
from models import ROOT, example

from stillpool import compile
from stillpool.errors import UsageError
from stillpool.targets.interfaces.registry import get_interface
from stillpool.targets.shims import SHIMS, shim_files

STRICT = (*toolchain.STRICT, "-Wsign-conversion", "-Wcast-align", "-Wcast-qual", "-Wundef")

CALLER = """\
#include "plus_one_packed.h"
#include "plus_one_model.h"

int main(void)
{
    STILLPOOL_POOL
    static int8_t given[6] = {1, 2, 3, 4, 5, 6}, taken[6];
    int64_t shape[] = {2, 3};
    stillpool_dltensor tensors[2];
    stillpool_value args[3];
    int32_t codes[] = {STILLPOOL_ARG_TENSOR, STILLPOOL_ARG_TENSOR, STILLPOOL_ARG_HANDLE};
    const int32_t count = 2 + plus_one_model.pools;
    int32_t i;
    memset(tensors, 0, sizeof tensors);
    for (i = 0; i < 2; ++i) {
        tensors[i].data = i == 0 ? given : taken;
        tensors[i].device.type = 1;
        tensors[i].ndim = 2;
        tensors[i].dtype.bits = 8;
        tensors[i].dtype.lanes = 1;
        tensors[i].shape = shape;
        args[i].v_handle = &tensors[i];
    }
    args[2].v_handle = memory;
    if (plus_one_packed(args, codes, count, NULL, NULL, NULL) != 0) return 1;
    for (i = 0; i < 6; ++i) {
        if (taken[i] != given[i] + 1) return 2;
    }
    tensors[0].dtype.bits = 16;
    if (plus_one_packed(args, codes, count, NULL, NULL, NULL) != STILLPOOL_ERROR_ARGUMENT_TYPE) return 3;
    tensors[0].dtype.bits = 8;
    tensors[1].strides = shape;
    if (plus_one_packed(args, codes, count, NULL, NULL, NULL) != STILLPOOL_ERROR_ARGUMENT_LAYOUT) return 4;
    return plus_one_packed(args, codes, count + 1, NULL, NULL, NULL) == STILLPOOL_ERROR_ARGUMENTS ? 0 : 5;
}
"""
POOL = "__attribute__((aligned(16))) static uint8_t memory[128];"


@pytest.mark.parametrize("dialect", [("-std=c99",), ("-x", "c++", "-std=c++11")])
@pytest.mark.parametrize("builtin", [False, True])
@pytest.mark.parametrize("inside", ["", "i", "o", "io"])
@pytest.mark.parametrize("style", ["native", "tvm"])
def test_packed_calls_every_form(
    style: str, inside: str, builtin: bool, dialect: tuple[str, ...], tmp_path: Path
) -> None:
    """Inputs and outputs in pools are copied, others are used where they are."""
    made = get_interface(style)(handmade.native(inside=inside).model, builtin)
    toolchain.unpack({**handmade.code(made), **shim_files(made, tuple(SHIMS))}, tmp_path)
    (tmp_path / "main.c").write_text(CALLER.replace("STILLPOOL_POOL", POOL))
    sources = ["main.c", *(f"src/plus_one{part}.c" for part in ("", "_model", "_packed"))]
    program = toolchain.build(tmp_path, "gcc", (*dialect, *STRICT, *toolchain.SANITISERS), sources)
    assert subprocess.run([program], check=False).returncode == 0


@pytest.mark.parametrize("year", [11, 14, 17, 20])
def test_the_interpreter_is_clean(year: int, tmp_path: Path) -> None:
    made = handmade.native(inside="i")
    toolchain.unpack({**handmade.code(made), **shim_files(made, ["cpp"])}, tmp_path)
    (tmp_path / "main.cc").write_text(
        '#include "plus_one_interpreter.hpp"\n'
        "int main() {\n"
        "    alignas(8) static uint8_t arena[plus_one_arena];\n"
        "    stillpool::MicroInterpreter made(&plus_one_model, arena + 1, sizeof arena - 1);\n"
        "    return made.AllocateTensors() == stillpool::kTfLiteOk ? static_cast<int>(made.inputs_size()) - 1 : 2;\n"
        "}\n"
    )
    command = ["g++", f"-std=c++{year}", *STRICT, "-Iinclude", "-c", "main.cc", "-o", "main.o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    command = ["gcc", "-std=c99", *STRICT, "-Iinclude", "src/plus_one.c", "src/plus_one_model.c", "main.o", "-lstdc++"]
    subprocess.run([*command, "-o", "program"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "program"], check=False).returncode == 0


def test_a_model_with_state_and_constant_pools(tmp_path: Path) -> None:
    reader = ROOT / "examples" / "reader" / "reader.tflite"
    made = compile(reader, shims=["table"], pools=["sram"], workspace_io="all")
    source = made.code["src/reader_model.c"].decode()
    assert "reader_reset(&memory)" in source
    made.write(tmp_path / "tree")
    flags = f"CFLAGS=-O1 {' '.join(STRICT)}"
    subprocess.run(["make", "-s", "-C", str(tmp_path / "tree" / "test"), flags], check=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shims": ["cobol"]}, "shim 'cobol' is not available"),
        ({"shims": ["cpp"], "interface": "ai"}, "--shim cpp does not go with the interface 'ai'"),
        ({"shims": ["table"], "double_buffer_inputs": True}, "no place for --io double-buffer"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compile(example(), **options)
