"""What a compiled model is: files, manifest, memory, C that any compiler accepts, the same bytes every time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import jsonschema
import models
import numpy as np
import pytest
import toolchain

import stillpool
from stillpool.dialects.emitc import CallOp, FuncOp
from stillpool.driver.options.options import Request
from stillpool.errors import UsageError
from stillpool.report.schemas import schema
from stillpool.run.samples import random_inputs
from stillpool.run.system import System
from stillpool.run.verify import verify

FORMS = [
    {"workspace_io": "all"},
    {"workspace_io": "none"},
    {"workspace_io": "inputs"},
    {"workspace_io": "outputs"},
    {"workspace_io": "all", "builtin_pools": True},
    {"workspace_io": "none", "builtin_pools": True},
]


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_is_right_in_every_form(options: dict[str, str | bool]) -> None:
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    verdict = verify(models.compiled(**options), samples=20)
    assert verdict.oracle == "TFLite Micro"
    assert verdict.exact, verdict


@pytest.mark.parametrize("options", FORMS, ids=str)
@pytest.mark.parametrize(("compiler", "dialect"), toolchain.CASES)
def test_compiles_silently_and_runs_under_sanitisers(
    options: dict[str, str | bool], compiler: str, dialect: tuple[str, ...], tmp_path: Path
) -> None:
    files = models.compiled(**options).files
    toolchain.unpack(files, tmp_path)
    sources = [path for path in files if path.endswith(".c")]
    program = toolchain.build(tmp_path, compiler, (*dialect, "-O1", *toolchain.SANITISERS), sources)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.startswith("PASS: 3 samples")


def test_its_makefile_runs_the_self_test(tmp_path: Path) -> None:
    models.compiled().write(tmp_path / "p")
    done = subprocess.run(["make", "-C", tmp_path / "p" / "test"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "PASS" in done.stdout
    assert done.stderr == ""
    # What make built is not stillpool's: it survives.
    models.compiled().write(tmp_path / "p")
    assert (tmp_path / "p" / "test" / "test_digits").exists()


def symbols(folder: Path, artifact: stillpool.Artifact) -> list[tuple[str, str]]:
    """(kind, name) of every symbol in the artefact's objects, as nm prints them."""
    toolchain.unpack(artifact.code, folder)
    found: list[tuple[str, str]] = []
    for path in (path for path in artifact.code if path.endswith(".c")):
        command = ["gcc", "-std=c99", "-Os", "-Iinclude", "-c", path, "-o", "object.o"]
        subprocess.run(command, cwd=folder, check=True)
        done = subprocess.run(["nm", "-P", "object.o"], cwd=folder, capture_output=True, text=True, check=True)
        found += [(line.split()[1], line.split()[0]) for line in done.stdout.splitlines()]
    return found


def test_objects_have_no_writable_data_and_no_heap(tmp_path: Path) -> None:
    found = symbols(tmp_path, models.compiled())
    assert not [name for kind, name in found if kind in "DdBbCc"]
    outside = {name for kind, name in found if kind == "U"} - {name for kind, name in found if kind != "U"}
    allowed = {"memcpy", "memset", "expf", "roundf", "fmaxf", "fminf"}
    assert outside <= allowed, outside - allowed


def test_builtin_pools_are_the_only_writable_data(tmp_path: Path) -> None:
    found = symbols(tmp_path, models.compiled(workspace_io="all", builtin_pools=True))
    assert [name for kind, name in found if kind in "DdBbCc"] == ["digits_workspace_pool"]


def test_linker_visible_names_begin_with_the_model(tmp_path: Path) -> None:
    found = symbols(tmp_path, models.compiled())
    public = {name for kind, name in found if kind.isupper() and kind != "U"}
    assert {"digits_run", "digits_map_inputs", "digits_map_outputs"} <= public
    assert all(name.startswith("digits_") for name in public)


def test_functions_do_not_recurse() -> None:
    calls: dict[str, set[str]] = {}
    for function in models.compiled().module.walk():
        if isinstance(function, FuncOp):
            callees = {op.callee.string_value() for op in function.walk() if isinstance(op, CallOp)}
            calls[function.sym_name.data] = callees
    assert any(calls.values())
    # Peeling functions that call nothing left over ends with none exactly when there is no cycle.
    while leaves := [name for name, callees in calls.items() if not callees & calls.keys()]:
        for name in leaves:
            del calls[name]
    assert not calls


