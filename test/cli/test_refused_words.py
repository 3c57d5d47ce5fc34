"""What no file and no counter could hold, and errors that are lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from stillpool import planner
from stillpool.cli import main
from stillpool.cli.output import say_error
from stillpool.errors import UnsupportedError, UsageError

NOVELTY = Path(__file__).parents[2] / "examples/novelty/novelty.tflite"


@pytest.mark.parametrize(
    "words",
    [
        ["plan", "net.csv", "--planner-seconds", "nan"],
        ["plan", "net.csv", "--planner-seconds", "inf"],
        ["plan", "net.csv", "--capacity", "9" * 25],
        ["compile", str(NOVELTY), "--emit", "pools", "--planner-seconds", "1e999"],
        ["compile", str(NOVELTY), "--emit", "pools", "--ram-price", "nan", "--rows", "auto"],
        ["run", str(NOVELTY), "--seed", "9" * 40],
        ["verify", str(NOVELTY), "--tolerance", "inf"],
    ],
)
def test_numbers_that_count_nothing(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.csv").write_text("id,lower,upper,size\na,0,1,4\n")
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2, done.stderr
    assert "is no number below 2**63" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1.0])
def test_the_planner_refuses_them_too(seconds: float) -> None:
    problem = planner.Problem((), (planner.Pool("p"),))
    with pytest.raises(UsageError, match="the planner cannot search for"):
        planner.plan(problem, seconds=seconds)


def test_zero_bytes_in_project_files(tmp_path: Path) -> None:
    project = tmp_path / "project.toml"
    project.write_text(f'model = "{NOVELTY}"\noutput = "out\\u0000"\n')
    done = CliRunner().invoke(main, ["compile", "-c", str(project)])
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "a text holds a zero byte" in done.stderr


def test_lists_are_lines_and_what_a_file_holds_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    error = UnsupportedError("net\n.tflite cannot be compiled:", remedy="leave it", lines=["  ADD: odd\nname", "  MUL"])
    assert str(error) == "net\n.tflite cannot be compiled:\n  ADD: odd\nname\n  MUL\nleave it"
    say_error(error.message, error.remedy, error.lines)
    err = capsys.readouterr().err
    assert err == "error: net\\n.tflite cannot be compiled:\n  ADD: odd\\nname\n  MUL\nleave it\n"
