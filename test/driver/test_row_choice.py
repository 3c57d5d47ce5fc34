"""`rows="auto"`: rows are taken where they save a tenth of the workspace, and everybody is told."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from stillpool import compile, load
from stillpool.cli import main
from stillpool.driver.compile.network_cost import NetworkCost, network_cost
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.compile.row_choice import is_quick_enough, is_worth_it
from stillpool.driver.models.model import Model
from stillpool.errors import BudgetError
from stillpool.planner import PoolShort
from stillpool.run.artifact import Artifact
from stillpool.run.system import System
from stillpool.targets.interfaces.description import RowChoice

EXAMPLES = Path(__file__).parents[2] / "examples"
DIGITS, NOVELTY = EXAMPLES / "digits" / "digits.tflite", EXAMPLES / "novelty" / "novelty.tflite"
SECONDS = 0.05


@cache
def digits() -> Model:
    """Read once, it is lowered once for each way to plan it."""
    return load(DIGITS)


@cache
def made(path: Path, rows: Any, *pools: str) -> Artifact:
    return compile(path, rows=rows, planner_seconds=SECONDS, pools=pools)


def statements(artifact: Artifact) -> dict[str, bytes]:
    """The code without comments, which name the options."""
    return {name: re.sub(rb"/\*.*?\*/", b"", text, flags=re.DOTALL) for name, text in artifact.code.items()}


@pytest.mark.parametrize(
    ("whole", "by_rows", "expected"),
    [(1000, 900, True), (1000, 901, False), (1000, 1000, False), (1000, 1100, False), (0, 0, False), (9, 8, True)],
)
def test_a_tenth_is_enough(whole: int, by_rows: int, expected: bool) -> None:
    assert is_worth_it(whole, by_rows, 10) is expected


@pytest.mark.parametrize(("whole", "by_rows", "expected"), [(1000, 1150, True), (1000, 1151, False), (1000, 900, True)])
def test_a_price_is_a_part_of_the_instructions(whole: int, by_rows: int, expected: bool) -> None:
    assert is_quick_enough(whole, by_rows, 15) is expected


def decided(monkeypatch: pytest.MonkeyPatch, instructions: int, **options: Any) -> RowChoice:
    """What is decided where rows of digits, which take fewer instructions, are made to take others than 1,000."""
    counted = iter([1000, instructions])
    monkeypatch.setattr(
        "stillpool.driver.compile.row_choice.network_cost", lambda *_: NetworkCost(next(counted), 0, None)
    )
    made = prepare(digits(), target="cortex-m4", planner_seconds=SECONDS, **options).decided.row_choice
    assert made is not None
    assert (made.whole_instructions, made.row_instructions) == (1000, instructions)
    return made


@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({"optimize": "ram"}, 1150),
        ({"optimize": "ram", "ram_price": 20.5}, 1205),
        ({"optimize": "balanced"}, 1010),
        ({"optimize": "balanced", "ram_price": 2}, 1020),
        ({"optimize": "speed", "rows": "auto"}, 1010),
    ],
)
def test_rows_are_taken_up_to_their_price(options: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert decided(monkeypatch, most, **options).is_taken
    dear = decided(monkeypatch, most + 1, **options)
    assert not dear.is_taken
    assert dear.whole_bytes is not None
    assert dear.row_bytes is not None
    saved = f"{dear.whole_bytes - dear.row_bytes:,} bytes of workspace are given up"
    assert dear.refusal.startswith(saved)
    # The price that it names is enough.
    price = float(dear.refusal.rpartition("--spend instructions=")[2].split()[0])
    assert decided(monkeypatch, most + 1, **options | {"ram_price": price}).is_taken


def test_a_tenth_is_not_asked_for_where_the_objective_is_ram(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([1000, 999] * 2)
    monkeypatch.setattr("stillpool.driver.compile.row_choice.workspace_bytes", lambda *_: {"workspace": next(sizes)})
    assert decided(monkeypatch, 1000, optimize="ram").is_taken
    few = decided(monkeypatch, 1000, optimize="balanced")
    assert not few.is_taken
    assert few.refusal == "1 bytes are less than 10 % of the workspace; --rows on takes them"


def test_the_refusal_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    counted = iter([1000, 2000])
    monkeypatch.setattr(
        "stillpool.driver.compile.row_choice.network_cost", lambda *_: NetworkCost(next(counted), 0, None)
    )
    words = ["compile", str(DIGITS), "-o", str(tmp_path / "d"), "--target", "cortex-m4", "--optimize", "ram"]
    told = CliRunner().invoke(main, [*words, "--planner-seconds", str(SECONDS)])
    assert told.exit_code == 0, told.stderr
    assert "for they cost 100.0 % more instructions, above the 15 % of --spend instructions" in " ".join(
        told.output.split()
    )
    report = " ".join((tmp_path / "d/report/memory.txt").read_text().split())
    assert "about 2,000 instructions with rows, 1,000 without" in report
    assert "--spend instructions=100 takes them" in report


def test_instructions_are_counted_call_by_call() -> None:
    whole, by_rows = (
        prepare(DIGITS, rows=rows, optimize="speed", target="cortex-m4").lowered()[1] for rows in ("off", "on")
    )
    costs = [network_cost(module, "cortex-m4").instructions for module in (by_rows, whole)]
    assert 0.9 < costs[0] / costs[1] < 1.03


def test_rows_are_taken_where_they_save_memory() -> None:
    auto, on, off = (made(DIGITS, rows) for rows in ("auto", "on", "off"))
    assert statements(auto) == statements(on) != statements(off)
    by_rows, whole = (sum(pool.bytes for pool in way.description.workspace_pools) for way in (on, off))
    assert auto.description.rows == RowChoice(True, whole, by_rows)
    assert f"rows: taken; workspace {by_rows:,} bytes with rows, {whole:,} bytes without" in auto.report
    assert auto.analysis["rows"] == {
        "taken": True,
        "bytes": by_rows,
        "bytes_without": whole,
        "instructions": None,
        "instructions_without": None,
        "macs_again": 0,
        "refusal": "",
    }
    assert on.description.rows == auto.description.rows
    assert off.description.rows is None
    assert off.analysis["rows"] is None
    assert "rows:" not in off.report


def test_nothing_changes_where_there_is_nothing_to_save() -> None:
    auto, off = made(NOVELTY, "auto"), made(NOVELTY, "off")
    assert statements(auto) == statements(off)
    assert auto.description.rows is not None
    assert not auto.description.rows.is_taken
    assert "rows: not taken" in auto.report


def test_a_way_within_the_limits_is_taken() -> None:
    limited = made(DIGITS, "auto", "sram:size=1000")
    assert limited.description.rows is not None
    assert limited.description.rows.is_taken
    assert limited.description.rows.whole_bytes is None
    assert "bytes with rows, over the limits without" in limited.report
    with pytest.raises(BudgetError) as short:
        made(DIGITS, "auto", "sram:size=100")
    assert isinstance(short.value, PoolShort)
    assert short.value.size < 1000


def test_levels_are_those_of_the_way_that_is_taken() -> None:
    auto, on = (prepare(DIGITS, rows=rows, planner_seconds=SECONDS) for rows in ("auto", "on"))
    for level in ("nn", "tasks", "memref", "pools", "c"):
        assert auto.text(level) == on.text(level), level


def test_of_several_models_each_decides() -> None:
    system = compile([DIGITS, NOVELTY], rows="auto", planner_seconds=SECONDS)
    assert isinstance(system, System)
    taken = [one.rows is not None and one.rows.is_taken for one in system.descriptions]
    assert taken == [True, False]


def test_the_objective_ram_takes_rows_and_fast_schedules() -> None:
    """But for scratch memory, which it weighs."""
    ram = prepare(digits(), optimize="ram", target="cortex-m4", planner_seconds=SECONDS)
    both = prepare(digits(), optimize="speed", rows="on", target="cortex-m4", planner_seconds=SECONDS)
    assert sum(ram.workspace_bytes().values()) < sum(both.workspace_bytes().values())
    ram = replace(ram, plan=replace(ram.plan, weighs_scratch=False))
    assert ram.text("tasks") == both.text("tasks")
    whole = prepare(digits(), optimize="ram", rows="off", target="cortex-m4", planner_seconds=SECONDS)
    assert whole.text("tasks") == prepare(digits(), optimize="speed", target="cortex-m4").text("tasks")
    host = prepare(digits(), optimize="ram", planner_seconds=SECONDS)
    assert host.text("tasks") == prepare(digits(), rows="on", planner_seconds=SECONDS).text("tasks")
