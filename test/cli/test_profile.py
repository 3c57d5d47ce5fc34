"""`profile`: the table of operators, the trace and the flame graph of the same run agree, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from stillpool import compile
from stillpool.cli import main

MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"
needs_emulator = pytest.mark.extra("emulate")
OPERATORS = [
    "CONV_2D",
    "DEPTHWISE_CONV_2D",
    "CONV_2D",
    "ADD",
    "MAX_POOL_2D",
    "CONV_2D",
    "AVERAGE_POOL_2D",
    "FULLY_CONNECTED",
    "SOFTMAX",
]
SHORT = ("--target", "cortex-m4", "--cc", "zig", "--optimize", "size")
"""Schedules of this kind are chosen fastest."""
SVG = "{http://www.w3.org/2000/svg}"


def invoke(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["profile", *(str(argument) for argument in arguments)])
    return result.exit_code, result.stdout, result.stderr


@needs_emulator
def test_every_operator_has_a_row_and_shares_are_of_the_whole() -> None:
    code, out, err = invoke(MODEL, "--target", "cortex-m4", "--cc", "zig")
    assert (code, err) == (0, "no --input: random inputs, seed 0\n")
    rows = re.findall(r"^ +(\d+|-) +(?:\d+|-) +(\w+|\(between\)) .*? (\d+\.\d)% ", out, re.MULTILINE)
    assert [name for _, name, _ in rows] == [*OPERATORS, "(between)"]
    # Shares are rounded to a tenth.
    assert sum(float(share) for *_, share in rows) == pytest.approx(100, abs=0.05 * len(rows))  # pyright: ignore[reportUnknownMemberType]


@needs_emulator
def test_trace_and_flame_graph_show_the_run(tmp_path: Path) -> None:
    trace_file, svg_file = tmp_path / "new" / "trace.json", tmp_path / "flame.svg"
    options = (*SHORT, "--trace", trace_file, "--flame-graph", svg_file)
    code, out, _ = invoke(MODEL, "--json", *options)
    document = json.loads(out)
    assert (code, document["model"], [entry["op"] for entry in document["operators"]]) == (0, "digits", OPERATORS)
    check_trace(json.loads(trace_file.read_text()), document)
    check_flame_graph(svg_file.read_text(), document)
    before = (trace_file.read_bytes(), svg_file.read_bytes())
    assert invoke(MODEL, "--json", *options)[0] == 0
    assert (trace_file.read_bytes(), svg_file.read_bytes()) == before


def check_trace(trace: dict[str, Any], document: dict[str, Any]) -> None:
    """Complete events nest, those of operators lie end to end, and together they are the whole run."""
    events: list[dict[str, Any]] = trace["traceEvents"]
    assert {event["ph"] for event in events} == {"M", "X", "C"}
    slices = [event for event in events if event["ph"] == "X"]
    assert all(event["dur"] >= 0 and {"name", "ts", "pid", "tid", "args"} <= event.keys() for event in slices)
    operators = [event for event in slices if "macs" in event["args"]]
    assert [event["name"] for event in operators] == [
        f"{entry['position']} {entry['op']}" for entry in document["operators"]
    ]
    start = 0
    for event, entry in zip(operators, document["operators"], strict=True):
        # One instruction is a nanosecond; the format counts in microseconds.
        assert (round(event["ts"] * 1000), round(event["dur"] * 1000)) == (start, entry["instructions"])
        start += entry["instructions"]
    assert start + document["between_operators"]["instructions"] == document["instructions"]
    ends: list[int] = []
    for event in slices:
        begin, end = round(event["ts"] * 1000), round((event["ts"] + event["dur"]) * 1000)
        while ends and ends[-1] <= begin:
            ends.pop()
        assert not ends or end <= ends[-1], f"{event['name']} ends within the slice around it"
        ends.append(end)
    live = [event["args"]["workspace"] for event in events if event["ph"] == "C"]
    assert len(live) == len(OPERATORS) + 1
    assert live[-1] == 0 < min(live[:-1])
    model = compile(MODEL, target="cortex-m4", optimize="size").description
    (pool,) = model.workspace_pools
    # Tensors that share bytes count once: together they are larger than the pool.
    apart = [sum(b.bytes for b in model.buffers if b.first_use <= at <= b.last_use) for at in range(len(OPERATORS))]
    assert max(live) <= pool.bytes < max(apart)


def check_flame_graph(text: str, document: dict[str, Any]) -> None:
    """The whole run is one box; operators that are wide enough have theirs, in proportion."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    boxes: dict[str, tuple[float, str]] = {}
    for group in root.iter(f"{SVG}g"):
        box, title = group.find(f"{SVG}rect"), group.find(f"{SVG}title")
        assert box is not None
        assert title is not None
        name, _, words = str(title.text).partition(": ")
        boxes.setdefault(name, (float(box.attrib["width"]), words))
    whole, words = boxes["digits"]
    assert words.startswith(f"{document['instructions']:,} instructions (100.0%)")
    for entry in document["operators"]:
        width, words = boxes[f"{entry['position']} {entry['op']}"]
        assert words.startswith(f"{entry['instructions']:,} instructions")
        assert abs(width - whole * entry["instructions"] / document["instructions"]) <= 0.06


def test_the_host_counts_no_instructions() -> None:
    assert invoke(MODEL) == (
        2,
        "",
        "error: instructions are counted on an emulated processor; name one, for example --target cortex-m4\n",
    )


@needs_emulator
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    target = tmp_path / "file" / "trace.json"
    code, out, err = invoke(MODEL, "-q", *SHORT, "--trace", target)
    assert (code, out) == (1, "")
    assert err.startswith(f"error: cannot write {target}: ")
