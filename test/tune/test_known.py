"""What a task is called, and what a file knows of it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import get_type_hints

import pytest
from click.testing import CliRunner
from xdsl.parser import Parser

from stillpool.cli import main
from stillpool.dialects.task import NestOp
from stillpool.dialects.task.step import KNOWN, Count, Dim, Dims, Step, known_step
from stillpool.driver.pipeline import context
from stillpool.errors import InputError, UsageError
from stillpool.lowering.constants import Constants
from stillpool.lowering.schedule.known import names
from stillpool.lowering.schedule.known.database import Database, Record, best_of, read_database
from stillpool.lowering.schedule.known.names import canonical_text, own_steps, parsed_steps
from stillpool.lowering.schedule.known.task_key import described, task_key
from stillpool.tune.runner import last_number
from stillpool.tune.store import Store, exported

TASK = """
"memref.global"() <{{sym_name = "w", type = memref<8x4xi8>, initial_value = dense<{weight}> : tensor<8x4xi8>,
  sym_visibility = "private", constant}}> : () -> ()
func.func private @f(%x: memref<{rows}x4xi8>, %y: memref<{rows}x8xi32>) {{
  %zero = arith.constant 0 : i32
  %point = arith.constant {zero_point} : i32
  %w = memref.get_global @w : memref<8x4xi8>
  task.nest space({row} = {rows}, out = 8) fold({k} = 4)
    start () {{
      task.yield %zero : i32
    }}
    step (%v = %x[{row}, {k}] : memref<{rows}x4xi8>, %u = %w[out, {k}] : memref<8x4xi8>) into (%acc : i32) {{
      %a = arith.extsi %v : i8 to i32
      %b = arith.addi %a, %point overflow<nsw> : i32
      %c = arith.extsi %u : i8 to i32
      %d = arith.muli %b, %c overflow<nsw> : i32
      %next = arith.addi %acc, %d overflow<nsw> : i32
      task.yield %next : i32
    }}
    finish () of (%sum : i32) {{
      task.yield %sum : i32
    }}
    writes (%y[{row}, out] : memref<{rows}x8xi32>)
  func.return
}}
"""
USUAL = {"weight": "3", "rows": "6", "zero_point": "7", "row": "row", "k": "k"}


def nest_of(**given: str) -> tuple[NestOp, Constants]:
    module = Parser(context(), TASK.format(**USUAL | given)).parse_module()
    return next(op for op in module.walk() if isinstance(op, NestOp)), Constants(module)


def key(**given: str) -> str:
    return task_key(*nest_of(**given))


def test_names_and_values_of_constants_do_not_matter() -> None:
    assert key() == key(row="pixel", k="depth") == key(weight="-5", zero_point="12")


def test_extents_do_and_so_does_what_is_constant() -> None:
    assert key() != key(rows="7")
    nest, _ = nest_of()
    text = TASK.format(**USUAL).replace("(%x: memref<6x4xi8>,", "(%x: memref<6x4xi8>, %w: memref<8x4xi8>,")
    module = Parser(context(), text.replace("  %w = memref.get_global @w : memref<8x4xi8>\n", "")).parse_module()
    other = next(op for op in module.walk() if isinstance(op, NestOp))
    assert task_key(other, Constants(module)) != task_key(nest, Constants(module))


def test_what_it_says_for_readers() -> None:
    assert described(nest_of()[0]) == "6x8 of 4 i8 i32"


def test_schedules_travel_without_names() -> None:
    nest, _ = nest_of(row="r", k="depth")
    steps = parsed_steps("split out 4, order (r, out_o, out_i, depth), jam out_i, dual 1 2 bytes")
    travelling = canonical_text(steps, nest)
    assert travelling == "split d1 4, order (d0, d1_o, d1_i, d2), jam d1_i, dual 1 2 bytes"
    assert own_steps(travelling, nest) == steps
    assert parsed_steps(", ".join(map(str, steps))) == steps


# Steps with flags, and with fields of other kinds.
EVERY_STEP = {
    "order (out, r, depth)": "order (d1, d0, d2)",
    "split out 4 clamped": "split d1 4 clamped",
    "dual 1 2 bytes": "dual 1 2 bytes",
    "single 2 3 unsigned": "single 2 3 unsigned",
    "swar 1": "swar 1",
    "words r": "words d0",
    "lanes 16": "lanes 16",
    "winograd (r, out) 4": "winograd (d0, d1) 4",
    "expand out dots": "expand d1 dots",
    'tensorize "set.kernel" (out, depth)': 'tensorize "set.kernel" (d1, d2)',
    "pack 1 (out_o, depth, out_i)": "pack 1 (d1_o, d2, d1_i)",
    "stage 0 (depth, r)": "stage 0 (d2, d0)",
    "tile (r 2, out 4) outside (out)": "tile (d0 2, d1 4) outside (d1)",
}


OF_FIELDS = {Dim: ("r", "d0"), Dims: ("(r, depth)", "(d0, d2)"), Count: ("3", "3")}
"""Texts of fields, and how they travel."""


def by_fields(kind: type[Step]) -> tuple[str, str]:
    """A step of a kind whose text follows from its fields."""
    hints = get_type_hints(kind, include_extras=True)
    texts = [OF_FIELDS.get(hints[field.name], ("", "")) for field in fields(kind)]
    own, travelling = (" ".join(filter(None, [kind.keyword, *(text[side] for text in texts)])) for side in (0, 1))
    return own, travelling


def test_every_step_travels() -> None:
    nest, _ = nest_of(row="r", k="depth")
    others = KNOWN.keys() - {text.split()[0] for text in EVERY_STEP}
    for text, travelling in (*EVERY_STEP.items(), *map(by_fields, filter(None, map(known_step, others)))):
        steps = parsed_steps(text)
        assert ", ".join(map(str, steps)) == text
        assert canonical_text(steps, nest) == travelling
        assert own_steps(travelling, nest) == steps
    with pytest.raises(ValueError, match="no dimension d7"):
        own_steps("jam d7", nest)


RECORD = Record("a", "4 i8", "cortex-m4", "instructions", "gcc", "jam d0", 90, "1", 100)


def test_of_schedules_that_are_about_as_fast_the_smallest_is_best() -> None:
    small, large, slow = (replace(RECORD, value=v, flash=f) for v, f in ((1000, 10), (996, 20), (1010, 1)))
    assert best_of([large, small, slow]) == small
    assert best_of([replace(RECORD, value=None)]) is None


def test_values_of_other_compilers_are_not_compared() -> None:
    database = Database(
        [RECORD, replace(RECORD, by="clang", schedule="", value=5), replace(RECORD, schedule="", value=100)]
    )
    assert database.best("a", "cortex-m4") == RECORD
    assert {one.by for one in database.of_task("a", "cortex-m4")} == {"gcc"}
    assert database.best("a", "cortex-m0plus") is None


def test_a_file_gives_back_what_was_added(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "s.jsonl"
    store = Store(path)
    failed = replace(RECORD, schedule="jam d1", value=None, failed="no")
    assert store.add([RECORD, failed]) == 2
    assert store.add([RECORD]) == 0
    assert list(read_database(path).records.values()) == [RECORD, failed]
    assert Store(path).add([replace(RECORD, value=80)]) == 1
    best = read_database(path).best("a", "cortex-m4")
    assert best is not None
    assert best.value == 80


def test_half_a_line_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(RECORD.line() + RECORD.line()[:30])
    assert list(read_database(path).records.values()) == [RECORD]
    store = Store(path)
    assert path.read_text() == RECORD.line() + RECORD.line()[:30]
    store.add([replace(RECORD, schedule="")])
    assert path.read_text() == RECORD.line() + replace(RECORD, schedule="").line()


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "", "\r\n", "\n\n"])
def test_a_whole_last_line_counts_without_its_end(mark: str, end: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    other = replace(RECORD, schedule="jam d1")
    text = mark + RECORD.line() + other.line().rstrip() + end
    path.write_bytes(text.encode())
    assert list(read_database(path).records.values()) == [RECORD, other]
    Store(path).add([replace(RECORD, schedule="")])
    assert path.read_bytes().startswith(text.encode())
    assert len(read_database(path).records) == 3


def test_half_a_line_in_the_middle_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(RECORD.line()[:30] + "\n" + RECORD.line())
    with pytest.raises(InputError, match=":1 is no JSON"):
        read_database(path)


WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from stillpool.lowering.schedule.known.database import parsed_record
from stillpool.tune.runner import last_number
from stillpool.tune.store import Store
path, name, line = sys.argv[1:]
store, record = Store(Path(path)), parsed_record(line, "")
for number in range(100):
    store.add([replace(record, task=f"{name}{number}", what="x" * 5000)])
"""


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(RECORD.line().rstrip())
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, path, name, RECORD.line()]) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(read_database(path).records) == 201
    assert path.read_bytes().count(b"\n") == 201


