"""Which files each layout has: nothing more, nothing less."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile

import pytest

from stillpool.run.artifact import Artifact
from stillpool.targets.projects.registry import format_names

CODE = ["include/digits.h", "src/digits.c", "src/digits_data.c"]
REST = ["report/memory.txt", "test/Makefile", "test/test_digits.c"]
DIRECTORY = ["CMakeLists.txt", "Makefile", *CODE, *REST]
PACKED = [*CODE, *REST, "layer/digits.clayer.yml", "stillpool.digits.pdsc"]
LISTINGS = {
    "dir": DIRECTORY,
    "cmake": DIRECTORY,
    "mlf": ["digits.tar"],
    "zephyr": [*CODE, *REST, "zephyr/CMakeLists.txt", "zephyr/Kconfig", "zephyr/module.yml"],
    "arduino": [
        "examples/digits/digits.ino",
        "extras/report/memory.txt",
        "extras/test/Makefile",
        "extras/test/test_digits.c",
        "library.properties",
        "src/digits.c",
        "src/digits.h",
        "src/digits_data.c",
    ],
    "esp-idf": ["CMakeLists.txt", *CODE, *REST, "idf_component.yml"],
    "platformio": [*CODE, *REST, "library.json"],
    "cmsis-pack": [*PACKED, "stillpool.digits.1.0.0.pack"],
}
ARCHIVED = [
    "codegen/host/include/digits.h",
    "codegen/host/src/digits.c",
    "codegen/host/src/digits_data.c",
    "metadata.json",
    "parameters/digits.params",
    "runtime-config/aot/digits.json",
    *REST,
]
"""Of Model Library Format, without folders."""


def test_every_format_is_here() -> None:
    assert sorted(LISTINGS) == format_names()


@pytest.mark.parametrize("name", LISTINGS)
def test_files(name: str, artifact: Artifact) -> None:
    files = artifact.tree(name)
    assert sorted(files) == sorted([*LISTINGS[name], "manifest.json"])
    assert json.loads(files["manifest.json"])["files"] == sorted(files)


def test_files_in_archives(artifact: Artifact) -> None:
    with tarfile.open(fileobj=io.BytesIO(artifact.tree("mlf")["digits.tar"])) as archive:
        members = archive.getmembers()
        assert [entry.name for entry in members if entry.isfile()] == sorted(ARCHIVED)
        folders = {entry.name for entry in members if entry.isdir()}
    assert folders >= {"codegen", "codegen/host", "codegen/host/include", "codegen/host/src", "parameters"}
    tree = artifact.tree("cmsis-pack")
    with zipfile.ZipFile(io.BytesIO(tree["stillpool.digits.1.0.0.pack"])) as archive:
        assert archive.namelist() == sorted(PACKED)
        assert {name: archive.read(name) for name in archive.namelist()} == {name: tree[name] for name in PACKED}


def test_several_formats_lie_side_by_side(artifact: Artifact) -> None:
    files = artifact.tree(["esp-idf", "mlf"])
    own = {name: artifact.tree(name) for name in ("esp-idf", "mlf")}
    expected = {f"{name}/{path}": data for name, tree in own.items() for path, data in tree.items()}
    assert {path: data for path, data in files.items() if path != "manifest.json"} == expected
    assert json.loads(files["manifest.json"])["files"] == sorted(files)
