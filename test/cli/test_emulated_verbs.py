"""`run` and `verify` on emulated processors: figures as JSON and as tables, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from stillpool.cli import main
from stillpool.driver.compile.compilation import Compilation

MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"
needs_emulator = pytest.mark.extra("emulate")


def invoke(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


@needs_emulator
def test_run_reports_figures_as_json(tmp_path: Path) -> None:
    code, out, _ = invoke("run", MODEL, "--target", "cortex-m4", "--json", "--output-dir", tmp_path, "--cc", "zig")
    document = json.loads(out)
    runtime = document["runtime"]
    assert (code, document["target"], runtime["emulator"]) == (0, "cortex-m4", "unicorn")
    assert runtime["compiler"].startswith("zig ")
    assert 0 < runtime["stack_bytes"] <= runtime["worst_case_stack_bytes"]
    assert runtime["instructions"] < runtime["estimated_cycles"]
    assert runtime["cycle_model"] == "estimated, ideal memory"
    parts = runtime["flash"]
    assert parts["total"] == sum(parts[key] for key in ("code", "weights", "tables", "padding", "data"))
    assert runtime["ram"]["pools"] == sum(pool["bytes"] for pool in document["pools"])
    inside = sum(entry["instructions"] for entry in runtime["operators"])
    assert inside + runtime["between_operators"]["instructions"] == runtime["instructions"]
    invoke("run", MODEL, "--output-dir", tmp_path / "host")
    np.testing.assert_array_equal(np.load(tmp_path / "output_0.npy"), np.load(tmp_path / "host" / "output_0.npy"))


@needs_emulator
def test_run_prints_tables() -> None:
    code, out, err = invoke("run", MODEL, "--target", "rv32imc", "--cc", "zig", "--opt", "s")
    assert (code, err) == (0, "no --input: random inputs, seed 0\n")
    assert re.search(r"rv32imc, unicorn, zig 0\.17\.\d+ -Os", out)
    assert "estimated" not in out  # there is no model of its cycles
    for word in ("stack, worst case", "flash", "RAM", "CONV_2D", "(between)", "per MAC"):
        assert word in out


@needs_emulator
def test_verify_compares_what_the_emulated_processor_computed() -> None:
    pytest.importorskip("tflite_micro")
    code, out, err = invoke("verify", MODEL, "--target", "cortex-m0plus", "--cc", "zig")
    assert (code, err) == (0, "")
    assert out.startswith("digits on cortex-m0plus: bit-exact on 3 random inputs, compared with TFLite Micro\n")


@pytest.mark.parametrize("verb", ["run", "verify"])
def test_the_hosts_compiler_is_not_chosen_here(verb: str) -> None:
    code, out, err = invoke(verb, MODEL, "--cc", "zig")
    assert (code, out) == (2, "")
    assert err == "error: --cc goes with an emulated processor; name one by --target\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--target", "z80"), "target 'z80' is not available; available: host, cortex-m0plus, "),
        (("--target", "cortex-m4", "--optimize", "size", "--emulator", "simics"), "unknown emulator 'simics'"),
        (("--target", "cortex-m4", "--optimize", "size", "--opt", "9"), "unknown optimisation '9'"),
        (("--target", "cortex-m4", "--optimize", "size", "--cc", "no-such-gcc"), "no-such-gcc is not installed"),
    ],
)
def test_what_does_not_exist_is_refused(options: tuple[str, ...], words: str) -> None:
    code, out, err = invoke("run", MODEL, "-q", *options)
    assert (code, out) == (2, "")
    assert words in err


@pytest.mark.parametrize("verb", ["run", "verify", "profile"])
def test_it_is_refused_before_the_model_is_compiled(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Compilation, "result", lambda _: pytest.fail("it was compiled"))
    code, out, err = invoke(verb, MODEL, "--target", "cortex-m4", "--emulator", "simics")
    assert (code, out) == (2, "")
    assert err == "error: unknown emulator 'simics'; choose one of unicorn, qemu\n"
