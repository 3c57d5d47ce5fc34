"""Constants as files of bytes: the numbers are those of C arrays, and the manifest says what is where."""

from __future__ import annotations

import hashlib
import json
import subprocess
import zlib
from pathlib import Path
from typing import Any, cast

import jsonschema
import models
import numpy as np
import pytest
import toolchain

import stillpool
from stillpool.driver.options.pool_spec import parse_pool
from stillpool.machines.boards import get_board
from stillpool.report.schemas import schema
from stillpool.run.fit import uses
from stillpool.run.system import System

WAYS = ("incbin", "binary")
NOVELTY = models.ROOT / "examples" / "novelty" / "novelty.tflite"


@pytest.fixture(params=WAYS)
def artifact(request: pytest.FixtureRequest) -> stillpool.Artifact:
    return models.compiled(weights=request.param)


def test_outputs_are_those_of_c_arrays(artifact: stillpool.Artifact) -> None:
    inputs = {"image": np.arange(64, dtype=np.int8).reshape(1, 8, 8)}
    expected = models.compiled().run(inputs)
    for name, values in artifact.run(inputs).items():
        np.testing.assert_array_equal(values, expected[name])


def test_the_manifest_says_what_is_in_the_file(artifact: stillpool.Artifact) -> None:
    manifest = json.loads(artifact.files["manifest.json"])
    jsonschema.validate(manifest, schema("manifest") | {"$id": ""})
    (blob,) = manifest["blobs"]
    data = artifact.files[f"include/{blob['file']}"]
    assert (blob["bytes"], blob["crc32"]) == (len(data), zlib.crc32(data))
    assert blob["sha256"] == hashlib.sha256(data).hexdigest()
    ends = [0]
    for part in blob["constants"]:
        assert part["offset"] >= ends[-1]
        ends.append(part["offset"] + part["bytes"])
    assert ends[-1] <= len(data)
    assert sum(part["bytes"] for part in blob["constants"]) == models.compiled().description.constants.payload


def test_words_in_the_file_are_little_endian() -> None:
    artifact = models.compiled(weights="incbin")
    (blob,) = artifact.description.blobs
    data = artifact.code[f"include/{blob.file}"]
    part = next(part for part in blob.parts if part.name == "digits_digits_conv2d_Relu")
    text = models.compiled().code["src/digits_data.c"].decode()
    values = text.split("const int32_t digits_digits_conv2d_Relu[12] = {")[1].split("}")[0].split(",")
    numbers = np.frombuffer(data, "<i4", 12, part.offset)
    assert numbers.tolist() == [int(value) for value in values if value.strip()]
    assert part.offset % 4 == 0


@pytest.mark.parametrize("interface", ["native", "tvm", "ai"])
def test_the_arrays_that_assembly_defines_are_those_that_c_declares(interface: str) -> None:
    artifact = models.compiled(weights="incbin", interface=interface)
    assert "src/digits_data.c" not in artifact.code
    assembly = artifact.code["src/digits_data.S"].decode()
    plain = models.compiled(interface=interface)
    declared = [line for line in plain.code["src/digits_data.c"].decode().splitlines() if line.startswith("extern")]
    assert declared
    for line in declared:
        assert f"/* {line.removeprefix('extern ').removesuffix(';')} */" in assembly
    own = {path for path in plain.code if path.endswith((".c", ".h"))} - {"src/digits_data.c"}
    for path in own:
        assert artifact.code[path].partition(b"*/")[2] == plain.code[path].partition(b"*/")[2]


def test_a_constant_pool_is_a_file_instead_of_a_header() -> None:
    artifact = models.compiled(weights="binary", pools=["sram"])
    header = artifact.code["include/digits.h"].decode()
    assert "include/digits_constants.h" not in artifact.code
    data = artifact.code["include/digits_constants.bin"]
    assert f"#define DIGITS_CONSTANTS_POOL_SIZE {len(data)}\n" in header
    assert f"#define DIGITS_CONSTANTS_CONSTANT_POOL_CRC32 {zlib.crc32(data):#010x}u\n" in header
    assert "DIGITS_CONSTANTS_CONSTANT_POOL_DATA" not in header
    assert {pool["name"] for pool in artifact.manifest["pools"]} == {"sram", "constants"}


def test_named_constant_pools_have_a_file_each() -> None:
    pools = [parse_pool("itcm:size=1K", "constant"), parse_pool("qspi", "constant")]
    artifact = models.compiled(weights="binary", pools=pools)
    assert [blob["file"] for blob in artifact.manifest["blobs"]] == ["digits_itcm.bin", "digits_qspi.bin"]
    sizes = {pool["name"]: pool["bytes"] for pool in artifact.manifest["pools"]}
    for blob in artifact.manifest["blobs"]:
        assert blob["bytes"] == sizes[blob["pool"]]


@pytest.mark.parametrize(("compiler", "dialect"), toolchain.CASES)
@pytest.mark.parametrize("interface", ["native", "tvm"])
def test_the_self_test_passes_without_warnings(
    compiler: str, dialect: tuple[str, ...], interface: str, tmp_path: Path
) -> None:
    artifact = models.compiled(weights="binary", interface=interface, pools=["sram"])
    toolchain.unpack(artifact.files, tmp_path)
    # Nothing but C is compiled as C++.
    assembled = ("-x", "assembler-with-cpp", "test/test_digits_constants.S")
    flags = (*dialect, *toolchain.SANITISERS)
    sources = ["test/test_digits.c", "src/digits.c", "src/digits_data.c", *assembled]
    program = toolchain.build(tmp_path, compiler, flags, sources)
    assert subprocess.run([program], check=False).returncode == 0


@pytest.mark.parametrize("weights", WAYS)
def test_several_models(weights: str) -> None:
    made = stillpool.compile([models.DIGITS, NOVELTY], weights=cast("Any", weights))
    assert isinstance(made, System)
    found = sorted(path for path in made.files if path.endswith((".bin", ".S")))
    if weights == "incbin":
        names = ("digits", "novelty")
        assert found == sorted(p for n in names for p in (f"include/{n}_data.bin", f"src/{n}_data.S"))
    else:
        # The models share the pool, and so the file.
        assert found == ["include/digits_constants.bin", "test/test_digits_constants.S"]
    shape = made.artifacts[1].description.inputs[0]
    inputs = {shape.name: np.arange(shape.count).astype(shape.dtype).reshape(shape.shape)}
    expected = models.compiled(NOVELTY).run(inputs)
    for name, values in made.artifacts[1].run(inputs).items():
        np.testing.assert_array_equal(values, expected[name])


def test_fit_counts_a_pool_of_constants_that_the_board_does_not_name() -> None:
    board = get_board("single-sram-m4")
    plain, pooled = (uses(models.compiled(weights=way), board, "host") for way in ("source", "binary"))
    flash = [sum(use.bytes for use in used if use.memory.kind == "flash") for used in (plain, pooled)]
    assert flash[0] <= flash[1] <= flash[0] + 64


def test_a_network_without_constants_has_no_file() -> None:
    edges = models.ROOT / "examples" / "mlir" / "edges.mlir"
    artifact = stillpool.compile(edges, weights="incbin")
    assert bool(artifact.description.blobs) == bool(artifact.description.constants.payload)
    assert artifact.description.blobs or "src/edges_data.c" in artifact.code
