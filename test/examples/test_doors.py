"""Scripts that lead from frameworks to files: what they write compiles and equals the exact oracle."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stillpool
from stillpool.dialects.nn import RescaleAttr
from stillpool.run.oracles.oracle import OracleMissing
from stillpool.run.oracles.tosa import find
from stillpool.run.samples import random_inputs

DOORS = Path(__file__).resolve().parents[2] / "examples" / "doors"
PYTHONS = [sys.executable, *os.environ.get("STILLPOOL_DOORS", "").split(os.pathsep)]
"""Frameworks ask for other versions of packages: STILLPOOL_DOORS names interpreters of other environments."""


_WITHOUT_PACKAGES = """
import runpy, sys, types
sys.modules["numpy"] = types.ModuleType("numpy")
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@functools.cache
def _python(*packages: str) -> str:
    """The first interpreter that has all of some packages; the test is skipped where none has."""
    words = f"import importlib.util as u; exit(any(u.find_spec(p) is None for p in {packages!r}))"
    for python in filter(None, PYTHONS):
        if subprocess.run([python, "-c", words], check=False).returncode == 0:
            return python
    pytest.skip(f"no interpreter has {', '.join(packages)}: install them, or name one in STILLPOOL_DOORS")


def _equal(file: Path, inputs: np.ndarray) -> None:
    artifact = stillpool.compile(stillpool.load(file))
    (name,) = (tensor.name for tensor in artifact.description.inputs)
    found = next(iter(artifact.execute({name: inputs}).outputs.values()))
    np.testing.assert_array_equal(found, artifact.reference([inputs]).outputs[0])


def _run(script: str, *arguments: object, python: str = sys.executable) -> None:
    command = [python, DOORS / script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _equal_tosa(file: Path) -> None:
    """Bit for bit as the reference model, on inputs that all give other outputs."""
    try:
        find("tosa_reference_model")
    except OracleMissing as missing:
        pytest.skip(str(missing))
    artifact = stillpool.compile(stillpool.load(file))
    inputs = random_inputs(artifact.description, 20, seed=3)
    found = next(iter(artifact.execute(inputs).outputs.values()))
    np.testing.assert_array_equal(found, artifact.reference(list(inputs.values())).outputs[0])
    assert len({sample.tobytes() for sample in np.asarray(found)}) == 20


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
    _run("pytorch.py", "-o", tmp_path, python=_python("torch", "onnxscript", "onnxruntime"))
    with np.load(tmp_path / "samples.npz") as samples:
        _equal(tmp_path / "model_int8.onnx", samples["image"])


@pytest.mark.extra("verify")
def test_a_pytorch_network_as_tflite(tmp_path: Path) -> None:
    _run("pytorch_tflite.py", "-o", tmp_path, python=_python("litert_torch", "ai_edge_quantizer"))
    for name in ("model", "model_int8"):
        artifact = stillpool.compile(stillpool.load(tmp_path / f"{name}.tflite"))
        inputs = random_inputs(artifact.description, 20, seed=3)
        found = np.asarray(next(iter(artifact.execute(inputs).outputs.values())))
        wanted = artifact.reference(list(inputs.values())).outputs[0]
        np.testing.assert_allclose(
            found, wanted, rtol=1e-5 if name == "model" else 0, atol=1e-6 if name == "model" else 0
        )
        assert len({sample.tobytes() for sample in found}) == 20


def test_missing_packages_are_named(tmp_path: Path) -> None:
    """An interpreter that sees no packages at all."""
    command = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        _WITHOUT_PACKAGES,
        str(DOORS / "pytorch_tflite.py"),
        "-o",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install torch litert-torch ai-edge-quantizer" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_network_of_executorch(tmp_path: Path) -> None:
    _run("executorch_tosa.py", "-o", tmp_path, python=_python("executorch", "torchao", "tosa"))
    (file,) = tmp_path.glob("*.tosa")
    rescales = [op.properties.get("rescale") for op in stillpool.load(file).nn.walk()]
    assert "single" in {str(each.rounding) for each in rescales if isinstance(each, RescaleAttr)}
    _equal_tosa(file)


@pytest.mark.parametrize("name", ["cnn", "transformer"])
def test_networks_of_torch_mlir(name: str, tmp_path: Path) -> None:
    _run("torch_mlir_tosa.py", "-o", tmp_path, python=_python("torch", "torch_mlir"))
    _equal_tosa(tmp_path / f"{name}.mlir")


@pytest.mark.extra("verify")
@pytest.mark.parametrize(("name", "options", "packages"), [("cnn", [], []), ("keras", ["--keras"], ["keras"])])
def test_networks_of_jax(name: str, options: list[str], packages: list[str], tmp_path: Path) -> None:
    _run("jax_tflite.py", "-o", tmp_path, *options, python=_python("jax", "litert_converter", *packages))
    artifact = stillpool.compile(stillpool.load(tmp_path / f"{name}.tflite"))
    inputs = random_inputs(artifact.description, 10, seed=3)
    found = next(iter(artifact.execute(inputs).outputs.values()))
    np.testing.assert_array_equal(found, artifact.reference(list(inputs.values())).outputs[0])
    assert len({sample.tobytes() for sample in np.asarray(found)}) == 10