def test_a_hundred_thousand_lines_parse_each_step_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is in parsing steps; the count of parsers does not depend on the machine."""
    made: list[str] = []
    parser = names.Parser
    monkeypatch.setattr(names, "Parser", lambda ctx, text: made.append(text) or parser(ctx, text))  # type: ignore[func-returns-value]
    path = tmp_path / "s.jsonl"
    lines = [replace(RECORD, task=str(n), schedule=f"split d0 {n % 31 + 2}, jam d{n % 7}") for n in range(2000)]
    path.write_text("".join(one.line() for one in lines))
    names._parsed.cache_clear()
    assert len(read_database(path).records) == 2000
    assert len(made) == 31 + 7


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nonsense", ":2 is no JSON"),
        ("[]", "it must be an object"),
        ("{}", "task is missing"),
        (json.dumps({**json.loads(RECORD.line()), "value": "9"}), "value must be a whole number or a number or null"),
        (json.dumps({**json.loads(RECORD.line()), "schedule": "jam"}), "'jam' is no schedule"),
        (json.dumps({**json.loads(RECORD.line()), "schedule": "jam d1,, jam d2"}), "is no schedule"),
        (json.dumps({**json.loads(RECORD.line()), "schedule": "jam d1> <jam d2"}), "is no schedule"),
        (json.dumps({**json.loads(RECORD.line()), "value": True}), "value must be a whole number or a number or null"),
        (json.dumps({**json.loads(RECORD.line()), "value": -5.0}), "nothing costs -5.0"),
        (json.dumps({**json.loads(RECORD.line()), "value": float("inf")}), "Infinity is no finite number"),
        (json.dumps({**json.loads(RECORD.line()), "value": 10**30}), "takes more than 63 bits"),
        ("[" * 50_000, "nested too deeply"),
    ],
)
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(f"{RECORD.line()}{line}\n")
    with pytest.raises(InputError) as error:
        read_database(path)
    assert words in str(error.value)


def test_an_export_has_the_best_and_what_it_was_compared_with() -> None:
    plain, heuristic = (
        replace(RECORD, schedule="", role="plain"),
        replace(RECORD, schedule="dual 1 1", role="heuristic"),
    )
    best, other = replace(RECORD, value=10), replace(RECORD, schedule="jam d1")
    lines = exported(Database([plain, other, heuristic, best])).decode().splitlines(keepends=True)
    assert lines == [one.line() for one in (plain, heuristic, best)]


@pytest.mark.parametrize("said", ["-5", "cost 1e999", "-0.1", "1 -2e3"])
def test_costs_of_a_runner_are_what_the_file_takes(said: str) -> None:
    with pytest.raises(UsageError, match="which is no cost"):
        last_number(said)
    assert last_number("was -5, is 1_250.5") == 1250.5


def test_an_export_does_not_replace_what_it_is_made_from(tmp_path: Path) -> None:
    path, link = tmp_path / "s.jsonl", tmp_path / "link"
    text = RECORD.line() + replace(RECORD, schedule="jam d1", value=9e9).line()
    path.write_text(text)
    link.symlink_to(path)
    for export in (path, link):
        done = CliRunner().invoke(main, ["tune", "--schedules", str(path), "--export", str(export)])
        assert (done.exit_code, path.read_text()) == (2, text), done.stderr
