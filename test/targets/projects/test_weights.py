"""Layouts of projects whose constants are files of bytes: their build files compile and find them."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest
from building import WARNINGS, cmake, run

import stillpool

DIGITS = Path(__file__).resolve().parents[3] / "examples" / "digits" / "digits.tflite"
WAYS = ("incbin", "binary")
ARDUINO = """\
struct {
    void begin(long) {}
    template <class T> void print(T) {}
    template <class T> void println(T) {}
} Serial;
static unsigned long micros() { return 7; }
#include SKETCH
int main() { setup(); }
"""
FILES = {
    "incbin": ("include/digits_data.bin", "src/digits_data.S"),
    "binary": ("include/digits_constants.bin", "test/test_digits_constants.S"),
}


@pytest.fixture(scope="module", params=WAYS)
def way(request: pytest.FixtureRequest) -> tuple[str, stillpool.Artifact]:
    return request.param, stillpool.compile(DIGITS, weights=cast("Any", request.param))


@pytest.mark.parametrize("name", ["dir", "zephyr", "esp-idf", "platformio", "cmsis-pack"])
def test_every_layout_has_them(name: str, way: tuple[str, stillpool.Artifact]) -> None:
    weights, artifact = way
    assert set(FILES[weights]) <= set(artifact.tree(name))


def test_build_files_name_the_assembly(way: tuple[str, stillpool.Artifact]) -> None:
    weights, artifact = way
    for name, path in (("zephyr", "zephyr/CMakeLists.txt"), ("esp-idf", "CMakeLists.txt")):
        assert ("src/digits_data.S" in artifact.tree(name)[path].decode()) == (weights == "incbin")
    files = ElementTree.fromstring(artifact.tree("cmsis-pack")["stillpool.digits.pdsc"]).iter("file")
    found = {file.get("name"): (file.get("category"), file.get("language")) for file in files}
    assert found[FILES[weights][0]] == ("other", None)
    assert found.get("src/digits_data.S") == (("source", "asm") if weights == "incbin" else None)


def test_make_and_cmake(way: tuple[str, stillpool.Artifact], tmp_path: Path) -> None:
    artifact = way[1]
    artifact.write(tmp_path / "d")
    assert "PASS" in run("make", "check", f"CFLAGS={' '.join(WARNINGS)}", cwd=tmp_path / "d")
    run("make", cwd=tmp_path / "d")
    cmake(tmp_path / "d", tmp_path / "build")
    assert "100% tests passed" in run("ctest", cwd=tmp_path / "build")


def test_changed_constants_are_taken_in_anew(tmp_path: Path) -> None:
    stillpool.compile(DIGITS, weights="incbin").write(tmp_path)
    run("make", "check", cwd=tmp_path)
    blob = tmp_path / "include" / "digits_data.bin"
    blob.write_bytes(bytes(blob.stat().st_size))
    with pytest.raises(AssertionError, match="FAIL"):
        run("make", "check", cwd=tmp_path)


def test_the_sketch_has_constants(way: tuple[str, stillpool.Artifact], tmp_path: Path) -> None:
    weights, artifact = way
    artifact.write(tmp_path / "d", "arduino")
    assert (tmp_path / "d/src" / Path(FILES[weights][0]).name).exists()
    assembled = [*(tmp_path / "d/examples/digits").glob("*.S"), *(tmp_path / "d/src").glob("*.S")]
    assert len(assembled) == 1
    # What Arduino does: everything in the folders of the sketch and of the library, with the latter's on the path.
    (tmp_path / "main.cpp").write_text(ARDUINO)
    place = f'-DSKETCH="{tmp_path / "d/examples/digits/digits.ino"}"'
    run("gcc", "-c", "-Id/src", *map(str, (tmp_path / "d/src").glob("*.c")), *map(str, assembled), cwd=tmp_path)
    objects = sorted(str(path) for path in tmp_path.glob("*.o"))
    run("g++", "-Id/src", place, "main.cpp", *objects, "-o", "program", "-lm", cwd=tmp_path)
    run(tmp_path / "program", cwd=tmp_path)


def test_the_archive_has_them(way: tuple[str, stillpool.Artifact]) -> None:
    weights, artifact = way
    with tarfile.open(fileobj=io.BytesIO(artifact.tree("mlf")["digits.tar"])) as archive:
        names = archive.getnames()
    assert f"codegen/host/{FILES[weights][0]}" in names


def test_the_bill_of_materials_lists_them_under_the_models_terms(way: tuple[str, stillpool.Artifact]) -> None:
    weights, artifact = way
    bill = artifact.tree("dir", ["sbom"])["report/digits.cdx.json"].decode()
    assert f'"name": "{FILES[weights][0]}"' in bill
    listed = {one["name"]: one for one in json.loads(bill)["components"]}
    assert listed[FILES[weights][0]]["licenses"] == [{"license": {"name": "LicenseRef-Model"}}]
