"""The verbs on the shipped example: what they print, write and return."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from stillpool.cli import main
from stillpool.targets.interfaces.interface import Interface

MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"


def invoke(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def test_compile_writes_the_tree(tmp_path: Path) -> None:
    code, out, err = invoke("compile", MODEL, "-o", tmp_path / "p")
    assert (code, out) == (0, "")
    assert err.startswith("digits\n  RAM ")
    files = {path.relative_to(tmp_path / "p").as_posix() for path in (tmp_path / "p").rglob("*") if path.is_file()}
    assert files == {
        "CMakeLists.txt",
        "Makefile",
        "include/digits.h",
        "src/digits.c",
        "src/digits_data.c",
        "test/test_digits.c",
        "test/Makefile",
        "report/memory.txt",
        "manifest.json",
    }


def test_compile_says_what_it_wrote_as_json_and_can_be_quiet(tmp_path: Path) -> None:
    code, out, err = invoke("compile", MODEL, "-o", tmp_path / "p", "--json", "-q", "--name", "my net")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert (document["model"], document["identifier"]) == ("my net", "my_net")
    assert (tmp_path / "p" / "include" / "my_net.h").exists()


@pytest.mark.parametrize(
    ("level", "words"),
    [
        ("nn", "nn.conv2d"),
        ("memref", "memref.alloc"),
        ("pools", "pool.offset"),
        ("emitc", "emitc.func"),
        ("c", "int32_t"),
    ],
)
def test_compile_prints_levels(level: str, words: str) -> None:
    code, out, err = invoke("compile", MODEL, "--emit", level)
    assert (code, err) == (0, "")
    assert words in out


def test_compile_obeys_named_pools(tmp_path: Path) -> None:
    code, _, _ = invoke("compile", MODEL, "-o", tmp_path / "p", "--workspace-pool", "sram:size=256K,align=32")
    header = (tmp_path / "p" / "include" / "digits.h").read_text()
    assert code == 0
    assert "#define DIGITS_SRAM_POOL_ALIGN 32\n" in header
    assert "    uint8_t *sram;" in header


def test_over_budget_is_3_and_writes_nothing(tmp_path: Path) -> None:
    code, out, err = invoke("compile", MODEL, "-o", tmp_path / "p", "--workspace-pool", "sram:size=64")
    assert (code, out) == (3, "")
    assert "sram" in err
    assert list(tmp_path.iterdir()) == []


def test_run_on_given_arrays(tmp_path: Path) -> None:
    shape = json.loads(invoke("analyze", MODEL, "--json")[1])["inputs"][0]["shape"]
    np.save(tmp_path / "x.npy", np.zeros(shape, np.int8))
    code, out, err = invoke(
        "run", MODEL, "--input", tmp_path / "x.npy", "--output-dir", tmp_path / "out", "--json", "-q"
    )
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["runtime"]["median_us"] > 0
    (entry,) = document["outputs"]
    written = np.load(tmp_path / "out" / "output_0.npy")
    assert (entry["dtype"], entry["shape"]) == (str(written.dtype), list(written.shape))


def test_run_without_arrays_is_reproducible(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        assert invoke("run", MODEL, "--seed", "5", "--output-dir", tmp_path / folder)[0] == 0
    first, second = (np.load(tmp_path / folder / "output_0.npy") for folder in ("a", "b"))
    np.testing.assert_array_equal(first, second)


def test_run_refuses_wrong_arrays(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(3, np.float64))
    code, out, err = invoke("run", MODEL, "--input", tmp_path / "x.npy")
    assert (code, out) == (1, "")
    assert "got float64 of shape [3]" in err
    (tmp_path / "y.npy").write_text("not an array")
    assert invoke("run", MODEL, "--input", tmp_path / "y.npy")[0] == 1


def test_run_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    code, _, err = invoke("run", MODEL)
    assert code == 1
    assert "no-such-compiler" in err
    assert "install gcc or clang" in err


def test_verify_says_exact_and_by_whom() -> None:
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    code, out, _ = invoke("verify", MODEL, "--samples", "4", "--json")
    document = json.loads(out)
    assert code == 0
    assert (document["oracle"], document["exact"], document["samples"]) == ("TFLite Micro", True, 4)


def test_verify_finds_wrong_code(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    from stillpool.run import host

    program = host.host_program

    def broken(interface: Interface) -> str:
        """The host program, with one bit of every output turned."""
        text = program(interface)
        turned = text.replace(
            "need(repeat != repeats || fwrite(outputs.",
            f"outputs.{interface.model.outputs[0].identifier}[0] ^= 1;\nneed(repeat != repeats || fwrite(outputs.",
        )
        assert turned != text
        return turned

    monkeypatch.setattr(host, "host_program", broken)
    code, out, _ = invoke("verify", MODEL, "--samples", "2")
    assert code == 4
    assert "WRONG" in out
    assert "first at sample 0, index 0" in out


def test_analyze_leads_with_the_verdict() -> None:
    code, out, _ = invoke("analyze", MODEL)
    assert code == 0
    assert out.startswith("digits: workspace ")
    assert "live at the peak of workspace" in out


def test_a_malformed_model_is_1_and_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.tflite").write_bytes(MODEL.read_bytes()[:200])
    code, out, err = invoke("compile", tmp_path / "bad.tflite", "-o", tmp_path / "p")
    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    assert not (tmp_path / "p").exists()


def test_the_commands_are_installed(tmp_path: Path) -> None:
    scripts = Path(sys.executable).parent
    done = subprocess.run(
        [scripts / "stillpool", "analyze", MODEL, "--json"], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["fits"] is True
    done = subprocess.run([scripts / "stillpool-opt", MODEL], capture_output=True, text=True, check=True)
    assert "nn.conv2d" in done.stdout
