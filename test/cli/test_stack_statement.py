"""`compile --target`: the worst case of the stack stands in the header and the manifest."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from tflite_build import Tensor, one_operator

from stillpool.cli import main
from stillpool.report.schemas import schema

pytestmark = pytest.mark.usefixtures("compiled_once")
MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"
needs_emulator = pytest.mark.extra("emulate")


def invoke(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def manifest(project: Path) -> dict[str, Any]:
    document = json.loads((project / "manifest.json").read_text())
    jsonschema.validate(document, schema("manifest"))
    return document


@needs_emulator
@pytest.mark.parametrize("target", ["cortex-m0plus", "cortex-m4", "rv32imc"])
def test_no_run_takes_more_than_is_stated(target: str, tmp_path: Path) -> None:
    same = (MODEL, "--target", target, "--cc", "zig")
    assert invoke("compile", *same, "-o", tmp_path / "p")[0] == 0
    stack = manifest(tmp_path / "p")["stack"]
    assert (stack["target"], stack["compiler"][:4], stack["compiler"][-4:]) == (target, "zig ", " -O2")
    header = (tmp_path / "p" / "include" / "digits.h").read_text()
    stated = re.search(r"Worst-case stack of digits_run on (\S+), .*\n.*\n#define DIGITS_RUN_STACK_SIZE (\d+)", header)
    assert stated
    assert (stated[1], int(stated[2])) == (target, stack["worst_case_bytes"])
    code, out, _ = invoke("run", *same, "--json")
    assert code == 0
    assert 0 < json.loads(out)["runtime"]["stack_bytes"] <= stack["worst_case_bytes"]


@needs_emulator
def test_every_model_of_several_has_its_own(tmp_path: Path) -> None:
    names = ("--name", "one", "--name", "two")
    code, _, err = invoke("compile", MODEL, MODEL, *names, "--target", "cortex-m4", "--cc", "zig", "-o", tmp_path / "p")
    assert (code, "not stated" in err) == (0, False)
    stacks = [
        model["stack"]["worst_case_bytes"] for model in json.loads((tmp_path / "p/manifest.json").read_text())["models"]
    ]
    assert len(stacks) == 2
    for name, stack in zip(("one", "two"), stacks, strict=True):
        assert f"#define {name.upper()}_RUN_STACK_SIZE {stack}\n" in (tmp_path / "p/include" / f"{name}.h").read_text()


def test_the_host_states_none(tmp_path: Path) -> None:
    assert invoke("compile", MODEL, "-o", tmp_path / "p")[0] == 0
    assert manifest(tmp_path / "p")["stack"] is None
    assert "STACK" not in (tmp_path / "p/include/digits.h").read_text()
    code, _, err = invoke("compile", MODEL, "-o", tmp_path / "q", "--cc", "zig")
    assert (code, err) == (2, "error: --cc goes with an emulated processor; name one by --target\n")


def test_without_a_compiler_the_project_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == "ziglang" else find_spec(name, *a)
    )
    monkeypatch.setattr(shutil, "which", lambda program: None)
    code, _, err = invoke("compile", MODEL, "-o", tmp_path / "p", "--target", "cortex-m4")
    assert code == 0
    assert "the worst case of the stack is not stated: " in err
    assert manifest(tmp_path / "p")["stack"] is None
    code, _, err = invoke("compile", MODEL, "-o", tmp_path / "q", "--target", "cortex-m4", "--cc", "gcc")
    assert (code, (tmp_path / "q").exists()) == (2, False)


@needs_emulator
@pytest.mark.parametrize("compiler", [(), ("--cc", "zig", "--opt", "3")])
def test_what_cannot_be_linked_is_written_all_the_same(compiler: tuple[str, ...], tmp_path: Path) -> None:
    custom = tmp_path / "custom.tflite"
    custom.write_bytes(one_operator("CUSTOM Twice", None, [Tensor((4,), "float32")], Tensor((4,), "float32")))
    same = (custom, "--custom", "Twice=twice", "--target", "cortex-m4", *compiler)
    code, _, err = invoke("compile", *same, "-o", tmp_path / "p")
    assert (code, "the stack of custom is not measured: the cross compiler" in err) == (0, True)
    assert "twice" in err
    stack = {"worst_case_bytes": None, "target": "cortex-m4", "compiler": ""}
    assert manifest(tmp_path / "p")["stack"] == stack
    header = (tmp_path / "p/include/custom.h").read_text()
    assert "/* Stack not measured: custom_run could not be built for cortex-m4. */" in header
    code, _, err = invoke("run", *same)
    assert (code, "twice" in err) == (1, True)
