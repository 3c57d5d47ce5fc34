"""The pass `schedule` takes what a file knows: the fastest, where it is legal, and where flash allows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_known import TASK, USUAL
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from stillpool.dialects.task import NestOp
from stillpool.driver.pipeline import context
from stillpool.lowering.constants import Constants
from stillpool.lowering.schedule import SchedulePass
from stillpool.lowering.schedule.known import known
from stillpool.lowering.schedule.known.database import Database, Record
from stillpool.lowering.schedule.known.known import Known
from stillpool.lowering.schedule.known.names import parsed_steps
from stillpool.lowering.schedule.known.task_key import task_key
from stillpool.transforms.tasks import PrepareTasksPass

CALL = """
func.func @main(%x: memref<6x4xi8>, %y: memref<6x8xi32>) {
  func.call @f(%x, %y) : (memref<6x4xi8>, memref<6x8xi32>) -> ()
  func.return
}
"""
HEURISTIC = "split d0 2, split d1 4, order (d0_o, d1_o, d0_i, d1_i, d2), jam d0_i, jam d1_i, dual 1 2"
FOUND = "split d0 3, order (d1, d0_o, d0_i, d2), jam d0_i"


def parsed(weight: str = USUAL["weight"]) -> ModuleOp:
    return Parser(context(), TASK.format(**USUAL | {"weight": weight}) + CALL).parse_module()


def nest_of(module: ModuleOp) -> NestOp:
    return next(op for op in module.walk() if isinstance(op, NestOp))


def record(schedule: str, value: float, **given: str) -> Record:
    module = parsed()
    digest = task_key(nest_of(module), Constants(module))
    made = Record(digest, "", "cortex-m4", "instructions", "gcc", schedule, value, "1")
    return replace(made, **given)


def scheduled(
    path: Path | None, optimize: str = "speed", flash: int | None = None, weight: str = USUAL["weight"]
) -> str:
    module = parsed(weight)
    file = None if path is None else str(path)
    PrepareTasksPass("cortex-m4", optimize, flash, file).apply(Context(), module)
    SchedulePass("cortex-m4", file, optimize == "speed").apply(Context(), module)
    return str(nest_of(module).schedule)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A file that knows a schedule that is faster than the usual one."""
    path = tmp_path / "s.jsonl"
    path.write_text(record(HEURISTIC, 100).line() + record(FOUND, 90).line())
    return path


def test_the_fastest_of_the_file_is_taken(written: Path) -> None:
    assert "dual 1 2" in scheduled(None)
    for optimize in ("speed", "balanced"):
        found = scheduled(written, optimize, 10_000)
        assert found == "#task.schedule<split row 3, order (out, row_o, row_i, k), jam row_i>", optimize
    assert scheduled(written) == found


def test_other_processors_and_other_tasks_are_not_meant(written: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(record(FOUND, 90, target="cortex-m7").line() + record(FOUND, 9, task="0" * 32).line())
    assert scheduled(path) == scheduled(None)


@pytest.mark.parametrize("schedule", ["jam d2", "jam d9", "split d0 100, jam d0_i", "words", "whole, dual 1 1"])
def test_what_is_not_legal_here_is_not_taken(tmp_path: Path, schedule: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(record(schedule, 1).line())
    assert scheduled(path) == scheduled(None)


def test_four_bits_are_not_taken_where_constants_do_not_fit_them(tmp_path: Path) -> None:
    """The same task with other weights may have them: the values of constants are no part of what a task is called."""
    path = tmp_path / "s.jsonl"
    four = "split d1 4, order (d0, d1_o, d1_i, d2), jam d1_i, dual 1 2 nibbles"
    path.write_text(record(four, 1).line())
    assert "nibbles" in scheduled(path)
    assert scheduled(path, weight="100") == scheduled(None, weight="100")


def test_loops_in_order_may_be_the_fastest(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(record("", 1).line() + record(HEURISTIC, 2).line())
    assert scheduled(path) == "None"


def test_transformed_constants_take_the_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --winograd the fastest of the others; with it, what is chosen unless the file has compared it."""
    monkeypatch.setattr(known, "why_illegal", lambda *_: None)
    module = parsed()
    nest, constants = nest_of(module), Constants(module)
    chosen = parsed_steps("winograd (row) 2")
    some = Database([record(HEURISTIC, 100), record(FOUND, 90)])
    every = Database([*some.records.values(), record("winograd (d0) 4", 50)])
    with_it, without = Known("cortex-m4", every, winograd=True), Known("cortex-m4", every)
    found = parsed_steps("split row 3, order (out, row_o, row_i, k), jam row_i")
    assert without.steps(nest, constants, None) == found
    assert with_it.steps(nest, constants, chosen) == parsed_steps("winograd (row) 4")
    assert Known("cortex-m4", some, winograd=True).steps(nest, constants, chosen) == chosen


def test_flash_limits_what_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    long = "split d1 4, split d0 6, order (d0_o, d0_i, d1_o, d1_i, d2), jam d1_i, unroll d0_i, dual 1 2"
    path.write_text(
        record(long.replace("split d0 6, ", "").replace("d0_o, d0_i", "d0").replace("d0_i", "d0"), 1).line()
    )
    assert "unroll row" in scheduled(path)
    assert "unroll row" in scheduled(path, flash=100_000)
    assert scheduled(path, flash=500) == scheduled(None, flash=500) != "None"


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("nonsense\n")
    with pytest.raises(PassFailedException, match="no JSON"):
        scheduled(path)


def test_what_is_shipped_was_compared_with_what_is_chosen_today(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = scheduled(None)
    monkeypatch.setattr(known, "SHIPPED", written)
    known.shipped.cache_clear()
    try:
        assert "jam row_i>" in scheduled(None)
        assert scheduled(None, "balanced") != scheduled(None)
        written.write_text(record("dual 1 1", 100).line() + record(FOUND, 90).line())
        known.shipped.cache_clear()
        assert scheduled(None) == usual
    finally:
        known.shipped.cache_clear()


def test_what_is_shipped_can_be_read() -> None:
    known.shipped.cache_clear()
    for task, target in known.shipped().tasks():
        assert known.shipped().best(task, target) is not None
