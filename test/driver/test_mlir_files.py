"""`.mlir` files as models: every verb takes them, and MLIR's own code is their reference where it is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from stateful import COUNTER

import stillpool
from stillpool.cli import main

DIGITS = Path(__file__).parents[2] / "examples/digits/digits.tflite"
NEEDS_MLIR = pytest.mark.skipif(shutil.which("mlir-runner-22") is None, reason="mlir-runner-22 is not installed")

# As mlir-opt prints it: a returned buffer, a scalar argument, a parallel loop, an alloc within.
SCALED = """
memref.global "private" constant @weights : memref<4xi32> = dense<[1, -2, 3, 4]> {alignment = 16 : i64}
func.func @scaled(%x: memref<4xi32>, %factor: i32) -> memref<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %w = memref.get_global @weights : memref<4xi32>
  %t = memref.alloc() : memref<4xi32>
  %y = memref.alloc() : memref<4xi32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %a = memref.load %x[%i] : memref<4xi32>
    %b = memref.load %w[%i] : memref<4xi32>
    %p = arith.muli %a, %b : i32
    memref.store %p, %t[%i] : memref<4xi32>
    scf.reduce
  }
  affine.for %i = 0 to 4 {
    %a = affine.load %t[3 - %i] : memref<4xi32>
    %p = arith.muli %a, %factor : i32
    affine.store %p, %y[%i] : memref<4xi32>
  }
  return %y : memref<4xi32>
}
"""


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(arguments))
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def scaled(tmp_path: Path) -> Path:
    file = tmp_path / "scaled.mlir"
    file.write_text(SCALED)
    return file


def test_runs_by_name(scaled: Path) -> None:
    """Names come from the text; the result is an output, the scalar an input."""
    artifact = stillpool.compile(scaled)
    x = np.array([5, 6, 7, 8], np.int32)
    outputs = artifact.run({"x": x, "factor": np.array(10, np.int32)})
    np.testing.assert_array_equal(outputs["result_0"], [320, 210, -120, 50])
    manifest = artifact.manifest
    described = [(t["name"], t["dtype"], t["shape"]) for t in (*manifest["inputs"], *manifest["outputs"])]
    assert described == [("x", "int32", [4]), ("factor", "int32", []), ("result_0", "int32", [4])]
    assert manifest["code"]["weights_bytes"] == 16


@NEEDS_MLIR
def test_project_has_a_self_test_with_golden_outputs(scaled: Path, tmp_path: Path) -> None:
    code, _, err = invoke("compile", str(scaled), "-o", str(tmp_path / "out"))
    assert code == 0, err
    done = subprocess.run(["make", "-s", "-C", str(tmp_path / "out/test")], capture_output=True, text=True)
    assert "equal the golden outputs" in done.stdout, done.stdout + done.stderr
    assert (tmp_path / "out/report/memory.txt").read_text().startswith("scaled: workspace 32 bytes")


@NEEDS_MLIR
def test_verify_compares_with_mlir(scaled: Path) -> None:
    code, out, err = invoke("verify", str(scaled), "--samples", "2", "--json")
    assert code == 0, err
    document = json.loads(out)
    assert (document["oracle"], document["exact"]) == ("mlir-runner", True)


@NEEDS_MLIR
@pytest.mark.parametrize(
    ("level", "target"),
    [
        ("nn", ""),
        ("tasks", ""),
        ("tasks", "cortex-m4"),
        *(("memref", f"cortex-m{cpu}") for cpu in ("0plus", "4", "55")),
    ],
)
def test_verify_compares_what_mlir_does_not_know_as_loops(level: str, target: str, tmp_path: Path) -> None:
    """The words say whose loops they are. Schedules for a processor stand in some, and what it does at once."""
    code, text, err = invoke("compile", str(DIGITS), "--emit", level, *(["--target", target] if target else []))
    assert code == 0, err
    file = tmp_path / "digits.mlir"
    file.write_text(text)
    code, out, err = invoke("verify", str(file), "--samples", "2", "--json")
    assert code == 0, err
    document = json.loads(out)
    assert (document["oracle"], document["exact"]) == ("mlir-runner, from the loops that stillpool made", True)


# The bytes of its state slide, an operation of `simd` on every processor.
STREAMED = """
func.func @streamed(%x: tensor<1x3xi8>) -> tensor<1x2xi8> {
  %f = nn.constant dense<[[1, -2, 3], [40, 5, -6], [-7, 80, 9], [10, -11, 120]]> : tensor<4x3xi8>
  %t = nn.constant dense<[[1, -2], [3, 40], [-50, 6], [70, 80]]> : tensor<4x2xi8>
  %b = nn.constant dense<[5, -600]> : tensor<2xi32>
  %s = nn.variable "state" initial dense<-7> : tensor<1x8xi8>
  %y = nn.svdf %x, %f, %t bias %b state %s zero_points [3, -7, 2] rescale <[1479101824, 1754508160], [-8, -4]>
    clamp <-128, 127> : (tensor<1x3xi8>, tensor<4x3xi8>, tensor<4x2xi8>, tensor<2xi32>, !nn.variable<tensor<1x8xi8>>)
    -> tensor<1x2xi8>
  func.return %y : tensor<1x2xi8>
}
"""


@NEEDS_MLIR
@pytest.mark.parametrize("level", ["nn", "memref"])
def test_verify_takes_state_that_slides(level: str, tmp_path: Path) -> None:
    file = tmp_path / "streamed.mlir"
    file.write_text(STREAMED)
    code, text, err = invoke("compile", str(file), "--emit", level)
    assert code == 0, err
    file.write_text(text)
    code, out, err = invoke("verify", str(file), "--samples", "3", "--json")
    assert code == 0, err
    assert json.loads(out)["exact"] is True


@NEEDS_MLIR
def test_verify_keeps_state_from_sample_to_sample(tmp_path: Path) -> None:
    """Two states, one of which does not begin at zero."""
    file = tmp_path / "counter.mlir"
    file.write_text(COUNTER)
    code, out, err = invoke("verify", str(file), "--samples", "3", "--json")
    assert code == 0, err
    assert json.loads(out)["exact"] is True


def test_verify_says_what_is_missing(scaled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stillpool.run.oracles.mlir_runner.VERSIONS", ("-of-nowhere",))
    code, out, err = invoke("verify", str(scaled))
    assert (code, out) == (1, "")
    assert "mlir-opt is not installed; install MLIR's tools" in err


@NEEDS_MLIR
def test_an_output_that_is_an_input_too_has_no_reference(tmp_path: Path) -> None:
    file = tmp_path / "sum.mlir"
    file.write_text(
        "func.func @sum(%x: memref<2xi8>, %y: memref<2xi8>) {\n  affine.for %i = 0 to 2 {\n"
        "    %a = affine.load %x[%i] : memref<2xi8>\n    %b = affine.load %y[%i] : memref<2xi8>\n"
        "    %c = arith.addi %a, %b : i8\n    affine.store %c, %y[%i] : memref<2xi8>\n  }\n  return\n}\n"
    )
    code, _, err = invoke("verify", str(file))
    assert code == 1
    assert "an output depends on what its array held before" in err


@pytest.mark.parametrize("verb", ["analyze", "run"])
def test_other_verbs(verb: str, scaled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    extra = ["--output-dir", "outputs"] if verb == "run" else []
    code, out, err = invoke(verb, str(scaled), "--json", *extra)
    assert code == 0, err
    assert json.loads(out)


def test_several_functions_are_several_models(tmp_path: Path) -> None:
    file = tmp_path / "two.mlir"
    file.write_text(SCALED + SCALED.replace("@scaled", "@other").replace("@weights", "@others"))
    code, _, err = invoke("compile", str(file), "-o", str(tmp_path / "out"))
    assert code == 0, err
    assert {path.name for path in (tmp_path / "out/include").iterdir()} >= {"two_scaled.h", "two_other.h"}
    assert stillpool.load(file, signature="other").outputs == ["result_0"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @f(%x: memref<4xi8>) {\n  foo.bar\n}\n", "bad.mlir:3:1: Operation foo.bar is not registered"),
        ("func.func private @f()\n", "bad.mlir: no public func.func with a body"),
        ("func.func @f(%x: memref<?xi8>) {\n  return\n}\n", "bad.mlir: argument 0 of @f has a dynamic shape"),
        (
            "func.func @f(%x: memref<4xi8>, %i: index) {\n  %v = vector.load %x[%i] : memref<4xi8>, vector<4xi8>\n"
            "  %w = vector.bitcast %v : vector<4xi8> to vector<1xi32>\n  return\n}\n",
            "bad.mlir:3:3: 'vector.bitcast' op of vector<4xi8>, vector<1xi32> cannot be lowered to scalars",
        ),
        ("\x80", "not UTF-8"),
    ],
)
def test_errors_name_the_place(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.mlir"
    file.write_bytes(text.encode("latin-1"))
    code, out, err = invoke("compile", str(file), "-o", str(tmp_path / "out"))
    assert (code, out) == (1, "")
    assert message in err
    assert err.count("\n") == 1
