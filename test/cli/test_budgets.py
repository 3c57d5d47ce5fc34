"""Budgets of `run` and `compile`: what is over them, by how much, and what would fit."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from stillpool.cli import main
from stillpool.report.explain import smallest, variants
from stillpool.report.explain.variants import Outcome, Plannable, compilations

pytestmark = pytest.mark.usefixtures("compiled_once")
MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"
needs_emulator = pytest.mark.extra("emulate")
M4 = ("--target", "cortex-m4", "--optimize", "size")
"""Schedules of the short kind are chosen fastest."""


def invoke(*arguments: str | Path | int) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


@cache
def measured(level: str) -> dict[str, int]:
    """What the model takes, by the name of the budget."""
    code, out, _ = invoke("run", MODEL, *M4, "--json", "--opt", level)
    assert code == 0
    runtime: dict[str, Any] = json.loads(out)["runtime"]
    return {
        "flash": runtime["flash"]["total"],
        "ram": runtime["ram"]["total"],
        "stack": runtime["worst_case_stack_bytes"],
        "instructions": runtime["instructions"],
    }


@needs_emulator
def test_a_budget_that_is_met_exactly_is_met() -> None:
    budgets = [text for name, value in measured("2").items() for text in (f"--max-{name}", str(value))]
    code, out, _ = invoke("run", MODEL, *M4, *budgets)
    assert code == 0
    assert "stack, worst case" in out


@needs_emulator
@pytest.mark.parametrize("name", ["flash", "ram", "stack", "instructions"])
def test_one_too_many_is_over_budget(name: str, tmp_path: Path) -> None:
    value = measured("2")[name]
    code, out, err = invoke("compile", MODEL, *M4, "-o", tmp_path / "project", f"--max-{name}", value - 1)
    unit = "" if name == "instructions" else " bytes"
    label = "RAM" if name == "ram" else name
    assert (code, out) == (3, "")
    start = f"error: digits is over budget on cortex-m4 at -O2: {label} by 1{unit} ({value:,} of {value - 1:,})"
    assert err.startswith(start)
    assert not (tmp_path / "project").exists()


@needs_emulator
def test_all_that_is_over_is_named_and_the_operator_at_the_peak() -> None:
    code, out, err = invoke("run", MODEL, *M4, "-q", "--json", "--max-flash", "1K", "--max-ram", "1K", "--max-stack", 1)
    flash, ram, stack = (measured("2")[name] for name in ("flash", "ram", "stack"))
    assert code == 3
    assert f"flash by {flash - 1024:,} bytes" in err
    assert f"RAM by {ram - 1024:,} bytes" in err
    assert f"stack by {stack - 1:,} bytes" in err
    assert "with pool 'workspace' fullest at position 2 (CONV_2D, index 3)" in err
    assert json.loads(out)["error"]["exit_code"] == 3


@needs_emulator
def test_a_level_that_fits_is_proposed() -> None:
    flash = measured("s")["flash"]
    assert flash < measured("2")["flash"]
    code, _, err = invoke("run", MODEL, *M4, "-q", "--max-flash", flash)
    assert code == 3
    assert err.endswith("; compiled with -Os it fits\n")
    assert invoke("run", MODEL, *M4, "-q", "--max-flash", flash, "--opt", "s")[0] == 0


@needs_emulator
def test_a_project_file_has_budgets(tmp_path: Path) -> None:
    file = tmp_path / "project.toml"
    chosen = 'target = "cortex-m4"\noptimize = "size"\n'
    file.write_text(f'model = ["{MODEL}"]\noutput = "out"\n{chosen}max-flash = "1M"\nmax-stack = 8\n')
    code, _, err = invoke("compile", "-q", "--config", file)
    assert code == 3
    assert "flash" not in err
    assert f"stack by {measured('2')['stack'] - 8} bytes" in err
    file.write_text(file.read_text().replace("max-stack = 8", "max-stack = true"))
    code, _, err = invoke("compile", "-q", "--config", file)
    assert (code, err) == (1, f"error: {file}: key 'max-stack' must be a number or a text\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", MODEL, "--max-ram", "1K"), "--max ram goes with an emulated processor; name one by --target"),
        (
            ("compile", MODEL, "-o", "x", "--max-instructions", 5),
            "--max instructions goes with an emulated processor; name one by --target",
        ),
        (
            ("compile", MODEL, "--emit", "c", *M4, "--max-flash", 5),
            "--max flash is checked when a project is written; give -o DIR",
        ),
        (("run", MODEL, *M4, "--max-flash", "many"), "--max-flash: 'many' is not a number of bytes; "),
        (
            ("compile", MODEL, MODEL, "--name", "a", "--name", "b", "-o", "x", *M4, "--max-flash", 5),
            "--max flash is a budget of one model; limit the pools of several by their size",
        ),
    ],
)
def test_budgets_that_cannot_be_checked_are_refused(arguments: tuple[str | Path | int, ...], words: str) -> None:
    code, out, err = invoke(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {words}")


@needs_emulator
def test_the_smallest_change_of_the_plan_is_proposed(tmp_path: Path) -> None:
    kept = json.loads(invoke("run", MODEL, *M4, "--json", "--overlap", "off", "--keep-inputs")[1])
    taken, least = kept["runtime"]["ram"]["total"], measured("2")["ram"]
    assert taken > least
    arguments = ("compile", MODEL, *M4, "-o", tmp_path / "p", "--overlap", "off", "--keep-inputs", "--max-ram")
    code, _, err = invoke(*arguments, taken - 1)
    assert code == 3
    found = re.search(r"; (.*) saves ([\d,]+) bytes of RAM\n$", err)
    assert found
    option = found[1]
    assert option in ("without --io keep", "--planner overlap=inplace", "--planner overlap=full")
    changed = {
        "without --io keep": ("--overlap", "off"),
        "--planner overlap=inplace": ("--keep-inputs", "--overlap", "inplace"),
    }
    code, out, _ = invoke("run", MODEL, *M4, "--json", *changed.get(option, ("--keep-inputs",)), "--max-ram", taken - 1)
    assert code == 0
    assert taken - json.loads(out)["runtime"]["ram"]["total"] == int(found[2].replace(",", ""))


@needs_emulator
def test_rows_are_proposed_where_placement_cannot_help() -> None:
    ram = measured("2")["ram"]
    code, _, err = invoke("run", MODEL, *M4, "-q", "--max-ram", ram - 1)
    assert code == 3
    found = re.search(r"; (--\S+( \S+)*) saves ([\d,]+) bytes of RAM\n$", err)
    assert found
    code, out, _ = invoke("run", MODEL, *M4, *found[1].split(), "--json", "-q", "--max-ram", ram - 1)
    assert code == 0
    assert ram - json.loads(out)["runtime"]["ram"]["total"] == int(found[3].replace(",", ""))


@needs_emulator
def test_what_saves_most_is_named_where_nothing_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of changes by rows only the one that takes least is planned: no order of rows is enough."""
    by_rows = set[str]()

    def outcome(of: Plannable, *, limited: bool) -> Outcome:
        by_rows.update(f"{one.plan.rows} {one.plan.schedule_ram}" for one in compilations(of) if one.plan.rows != "off")
        return variants.outcome(of, limited=limited)

    monkeypatch.setattr(smallest, "outcome", outcome)
    code, _, err = invoke("run", MODEL, *M4, "-q", "--max-ram", 8)
    assert (code, by_rows) == (3, {"on 0"})
    assert re.search(
        r"; --\S.* saves most of the options that were tried, [\d,]+ bytes of RAM; [\d,]+ more are needed\n$", err
    )


