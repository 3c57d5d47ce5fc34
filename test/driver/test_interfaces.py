"""The styles of C interface: their self-tests, what they say of themselves, and what they refuse."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import handmade
import pytest
import toolchain
from models import ROOT, example

from stillpool import compile
from stillpool.driver.options.pool_spec import PoolSpec
from stillpool.errors import UsageError
from stillpool.targets.interfaces.registry import get_interface, interface_names
from stillpool.targets.projects import self_test

STRICT = (*toolchain.STRICT, "-Wsign-conversion", "-Wcast-align", "-Wcast-qual", "-Wundef")
C_STRICT = (*STRICT, "-Wstrict-prototypes")
READER = ROOT / "examples" / "reader" / "reader.tflite"


@pytest.mark.parametrize("dialect", [("-x", "c", "-std=c99"), ("-x", "c++", "-std=c++11")])
@pytest.mark.parametrize("order", [("ai", "x-cube-ai"), ("x-cube-ai", "ai")])
def test_a_file_includes_the_headers_of_two_styles(
    order: tuple[str, str], dialect: tuple[str, ...], tmp_path: Path
) -> None:
    headers: dict[str, str] = {}
    for style in order:
        headers |= get_interface(style)(handmade.native(inside="io").model, True).other_headers({})
    toolchain.unpack({name: text.encode() for name, text in headers.items()}, tmp_path)
    (tmp_path / "both.c").write_text("".join(f'#include "{name}"\n' for name in headers if name.endswith(".h")))
    strict = C_STRICT if "c++" not in dialect else STRICT
    command = ["gcc", *dialect, *strict, "-fsyntax-only", "both.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("builtin", [False, True])
@pytest.mark.parametrize("inside", ["", "i", "o", "io"])
@pytest.mark.parametrize("style", ["tvm", "ai", "x-cube-ai"])
@pytest.mark.parametrize("dialect", [("-std=c99",), ("-x", "c++", "-std=c++11")])
def test_self_test_passes_in_every_form(
    style: str, inside: str, builtin: bool, dialect: tuple[str, ...], tmp_path: Path
) -> None:
    made = get_interface(style)(handmade.native(inside=inside).model, builtin)
    toolchain.unpack(handmade.code(made), tmp_path)
    (tmp_path / "test.c").write_text(self_test.self_test(made, None))
    strict = C_STRICT if "-x" not in dialect else STRICT
    sources = ["test.c", "src/plus_one.c", "src/plus_one_data.c"]
    program = toolchain.build(tmp_path, "gcc", (*dialect, *strict, *toolchain.SANITISERS), sources)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "PASS: 3 samples ran; no golden outputs\n", "")


@pytest.mark.parametrize(
    ("style", "options"),
    [
        ("tvm", {}),
        ("tvm", {"pools": ["sram"], "workspace_io": "all"}),
        ("ai", {}),
        ("ai", {"builtin_pools": True, "keep_inputs": True}),
        ("x-cube-ai", {}),
        ("x-cube-ai", {"builtin_pools": True}),
    ],
)
def test_a_model_with_state(style: str, options: dict[str, Any], tmp_path: Path) -> None:
    """Golden outputs of a sequence: state carries on from sample to sample, and begins anew."""
    artifact = compile(READER, interface=style, **options)
    artifact.write(tmp_path / "tree")
    flags = f"CFLAGS=-O1 {' '.join(C_STRICT)}"
    done = subprocess.run(
        ["make", "-s", "-C", str(tmp_path / "tree" / "test"), flags], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert artifact.manifest["interface"] == style


@pytest.mark.parametrize("style", ["native", "tvm", "ai", "x-cube-ai"])
@pytest.mark.parametrize("compiler", ["g++", "clang++", "clang"])
def test_headers_are_clean(style: str, compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    made = get_interface(style)(handmade.native(inside="i").model)
    toolchain.unpack(handmade.code(made), tmp_path)
    dialects = ["-std=c99", "-std=c11"] if compiler == "clang" else [f"-std=c++{year}" for year in (11, 14, 17, 20)]
    (tmp_path / "user.c").write_text(f'#include "{made.header_name}"\n#include "{made.header_name}"\n')
    language = ("-x", "c") if compiler == "clang" else ("-x", "c++")
    for dialect in dialects:
        command = [compiler, dialect, *STRICT, *language, "-fsyntax-only", "-Iinclude", "user.c"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("style", ["tvm", "ai", "x-cube-ai"])
@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"double_buffer_inputs": True, "workspace_io": "all"}, "--io double-buffer"),
        ({"input_released_callback": True}, "--io released-callback"),
        ({"profile_hooks": True}, "--profile-hooks"),
    ],
)
def test_refuses_what_it_cannot_express(style: str, options: dict[str, Any], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        compile(example(), interface=style, **options)


def test_ai_has_one_activations_buffer() -> None:
    with pytest.raises(UsageError, match="2 workspace pools: dtcm, sram"):
        compile(example(), interface="ai", pools=["dtcm", "sram"])
    artifact = compile(example(), interface="ai", pools=["dtcm:size=512", "sram"], builtin_pools=True)
    assert artifact.manifest["interface"] == "ai"


def test_ai_models_of_one_plan_share_their_constants() -> None:
    novelty = ROOT / "examples" / "novelty" / "novelty.tflite"
    made = compile([example(), novelty], interface="ai", pools=["sram", PoolSpec("flash", "constant")])
    text = "".join(data.decode() for path, data in made.code.items() if path.endswith(".c"))
    assert text.count("_CONSTANT_POOL_DATA;") == 1
    assert text.count("extern const uint8_t digits_flash_pool[];") == 2


STREAMS = """\
#include <string.h>
#include "reader.h"
typedef union { double align; int64_t words[64]; } storage;
static storage left, right;
AI_ALIGNED(16) static uint8_t activations[AI_READER_DATA_ACTIVATIONS_SIZE];
static int8_t answers[8][AI_READER_OUT_1_SIZE_BYTES];
static void step(ai_handle handle, int8_t first, int8_t *answer)
{
    ai_tensor *input = ai_get_input(handle, 0);
    int8_t *given = (int8_t *)input->dltensor.data;
    for (uint32_t i = 0; i < get_tensor_size(input); ++i) given[i] = (int8_t)(first * (int)i);
    ai_run(handle);
    memcpy(answer, ai_get_output(handle, 0)->dltensor.data, AI_READER_OUT_1_SIZE_BYTES);
}
int main(void)
{
    ai_handle one, other;
    int8_t answer[AI_READER_OUT_1_SIZE_BYTES], ignored[AI_READER_OUT_1_SIZE_BYTES];
    size_t size = sizeof activations;
    if (ai_reader_model.handle_size > sizeof left) return 1;
    if (ai_create_at(&ai_reader_model, activations, size, &left, 8, &one) == AI_STATUS_OK) return 2;
    if (ai_create_at(&ai_reader_model, activations, size, &left, sizeof left, &one) != AI_STATUS_OK) return 3;
    if (ai_create_at(&ai_reader_model, activations, size, &right, sizeof right, &other) != AI_STATUS_OK) return 4;
    for (int i = 0; i < 8; ++i) step(one, (int8_t)(i * 9), answers[i]);
    ai_reset(one);
    for (int i = 0; i < 8; ++i) {
        step(other, (int8_t)(77 - i), ignored);
        step(one, (int8_t)(i * 9), answer);
        if (memcmp(answer, answers[i], sizeof answer) != 0) return 5;
    }
    if (memcmp(answers[0], answers[7], sizeof answer) == 0) return 6;
    if (ai_create(&ai_reader_model, activations, &one) != AI_STATUS_OK) return 7;
    if (ai_create(&ai_reader_model, activations, &other) == AI_STATUS_OK || other != AI_HANDLE_NULL) return 8;
    if (ai_destroy(one) != AI_STATUS_OK) return 9;
    return ai_create(&ai_reader_model, activations, &one) == AI_STATUS_OK ? 0 : 10;
}
"""


def test_ai_handles_have_states_of_their_own(tmp_path: Path) -> None:
    toolchain.unpack(compile(READER, interface="ai").code, tmp_path)
    (tmp_path / "main.c").write_text(STREAMS)
    sources = ["main.c", "src/reader.c", "src/reader_data.c"]
    program = toolchain.build(tmp_path, "gcc", ("-std=c99", *toolchain.SANITISERS), sources)
    assert subprocess.run([program], check=False).returncode == 0


def test_tvm_names_a_model_called_default_as_tvm_does() -> None:
    made = compile(example(), interface="tvm", name="default", pools=["my_memory_pool_1"])
    header = made.sources.header
    assert "#define TVMGEN_DEFAULT_MY_MEMORY_POOL_1_WORKSPACE_POOL_SIZE " in header
    assert "typedef struct tvmgen_default_workspace_pools {\n    void *my_memory_pool_1;" in header
    assert {"include/tvmgen_default.h", "include/default_.h"} <= made.code.keys()


def test_the_registry_knows_the_packages() -> None:
    assert {"native", "tvm", "ai", "x-cube-ai"} <= set(interface_names())
    with pytest.raises(UsageError, match="interface 'corba' is not available"):
        get_interface("corba")
