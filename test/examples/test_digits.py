"""The shipped example: the model's scores, the C application, and the accuracy that its README states."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path

import compilers
import numpy as np
import pytest

import stillpool

DIGITS = Path(__file__).resolve().parents[2] / "examples" / "digits"
WARNINGS = ["-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]


def test_compiled_model_scores_as_litert_did() -> None:
    artifact = stillpool.compile(DIGITS / "digits.tflite")
    (image,) = artifact.manifest["inputs"]
    with np.load(DIGITS / "samples.npz") as samples:
        real = samples["pixels"].astype(np.float32) / np.float32(16)
        level = np.floor(real / np.float32(image["scale"][0]) + np.float32(0.5)) + image["zero_point"][0]
        inputs = np.clip(level, -128, 127).astype(np.int8)
        for pixels, scores in zip(inputs[:8], samples["scores"][:8], strict=True):
            np.testing.assert_array_equal(artifact.run({"image": pixels[np.newaxis]})["scores"][0], scores)


@pytest.mark.parametrize("dialect", ["c99", "c++17"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_application_classifies_every_sample_as_litert_did(tmp_path: Path, compiler: str, dialect: str) -> None:
    language = ["-x", "c++"] if dialect == "c++17" else []
    sanitisers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    compilers.need(compiler, [*language, f"-std={dialect}", *sanitisers])
    stillpool.compile(DIGITS / "digits.tflite").write(tmp_path / "digits")
    script = runpy.run_path(str(DIGITS / "samples_header.py"))
    with np.load(DIGITS / "samples.npz") as samples:
        labels, scores = samples["labels"], samples["scores"]
        (tmp_path / "samples.h").write_text(script["header"](samples["pixels"], labels))
    sources = [str(DIGITS / "main.c"), "digits/src/digits.c", "digits/src/digits_data.c"]
    flags = [*WARNINGS, *sanitisers, "-I.", "-Idigits/include"]
    command = [compiler, *language, f"-std={dialect}", *flags, *sources, "-x", "none", "-o", "application", "-lm"]
    built = subprocess.run(
        [*command, *(["-lstdc++"] if language else [])], cwd=tmp_path, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    ran = subprocess.run(["./application"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    _, *rows, total = ran.stdout.splitlines()
    assert [int(row.split()[2]) for row in rows] == scores.argmax(1).tolist()
    right = int(np.sum(scores.argmax(1) == labels))
    assert total == f"{right} of {len(labels)} right"
    assert right / len(labels) > 0.95


def test_pools_script_prints_the_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    artifact = stillpool.compile(DIGITS / "digits.tflite")
    artifact.write(tmp_path / "digits")
    runpy.run_path(str(DIGITS / "pools.py"))["main"](tmp_path / "digits" / "manifest.json")
    (pool,) = artifact.manifest["pools"]
    line = f"pool workspace: {pool['bytes']} bytes, lower bound {pool['lower_bound_bytes']} bytes"
    assert capsys.readouterr().out.splitlines()[0] == line
