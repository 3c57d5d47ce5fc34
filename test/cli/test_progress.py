"""Long work says what it does: on a terminal, on standard error only, and not with -q or --json."""

from __future__ import annotations

from pathlib import Path

import pytest
from terminal import Session

MODEL = Path(__file__).resolve().parents[2] / "examples" / "novelty" / "novelty.tflite"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("run", MODEL),
            ("novelty.tflite: usmp-plan", "compiling novelty for this machine", "running novelty on 1 input"),
        ),
        (
            ("compile", MODEL, "-o", "project", "--rows", "on"),
            (
                "usmp-overlap: function 1 of ",
                "usmp-plan: ",
                " buffers, round 1 of ",
                "usmp-check: @",
                ", operation 1 of ",
                "split-rows: operator 1 of ",
                "lower-tasks: task 1 of ",
                "emit-c: function 1 of ",
            ),
        ),
        (("compile", MODEL, "-o", "project"), ("usmp-check", "writing project: ")),
        (("analyze", MODEL, "--explain-peak"), ("usmp-plan", "change 1: ")),
    ],
)
def test_a_terminal_shows_it(tmp_path: Path, arguments: tuple[str | Path, ...], words: tuple[str, ...]) -> None:
    session = Session(*arguments, cwd=tmp_path)
    code, out = session.finish()
    assert code == 0
    assert "\x1b" not in out  # standard output is not the terminal
    for word in words:
        assert word in session.screen
    # The line is gone when something else is printed, and the cursor is shown again.
    last = session.screen.rstrip().rpartition("\n")[2]
    assert not any(word in last for word in ("usmp", "change", "running"))
    assert session.screen.count("\x1b[?25l") == session.screen.count("\x1b[?25h") > 0


@pytest.mark.parametrize("columns", [24, 40])
def test_a_terminal_breaks_no_words(tmp_path: Path, columns: int) -> None:
    arguments = ("compile", MODEL, "-o", "project", "--interface", "no-such-interface")
    wide, narrow = (Session(*arguments, cwd=tmp_path, columns=width) for width in (0, columns))
    assert wide.finish()[0] == narrow.finish()[0] == 2
    assert max(map(len, wide.screen.splitlines())) > columns
    lines = narrow.screen.replace("\x1b[31m", "").replace("\x1b[0m", "").splitlines()
    assert max(map(len, lines)) <= columns
    assert narrow.screen.split() == wide.screen.split()


@pytest.mark.parametrize("option", ["-q", "--json"])
def test_quiet_and_json_show_nothing(tmp_path: Path, option: str) -> None:
    session = Session("compile", MODEL, "-o", "project", option, cwd=tmp_path)
    assert session.finish()[0] == 0
    assert "\x1b" not in session.screen
    assert "usmp" not in session.screen


def test_no_color_is_respected(tmp_path: Path) -> None:
    session = Session("compile", MODEL, "-o", "project", "-q", cwd=tmp_path)
    assert session.finish()[0] == 0
    plain = Session("compile", MODEL, "-o", "other", cwd=tmp_path, env={"NO_COLOR": "1"})
    assert plain.finish()[0] == 0
    assert "usmp-plan" in plain.screen
    assert "\x1b[3" not in plain.screen.replace("\x1b[?", "")
