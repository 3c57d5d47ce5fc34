"""Model Library Format: an archive as TVM's tools open it, and code that compiles from it."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from building import passes, unpacked

import stillpool
from stillpool.run.artifact import Artifact

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def opened(artifact: Artifact, folder: Path) -> Path:
    return unpacked(artifact.tree("mlf")["digits.tar"], folder)


def test_it_compiles(artifact: Artifact, tmp_path: Path) -> None:
    passes(opened(artifact, tmp_path), sorted(tmp_path.glob("codegen/host/src/*.c")), "codegen/host/include")


def test_metadata(artifact: Artifact, tmp_path: Path) -> None:
    metadata = json.loads((opened(artifact, tmp_path) / "metadata.json").read_text())
    assert metadata["version"] == 7
    (module,) = metadata["modules"].values()
    assert {key: module[key] for key in ("model_name", "target", "executors", "style")} == {
        "model_name": "digits",
        "target": ["c"],
        "executors": ["aot"],
        "style": "full-model",
    }
    manifest = artifact.manifest
    (main,) = module["memory"]["functions"]["main"]
    assert main == {
        "device": 1,
        "workspace_size_bytes": sum(pool["bytes"] for pool in manifest["pools"]),
        "constants_size_bytes": manifest["code"]["weights_bytes"],
        "io_size_bytes": 74,
        "inputs": {"image": {"dtype": "int8", "size": 64}},
        "outputs": {"scores": {"dtype": "int8", "size": 10}},
    }
    assert len(module["memory"]["functions"]["operator_functions"]) == len(manifest["operators"])
    runtime = json.loads((tmp_path / "runtime-config" / "aot" / "digits.json").read_text())
    assert [(pool["pool_name"], pool["size_bytes"]) for pool in runtime["pools"]] == [("workspace", 1547)]


def test_each_device_is_a_target(tmp_path: Path) -> None:
    made = stillpool.compile(
        EXAMPLES / "digits" / "digits.tflite",
        externals=[
            "conv_2d=accelerator_conv:scratch=256,device=npu",
            "fully_connected=dsp_matrix:device=dsp",
            "add=plain_add",
        ],
    )
    (module,) = json.loads((opened(made, tmp_path) / "metadata.json").read_text())["modules"].values()
    assert module["target"] == ["c", "npu", "dsp"]
    memory = module["memory"]["functions"]
    # All memory is of the processor, once: sums over the devices are right.
    assert [entry["device"] for entry in memory["main"]] == [1, 12]
    assert memory["main"][0]["workspace_size_bytes"] == sum(pool["bytes"] for pool in made.manifest["pools"])
    assert not any(memory["main"][1][size] for size in ("workspace_size_bytes", "constants_size_bytes"))
    devices = {operator.function: operator.device for operator in made.description.operators}
    assert set(devices.values()) == {"", "dsp", "npu"}
    found = {entry["function_name"]: entry["workspace"] for entry in memory["operator_functions"]}
    for name, device in devices.items():
        sizes = {"device": 12 if device else 1, "workspace_size_bytes": 256 if device == "npu" else 0}
        assert found[name] == [sizes]


def test_parameters_are_a_list_of_no_arrays(artifact: Artifact, tmp_path: Path) -> None:
    data = (opened(artifact, tmp_path) / "parameters" / "digits.params").read_bytes()
    assert struct.unpack("<QQQQ", data) == (0xF7E58D4F05049CB7, 0, 0, 0)