@needs_emulator
@pytest.mark.sweep
def test_where_nothing_is_enough_each_change_is_planned() -> None:
    """By estimates alone the best of kws seemed to be `--optimize ram`."""
    model = Path(__file__).resolve().parents[3] / "shared" / "models" / "kws_int8.tflite"
    if not model.exists():
        pytest.skip("../shared/models/kws_int8.tflite is not here")
    request = ("run", model, "--target", "cortex-m4", "-q", "--planner", "seconds=0.05")
    code, _, err = invoke(*request, "--max-ram", 3000)
    assert code == 3
    named = re.search(r"saves most of the options that were tried, ([\d,]+) bytes of RAM", err)
    assert named is not None, err
    plain, small = (
        json.loads(invoke(*request, *words, "--json")[1])["runtime"]["ram"]["total"]
        for words in ((), ("--rows", "on", "--schedule-ram", "0"))
    )
    assert int(named[1].replace(",", "")) >= plain - small


@needs_emulator
def test_shorter_code_is_proposed_for_flash() -> None:
    fast = json.loads(invoke("run", MODEL, "--target", "cortex-m4", "--json", "-q")[1])["runtime"]["flash"]["total"]
    small = json.loads(invoke("run", MODEL, *M4, "--json", "-q")[1])["runtime"]["flash"]["total"]
    code, _, err = invoke("run", MODEL, "--target", "cortex-m4", "-q", "--max-flash", (fast + small) // 2)
    assert code == 3
    assert re.search(r"; (--optimize size|--spend flash=0) saves about [\d,]+ bytes of flash\n$", err)


@needs_emulator
def test_budgets_are_those_of_the_chosen_compiler(tmp_path: Path) -> None:
    chosen = (*M4, "--cc", "zig", "--opt", "s", "--max-instructions", 1)
    for arguments in (("run", MODEL), ("compile", MODEL, "-o", tmp_path / "p")):
        code, _, err = invoke(*arguments, *chosen)
        assert code == 3
        assert "over budget on cortex-m4 at -Os: instructions by " in err
    code, _, err = invoke("run", MODEL, *M4, "-q", "--cc", "no-such-cc", "--max-instructions", 1)
    assert (code, err.startswith("error: no C compiler for cortex-m4: no-such-cc is not installed; ")) == (2, True)


@needs_emulator
def test_the_objective_ram_is_proposed_where_rows_alone_are_not_enough() -> None:
    request = ("run", MODEL, "--target", "cortex-m4", "-q")
    plain, rows, least = (
        json.loads(invoke(*request, *words, "--json")[1])["runtime"]["ram"]["total"]
        for words in ((), ("--rows", "on"), ("--optimize", "ram"))
    )
    assert least < rows
    code, _, err = invoke(*request, "--max-ram", least)
    assert code == 3
    assert err.endswith(f"; --optimize ram saves {plain - least:,} bytes of RAM\n")


@needs_emulator
def test_a_search_for_a_better_plan_is_proposed_where_nothing_else_is_enough() -> None:
    request = ("run", MODEL, *M4, "-q", "--usmp-algorithm", "greedy_by_size", "--rows", "on", "--schedule-ram", 0)
    greedy, exact = (
        json.loads(invoke(*request, *words, "--json")[1])["runtime"]["ram"]["total"]
        for words in ((), ("--usmp-algorithm", "exact"))
    )
    assert exact < greedy
    code, _, err = invoke(*request, "--max-ram", exact)
    assert code == 3
    assert err.endswith(f"; --planner algorithm=exact saves {greedy - exact:,} bytes of RAM\n")