def test_manifest_is_valid_and_true(tmp_path: Path) -> None:
    artifact = models.compiled()
    artifact.write(tmp_path / "p")
    document = json.loads((tmp_path / "p" / "manifest.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema("manifest"))
    jsonschema.validate(document, schema("manifest"))
    written = sorted(path.relative_to(tmp_path / "p").as_posix() for path in (tmp_path / "p").rglob("*.*"))
    assert document["files"] == sorted([*written, "Makefile", "test/Makefile"])
    pools = {pool["name"]: pool for pool in document["pools"]}
    assert list(pools) == ["workspace"]
    for buffer in document["buffers"]:
        assert buffer["offset"] + buffer["bytes"] <= pools[buffer["pool"]]["bytes"]
        assert buffer["first_use"] <= buffer["last_use"]
    tensors = document["inputs"] + document["outputs"]
    assert {tensor["name"] for tensor in tensors} <= {buffer["name"] for buffer in document["buffers"]}
    assert all(tensor["pool"] == "workspace" and len(tensor["scale"]) == 1 for tensor in tensors)
    assert sum(operator["macs"] for operator in document["operators"]) > 0


def test_manifest_of_caller_owned_tensors_is_valid() -> None:
    document = models.compiled(workspace_io="none").manifest
    jsonschema.validate(document, schema("manifest"))
    assert all(tensor["pool"] is None and tensor["offset"] is None for tensor in document["inputs"])


def test_schema_refuses_a_half_placed_tensor() -> None:
    document = models.compiled().manifest
    document["inputs"][0]["offset"] = None
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema("manifest"))


def test_bytes_do_not_depend_on_the_hash_seed_or_the_folder(tmp_path: Path) -> None:
    code = "import sys, stillpool; stillpool.compile(sys.argv[1]).write('out')"
    trees: list[dict[str, bytes]] = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        (folder / "digits.tflite").write_bytes(models.example().read_bytes())
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        arguments = [sys.executable, "-c", code, str(folder / "digits.tflite")]
        subprocess.run(arguments, cwd=folder, env=environment, check=True)
        out = folder / "out"
        trees.append({str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()})
    assert trees[0] == trees[1]
    for path, data in trees[0].items():
        assert str(tmp_path).encode() not in data, path
        assert not re.search(rb"\b20[0-9]{2}-[01][0-9]", data), f"{path} seems to hold a date"


def test_run_gives_arrays_by_name() -> None:
    artifact = models.compiled()
    name = artifact.description.inputs[0].name
    stacked = random_inputs(artifact.description, 2, 3)[name]
    rows = [artifact.run({name: stacked[index]}) for index in range(2)]
    together = artifact.execute({name: stacked}).outputs
    for output in artifact.description.outputs:
        np.testing.assert_array_equal(np.stack([row[output.name] for row in rows]), together[output.name])


@cache
def both() -> System:
    """A system of two models."""
    made = stillpool.compile([models.example(), Request(models.example(), "other")])
    assert isinstance(made, System), "several models were given"
    return made


@pytest.mark.parametrize(
    ("level", "message"),
    [
        (
            "memrefs",
            "'memrefs' is not a level of the IR; did you mean 'memref'? available: nn, tasks, memref, pools, emitc",
        ),
        ("bogus", "'bogus' is not a level of the IR; available: nn, tasks, memref, pools, emitc"),
        ("c", "'c' is text, not a module; available: nn, tasks, memref, pools, emitc"),
    ],
)
def test_levels_that_do_not_exist_are_refused(level: str, message: str) -> None:
    for made in (models.compiled(), both()):
        with pytest.raises(UsageError) as caught:
            made.level(level)
        assert str(caught.value) == message


def test_options_that_do_not_exist_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^compile\(\) has no option 'anything'; available: algorithm, "):
        stillpool.compile(models.example(), anything=1)  # pyright: ignore
    with pytest.raises(UsageError, match=r"'workspace-io'; did you mean 'workspace_io'\? available: "):
        stillpool.compile([models.example()], **{"workspace-io": "none"})  # pyright: ignore


def test_what_is_compiled_prints_in_a_line() -> None:
    artifact = models.compiled()
    texts = [repr(made) for made in (artifact, artifact.model, both())]
    assert texts[0] == f"<Artifact {artifact.verdict}>"
    assert texts[1].startswith("Model(name='digits', source='")
    assert texts[2] == f"<System {both().verdict}>"
    assert all(len(text) < 300 and "\\x" not in text for text in [*texts, repr(artifact.sources)])


@pytest.mark.parametrize("level", ["nn", "tasks", "memref", "pools", "emitc"])
def test_every_level_is_text_that_parses_again(level: str) -> None:
    from xdsl.parser import Parser

    from stillpool.driver.pipeline import context

    module = models.compiled().level(level)
    again = Parser(context(), str(module)).parse_module()
    again.verify()
    assert str(again) == str(module)
