"""Scripts that lead from frameworks to files: what they write compiles and equals the exact oracle."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stillpool

DOORS = Path(__file__).resolve().parents[2] / "examples" / "doors"


def _equal(file: Path, inputs: np.ndarray) -> None:
    artifact = stillpool.compile(stillpool.load(file))
    (name,) = (tensor.name for tensor in artifact.description.inputs)
    found = next(iter(artifact.execute({name: inputs}).outputs.values()))
    np.testing.assert_array_equal(found, artifact.reference([inputs]).outputs[0])


def _run(script: str, *arguments: object) -> None:
    done = subprocess.run(
        [sys.executable, DOORS / script, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.extra("onnx")
@pytest.mark.parametrize("option", ["--per-tensor", "--unsigned"])
def test_a_float_file_becomes_one_of_eight_bits(option: str, tmp_path: Path) -> None:
    from onnx import helper, numpy_helper, save

    rng = np.random.default_rng(1)
    arrays = {"w": rng.normal(size=(4, 2, 3, 3)), "b": rng.normal(size=4), "m": rng.normal(size=(100, 5))}
    nodes = [
        helper.make_node("Conv", ["image", "w", "b"], ["c"]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Flatten", ["r"], ["f"]),
        helper.make_node("MatMul", ["f", "m"], ["scores"]),
    ]
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info("image", 1, [1, 2, 7, 7])],
        [helper.make_tensor_value_info("scores", 1, [1, 5])],
        [numpy_helper.from_array(array.astype(np.float32), name) for name, array in arrays.items()],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "model.onnx")
    samples = rng.normal(size=(8, 1, 2, 7, 7)).astype(np.float32)
    np.savez(tmp_path / "samples.npz", image=samples)
    target = tmp_path / "int8.onnx"
    _run("quantise_onnx.py", tmp_path / "model.onnx", tmp_path / "samples.npz", "-o", target, option)
    _equal(target, samples)


@pytest.mark.extra("onnx")
def test_a_pytorch_network(tmp_path: Path) -> None:
    for package in ("torch", "onnxscript"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install torch onnxscript")
    _run("pytorch.py", "-o", tmp_path)
    with np.load(tmp_path / "samples.npz") as samples:
        _equal(tmp_path / "model_int8.onnx", samples["image"])
