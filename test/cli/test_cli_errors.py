"""The command line without a model: exit codes, one-line errors, what --json prints."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import stillpool.cli
from stillpool.cli import VERBS, main


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_help_lists_every_verb_without_loading_them() -> None:
    code = "import sys; from stillpool.cli import main; main(['--help'], standalone_mode=False);"
    code += "assert not {'numpy', 'tflite', 'xdsl'} & set(sys.modules), 'heavy imports'"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert all(f"  {verb} " in done.stdout for verb in VERBS)


@pytest.mark.parametrize("verb", ["compile", "run", "verify", "analyze", "ops"])
def test_every_verb_has_help_and_json(verb: str) -> None:
    code, text, _ = invoke(verb, "--help")
    assert code == 0
    assert "--json" in text
    assert "--quiet" in text


def test_version() -> None:
    assert invoke("--version")[1] == f"stillpool, version {stillpool.__version__}\n"


@pytest.mark.parametrize("verb", ["run", "verify", "analyze"])
def test_missing_file(verb: str) -> None:
    code, out, err = invoke(verb, "no/such.tflite")
    assert (code, out) == (1, "")
    assert err == "error: cannot read no/such.tflite: No such file or directory\n"


def test_a_name_neither_ends_the_line_nor_steers_the_terminal() -> None:
    _, _, err = invoke("analyze", "a\n\x1b[31m\u202eb.tflite")
    assert err == "error: cannot read a\\n\\x1b[31m\\u202eb.tflite: No such file or directory\n"


def test_missing_file_as_json() -> None:
    code, out, _ = invoke("analyze", "no/such.tflite", "--json")
    assert code == 1
    assert json.loads(out)["error"]["exit_code"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["compile", "m.tflite"], "give one of -o DIR and --emit LEVEL"),
        (["compile", "m.tflite", "-o", "d", "--emit", "nn"], "give one of -o DIR and --emit LEVEL"),
        (["compile", "m.tflite", "-o", "d", "--interface", "corba"], "interface 'corba' is not available"),
        (["compile", "m.tflite", "-o", "d", "--target", "z80"], "target 'z80' is not available"),
        (["compile", "m.tflite", "-o", "d", "--format", "deb"], "format 'deb' is not available"),
        (["compile", "m.tflite", "-o", "d", "--format", "dir", "--format", "zefyr"], "did you mean 'zephyr'?"),
        (["compile", "m.tflite", "-o", "d", "--format", "dir", "--format", "dir"], "format 'dir' is named twice"),
        (["compile", "m.tflite", "-o", "d", "--pin", "flash"], "pin 'flash' is not PATTERN=POOL"),
        (["compile", "m.tflite", "-o", "d", "--concurrency", "never"], "concurrency 'never' is not available"),
        (["compile", "m.tflite", "-o", "d", "--name", "a", "--name", "b"], "2 names for 1 models"),
        (["compile", "m.tflite", "-o", "d", "--board", "none"], "unknown board 'none'"),
        (["compile", "m.tflite", "-o", "d", "--workspace-pool", "p:size=x"], "'x' is not a number of bytes"),
        (["compile", "-o", "d"], "Missing argument"),
        (["run", "m.tflite", "-q", "-v"], "contradict"),
        (["nonsense"], "No such command"),
    ],
)
def test_wrong_usage(arguments: list[str], words: str) -> None:
    code, out, err = invoke(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


def test_a_bug_is_one_line_and_70(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("stillpool.driver.compile.prepare.prepare_all", broken)
    code, out, err = invoke("analyze", "m.tflite")
    assert (code, out) == (70, "")
    assert err.count("\n") == 1
    assert "internal error: KeyError: 'a bug'" in err


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("colour = 1", "unknown key 'colour'"),
        ("name = 1", "key 'name' must be a text"),
        ("builtin-pools = 'yes'", "key 'builtin-pools' must be true or false"),
        ("name = ", "is not a TOML file"),
    ],
)
def test_wrong_project_files(toml: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(toml)
    code, _, err = invoke("compile", "-c", str(tmp_path / "p.toml"))
    assert code == 1
    assert words in err


def test_a_project_file_gives_the_models_and_options(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text("models = 'm.tflite'\noutput-dir = 'd'\n")
    code, _, err = invoke("compile", "-c", str(tmp_path / "p.toml"))
    assert (code, err) == (1, f"error: cannot read {tmp_path / 'm.tflite'}: No such file or directory\n")
    assert not (tmp_path / "d").exists()
