"""Models, tensors and pools that are called what C, its library or stillpool keep for themselves."""

from __future__ import annotations

import functools
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import models
import numpy as np
import pytest
import toolchain
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr

import stillpool

DIGITS = Path(__file__).parents[2] / "examples/digits/digits.tflite"
COMPILERS = [command for command in (["gcc", "-std=gnu17"], ["g++", "-x", "c++"]) if shutil.which(command[0])]

IMAGE = np.arange(64, dtype=np.int8).reshape(1, 8, 8)


@functools.cache
def _scores() -> np.ndarray:
    return models.compiled(DIGITS).run({"image": IMAGE})["scores"]


def _called(model: str, given: str, taken: str) -> stillpool.Model:
    """The example model under other names, for its one input and its one output too."""
    made = stillpool.load(DIGITS)
    module = made.nn.clone()
    (entry,) = [op for op in module.ops if isinstance(op, func.FuncOp)]
    for key, name in (("arg_attrs", given), ("res_attrs", taken)):
        (attributes,) = entry.properties[key]
        entry.properties[key] = ArrayAttr([DictionaryAttr({**attributes.data, "nn.name": StringAttr(name)})])
    return replace(made, name=model, nn=module, tflite=None)


@pytest.mark.parametrize(
    ("model", "given", "taken", "io"),
    [
        ("stdint", "NULL", "INT8_MAX", "all"),
        ("math", "int8_t", "uint32_t", "none"),
        ("NAN", "expf", "memset", "inputs"),
        ("workspace", "linux", "unix", "outputs"),
        ("sqrt", "INFINITY", "bool", "none"),
    ],
)
def test_code_compiles_and_runs(model: str, given: str, taken: str, io: str, tmp_path: Path) -> None:
    artifact = stillpool.compile(_called(model, given, taken), workspace_io=io)
    toolchain.unpack(artifact.files, tmp_path)
    (name,) = [path.stem for path in (tmp_path / "include").iterdir()]
    sources = [f"test/test_{name}.c", f"src/{name}.c", f"src/{name}_data.c"]
    for compiler in COMPILERS:
        command = [*compiler, *toolchain.STRICT, "-fsyntax-only", "-Iinclude", *sources]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    np.testing.assert_array_equal(artifact.run({given: IMAGE})[taken], _scores())


@pytest.mark.parametrize("given", ['the "image"', "a\\b", 'ends in "', "ünï {x=1}"])
def test_names_that_no_pass_option_could_hold_are_pinned_and_put_into_the_workspace(given: str) -> None:
    artifact = stillpool.compile(
        _called("m", given, "scores"), workspace_io=given, pools=["sram", "tcm"], pins=[f"{given}=tcm"]
    )
    (tensor,) = artifact.manifest["inputs"]
    assert (tensor["name"], tensor["pool"]) == (given, "tcm")
    np.testing.assert_array_equal(artifact.run({given: IMAGE})["scores"], _scores())


def test_macros_keep_the_tensors_names() -> None:
    header = stillpool.compile(_called("m", "NULL", "int")).code["include/m.h"].decode()
    assert "#define M_INPUT_NULL_SIZE 64\n" in header
    assert "#define M_OUTPUT_INT__SIZE 10\n" in header
    assert "int8_t *NULL_;" in header


@pytest.mark.parametrize("pool", ["digits", "conv2d_0", "NULL", "stdint"])
def test_pools_are_called_as_functions_are(pool: str) -> None:
    artifact = stillpool.compile(DIGITS, pools=[pool])
    assert [made["name"] for made in artifact.manifest["pools"]] == [pool]
    np.testing.assert_array_equal(artifact.run({"image": IMAGE})["scores"], _scores())
