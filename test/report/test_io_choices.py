"""The table of places for inputs says what compiling with its options takes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner

from stillpool import compile
from stillpool.cli import main
from stillpool.driver.compile.prepare import prepare
from stillpool.report.io_choices import io_choices, text

DIGITS = Path(__file__).parents[2] / "examples" / "digits" / "digits.tflite"
SECONDS = 0.05


def test_every_choice_is_what_its_options_take() -> None:
    inside, outside, streamed = io_choices(prepare(DIGITS, rows="on", planner_seconds=SECONDS))
    assert [one.options[0] for one in (inside, outside, streamed)] == [
        *["--workspace-io"] * 2,
        "--io",
    ]
    assert streamed.whole is None
    for choice in (inside, outside, streamed):
        io = choice.options[1] if choice is not streamed else None
        stream = "image" if choice is streamed else None
        made = compile(
            DIGITS, planner_seconds=SECONDS, rows=None if stream else "on", workspace_io=io, stream_input=stream
        )
        assert sum(pool.bytes for pool in made.description.workspace_pools) == choice.rows
        # The line of C is one of the header's functions, with its arguments.
        called, arguments = re.fullmatch(r"(?:wanted = )?(\w+)\((.*)\);", choice.call).groups()  # pyright: ignore[reportOptionalMemberAccess]
        (header,) = (file.decode() for name, file in made.files.items() if name == "include/digits.h")
        (declared,) = re.findall(rf"^int32_t {called}\((.*)\);", header, re.MULTILINE)
        assert declared.count(",") == arguments.count(",")
        assert choice.rows is not None
        assert 0 < choice.bound <= choice.rows


def test_the_table_of_what_does_not_fit_has_bounds() -> None:
    choices = io_choices(prepare(DIGITS, rows="on", planner_seconds=SECONDS, pools=["sram:size=100"]))
    assert [(one.whole, one.rows) for one in choices] == [(None, None)] * len(choices)
    assert all(one.bound > 100 for one in choices)
    assert "nothing takes less" not in text(choices)


def test_analyze_shows_it_where_rows_are_asked_for() -> None:
    words = ["analyze", str(DIGITS), "--planner-seconds", str(SECONDS), "--json"]
    document = json.loads(CliRunner().invoke(main, [*words, "--rows", "on"]).stdout)
    assert [one["place"] for one in document["io_choices"]] == ["in the workspace", "the caller's", "image by rows"]
    assert "io_choices" not in json.loads(CliRunner().invoke(main, words).stdout)
