"""Options that gather others do what those do, on the command line and in project files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from stillpool.cli import VERBS, main
from stillpool.cli.gathered import Gathered, Setting
from stillpool.errors import InputError, UsageError

VALUES = {"seconds": "0.5", "algorithm": "best_fit", "overlap": "off", "layout": "nhwc", "stream": "a=b,c"}
"""Values of settings; of the others a number."""


def verb(name: str = "compile") -> click.Command:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command


def parsed(*words: str, name: str = "compile") -> dict[str, Any]:
    """What the verb gets."""
    output = ["-o", "d"] if name == "compile" else []
    return verb(name).make_context(name, ["m.tflite", *output, *words]).params


def gathered(name: str = "compile") -> list[tuple[str, Setting]]:
    command = verb(name)
    options = [option for option in command.params if isinstance(option, Gathered)]
    return [(option.opts[0], setting) for option in options for setting in option.settings(command)]


def given(setting: Setting) -> list[str]:
    """The value of a setting, if it has one."""
    key, equals, _ = setting.written.partition("=")
    return [VALUES.get(key, "7")] if equals else []


@pytest.mark.parametrize("name", VERBS)
def test_a_setting_is_the_option_that_it_names(name: str) -> None:
    plain = parsed(name=name) if gathered(name) else {}
    for option, setting in gathered(name):
        key = setting.written.partition("=")[0]
        made = parsed(option, "=".join([key, *given(setting)]), name=name)
        assert made == parsed(setting.name, *given(setting), name=name)
        assert made != plain, setting
        assert setting.option.hidden


def test_a_project_file_has_a_table_for_each(tmp_path: Path) -> None:
    tables: dict[str, list[str]] = {}
    words: list[str] = []
    for option, setting in gathered():
        key, (value, *_) = setting.written.partition("=")[0], [*given(setting), None]
        text = "true" if value is None else value if value[0].isdigit() else f'"{value}"'
        tables.setdefault(option.removeprefix("--"), []).append(f"{key} = {text}")
        words += [setting.name, *given(setting)]
    text = "".join(f"[{table}]\n" + "".join(f"{line}\n" for line in lines) for table, lines in tables.items())
    (tmp_path / "p.toml").write_text(text)
    assert parsed("-c", str(tmp_path / "p.toml")) == parsed(*words)


@pytest.mark.parametrize("before", [True, False])
def test_what_is_given_wins_over_a_project_file(before: bool, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text("planner-seconds = 9\nmax-ram = 5\n")
    config, words = ["-c", str(tmp_path / "p.toml")], ["--planner", "seconds=3"]
    made = parsed(*(words + config if before else config + words))
    assert (made["planner_seconds"], made["max_ram"]) == (3.0, 5)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--max", "rom=1K"], "--max rom=1K: there is no such setting"),
        (["--max", "ram"], "ram needs a value, ram=BYTES"),
        (["--io", "keep=1"], "keep is not followed by a value"),
        (["--io", "keep,keep"], "keep is given twice"),
        (["--max", "ram=1", "--max-ram", "1"], "--max ram and --max-ram are the same option"),
        (["--max", "ram=x"], "'x' is not a number of bytes"),
    ],
)
def test_wrong_settings_are_refused(words: list[str], said: str) -> None:
    with pytest.raises(UsageError) as error:
        parsed(*words)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("max = 5\n", "key 'max' must be a table"),
        ("[max]\nrom = 5\n", "[max] has no key 'rom'"),
        ("max-ram = 4\n[max]\nram = 5\n", "'max-ram' is there twice"),
        ("[max]\nram = true\n", "key 'max-ram' must be a number or a text"),
    ],
)
def test_wrong_tables_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(InputError) as error:
        parsed("-c", str(tmp_path / "p.toml"))
    assert said in str(error.value)


def test_pools_of_all_kinds_and_of_files_have_one_option(tmp_path: Path) -> None:
    model = Path(__file__).parents[2] / "examples" / "digits" / "digits.tflite"
    (tmp_path / "more.toml").write_text('[[pool]]\nname = "more"\nsize = 900\n')
    (tmp_path / "p.toml").write_text('pool = ["sram:size=64K", "flash:kind=constant", "more.toml"]\n')
    ways = {
        "one": ["--pool", "sram:size=64K", "--pool", "flash:kind=constant", "--pool", str(tmp_path / "more.toml")],
        "old": [
            *("--constant-pool", "flash", "--workspace-pool", "sram:size=64K"),
            *("--pool-file", str(tmp_path / "more.toml")),
        ],
        "file": ["-c", str(tmp_path / "p.toml")],
    }
    texts: list[str] = []
    for words in ways.values():
        done = CliRunner().invoke(main, ["compile", str(model), "--emit", "pools", *words])
        assert done.exit_code == 0, done.output
        texts.append(done.stdout)
    for pool in ("@sram workspace", "@flash constant", "@more workspace"):
        assert pool in texts[0]
    lines = [sorted(text.splitlines()) for text in texts]
    assert lines[0] == lines[1] == lines[2]


@pytest.mark.parametrize(("options", "folder"), [(["--external", "conv_2d=f"], "external"), (["--custom", "A=f"], "")])
def test_a_source_goes_with_what_is_asked_for(options: list[str], folder: str, tmp_path: Path) -> None:
    model = Path(__file__).parents[2] / "examples" / "digits" / "digits.tflite"
    (tmp_path / "f.c").write_text("int f;\n")
    words = ["-o", str(tmp_path / "d"), "--source", str(tmp_path / "f.c"), *options]
    done = CliRunner().invoke(main, ["compile", str(model), *words])
    if folder:
        assert done.exit_code == 0, done.output
        assert (tmp_path / "d" / "src" / folder / "f.c").read_text() == "int f;\n"
    else:
        assert "no model has custom operator 'A'" in done.output
