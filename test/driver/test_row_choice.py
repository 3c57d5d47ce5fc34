"""`rows="auto"`: rows are taken where they save a tenth of the workspace, and everybody is told."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from stillpool import compile
from stillpool.driver.artifact import Artifact
from stillpool.driver.compile import prepare
from stillpool.driver.network_cost import instructions
from stillpool.driver.row_choice import is_quick_enough, is_worth_it, most_cost
from stillpool.driver.system import System
from stillpool.errors import BudgetError
from stillpool.planner import PoolShort
from stillpool.targets.interfaces.description import RowChoice

EXAMPLES = Path(__file__).parents[2] / "examples"
DIGITS, NOVELTY = EXAMPLES / "digits" / "digits.tflite", EXAMPLES / "novelty" / "novelty.tflite"
SECONDS = 0.05


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
    assert is_worth_it(whole, by_rows) is expected


@pytest.mark.parametrize(("whole", "by_rows", "expected"), [(1000, 1030, True), (1000, 1031, False), (1000, 900, True)])
def test_three_percent_are_few(whole: int, by_rows: int, expected: bool) -> None:
    assert is_quick_enough(whole, by_rows) is expected


@pytest.mark.parametrize(("whole", "by_rows", "expected"), [(1000, 900, 3), (1000, 700, 3), (1000, 400, 6)])
def test_for_ram_ten_percent_of_bytes_pay_for_one_of_instructions(whole: int, by_rows: int, expected: float) -> None:
    assert most_cost(whole, by_rows) == expected


def test_instructions_decide_and_less_so_where_the_objective_is_ram(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of digits take fewer instructions; here they are made to take more."""
    counted = iter([1000, 1031, 1000, 1031, 1000, 1200])
    monkeypatch.setattr("stillpool.driver.row_choice.instructions", lambda *_: next(counted))
    speed = compile(DIGITS, rows="auto", optimize="speed", target="cortex-m4", planner_seconds=SECONDS)
    assert speed.description.rows is not None
    assert not speed.description.rows.is_taken
    assert (
        speed.report.partition("rows: not taken;")[2]
        .partition("\n")[0]
        .endswith("; about 1,031 instructions with rows, 1,000 without")
    )
    ram = compile(DIGITS, optimize="ram", target="cortex-m4", planner_seconds=SECONDS)
    assert ram.description.rows is not None
    assert ram.description.rows.is_taken
    dear = compile(DIGITS, optimize="ram", target="cortex-m4", planner_seconds=SECONDS)
    assert dear.description.rows is not None
    assert not dear.description.rows.is_taken


def test_instructions_are_counted_call_by_call() -> None:
    whole, by_rows = (
        prepare(DIGITS, rows=rows, optimize="speed", target="cortex-m4").lowered()[1] for rows in ("off", "on")
    )
    assert 0.9 < instructions(by_rows, "cortex-m4") / instructions(whole, "cortex-m4") < 1.03


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
    ram = prepare(DIGITS, optimize="ram", target="cortex-m4", planner_seconds=SECONDS)
    both = prepare(DIGITS, optimize="speed", rows="on", target="cortex-m4", planner_seconds=SECONDS)
    assert ram.text("tasks") == both.text("tasks")
    whole = prepare(DIGITS, optimize="ram", rows="off", target="cortex-m4", planner_seconds=SECONDS)
    assert whole.text("tasks") == prepare(DIGITS, optimize="speed", target="cortex-m4").text("tasks")
    host = prepare(DIGITS, optimize="ram", planner_seconds=SECONDS)
    assert host.text("tasks") == prepare(DIGITS, rows="on", planner_seconds=SECONDS).text("tasks")
