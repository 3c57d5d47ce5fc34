"""What `--help` shows fits one screen, and `--help-all` shows every option."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from stillpool.cli import VERBS, main
from stillpool.cli.help import FURTHER, GROUPS, WIDTH
from stillpool.machines.boards import board_names
from stillpool.machines.cpus import cpu_names
from stillpool.planner import algorithms
from stillpool.targets.projects.registry import format_names

LINES = {"compile": 30}
"""Of the help of a verb; else those of a usual terminal."""


def shown(*arguments: str) -> str:
    """What is printed on a terminal of 80 columns."""
    result = CliRunner().invoke(main, arguments, terminal_width=WIDTH)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("verb", list(VERBS))
def test_help_fits_one_screen(verb: str) -> None:
    lines = shown(verb, "--help").splitlines()
    assert len(lines) <= LINES.get(verb, 50)
    assert max(map(len, lines)) <= WIDTH


def test_what_can_be_chosen_is_listed_where_it_is_chosen() -> None:
    first, everything = shown("compile", "--help"), "".join(shown("compile", "--help-all").split())
    assert [name for name in (*cpu_names(), *format_names()) if name not in first] == []
    assert [name for name in (*board_names(), *algorithms()) if name not in everything] == []


@pytest.mark.parametrize("verb", list(VERBS))
def test_all_options_are_one_step_away(verb: str) -> None:
    command = main.get_command(click.Context(main), verb)
    assert command is not None
    text = "".join(shown(verb, "--help-all").split())
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert any(name in text for name in (*parameter.opts, *parameter.secondary_opts)), parameter.name


def test_every_option_of_compile_is_in_one_group() -> None:
    command = main.get_command(click.Context(main), "compile")
    assert command is not None
    grouped = [name for title in GROUPS for name in (*GROUPS[title], *FURTHER[title])]
    options = {str(one.name) for one in command.params if isinstance(one, click.Option) and not one.hidden}
    assert sorted(grouped) == sorted(options - {"as_json", "quiet", "verbose"})


@pytest.mark.parametrize(("verb", "option"), [("run", "--output-dir"), ("plan", "--planner-seconds"), ("fit", "--cc")])
def test_a_verb_shows_its_own_options(verb: str, option: str) -> None:
    assert option in shown(verb, "--help")
