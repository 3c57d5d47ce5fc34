"""The benchmark of models: what it keeps, what it compares with, and what it says is missing."""

# pyright: reportMissingImports=false
# Modules beside this folder are found at run time.

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import history
from peers import Peers

ROOT = Path(__file__).resolve().parents[2]


def test_a_release_replaces_its_own_results_and_keeps_the_others(tmp_path: Path) -> None:
    file = tmp_path / "models.json"
    for release, value in (("0.9.0", 1), ("0.10.0", 2), ("0.9.0", 3)):
        history.record(file, release, {"value": value})
    assert list(json.loads(file.read_text())["releases"].items()) == [("0.9.0", {"value": 3}), ("0.10.0", {"value": 2})]
    assert history.earlier(file, "0.9.0") is None
    assert history.earlier(file, "0.10.0") == ("0.9.0", {"value": 3})
    assert history.earlier(file, "1.0.0") == ("0.10.0", {"value": 2})
    assert history.earlier(tmp_path / "none.json", "1.0.0") is None


def _run(kernels: str, opt: str, instructions: int) -> dict[str, Any]:
    sizes = {
        "code_flash_bytes": 10,
        "total_flash_bytes": 30,
        "arena_used_bytes": 5,
        "static_ram_data_bss_excl_arena": 2,
    }
    key = {"model": "toy", "target": "cortex-m4", "kernels": kernels, "opt": opt, "mode": "time", "rc": 0}
    return {**key, **sizes, "insns_per_inference": instructions, "stack_invoke": 900}


def test_peers_are_found_by_content_and_the_strongest_build_counts(tmp_path: Path) -> None:
    model, other = tmp_path / "any.tflite", tmp_path / "other.tflite"
    model.write_bytes(b"model")
    other.write_bytes(b"other")
    digest = hashlib.md5(b"model", usedforsecurity=False).hexdigest()
    runs = [_run("ref", "O3", 9000), _run("cmsis", "O3", 200), _run("cmsis8", "def", 100)]
    host = {"tflm_ref": [{"median_us": 4}], "litert_xnnpack": {"error": "refused"}, "litert_builtin_no_delegate": []}
    found = Peers({"models": {"toy": {"md5": digest}}, "qemu": runs, "host": {"toy": host}})
    best = found.emulated(model, "cortex-m4")
    assert best is not None
    assert (best["build"], best["instructions"], best["ram_bytes"]) == ("cmsis8 def", 100, 7)
    assert found.emulated(other, "cortex-m4") is None
    assert found.emulated(model, "cortex-m0plus") is None
    assert not found.has("rv32imc")
    assert found.on_host(model) == {"tflm_ref": 4.0}
    assert Peers.read(tmp_path / "none.json").emulated(model, "cortex-m4") is None


def test_without_public_models_the_example_is_measured_and_what_is_missing_is_said(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "bench", tmp_path / "here" / "bench")
    shutil.copytree(ROOT / "examples" / "digits", tmp_path / "here" / "examples" / "digits")
    command = [sys.executable, "bench/run_models.py", "--targets", "host"]
    done = subprocess.run(command, cwd=tmp_path / "here", capture_output=True, text=True, check=True, timeout=600)
    assert "digits" in done.stdout
    assert "missing: ../shared/models is not here: only the shipped example is measured" in done.stdout
    assert "missing: ../shared/peers/tflm.json is not here" in done.stdout
    results = tmp_path / "here" / "bench" / "results" / "models.json"
    kept = ROOT / "bench" / "results" / "models.json"
    assert results.exists() == kept.exists()
    if kept.exists():
        assert results.read_bytes() == kept.read_bytes()


def test_a_model_that_cannot_be_measured_is_missing_with_the_reason(tmp_path: Path) -> None:
    from model_figures import measured

    broken = tmp_path / "broken.tflite"
    broken.write_bytes(b"no model at all")
    assert "broken.tflite" in measured(broken, "host", "2", None, 60)["missing"]
    assert measured(broken, "host", "2", None, 0.01) == {"missing": "took longer than 0.01 s"}
