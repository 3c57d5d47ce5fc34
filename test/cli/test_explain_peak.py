"""`analyze --explain-peak`: what each change is said to save is what two compilations differ by."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from stillpool.cli import main
from stillpool.report.explain.explanation import Explanation

pytestmark = pytest.mark.usefixtures("compiled_once")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DIGITS, NOVELTY = EXAMPLES / "digits" / "digits.tflite", EXAMPLES / "novelty" / "novelty.tflite"
TWO = [NOVELTY, NOVELTY, "--name", "one", "--name", "other"]
PIN = "novelty/dense/*=b"
_WORKSPACE = re.compile(r"pool\.declare @(\w+) workspace .*?size (\d+)")


def invoke(verb: str, *arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [verb, *map(str, arguments)])


def explained(*arguments: str | Path) -> dict[str, Any]:
    result = invoke("analyze", *arguments, "--explain-peak", "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def compiled(*arguments: str | Path) -> dict[str, int]:
    """Bytes of the workspace pools of an actual compilation, by name: the printing of C changes no pool."""
    result = invoke("compile", *arguments, "--emit", "pools")
    assert result.exit_code == 0, result.output
    return {name: int(size) for name, size in _WORKSPACE.findall(result.stdout)}


def pairs(words: list[str]) -> list[tuple[str, ...]]:
    """Options with their values."""
    starts = [i for i, word in enumerate(words) if word.startswith("--")] + [len(words)]
    return [tuple(words[a:b]) for a, b in itertools.pairwise(starts)]


def _set_by(pair: tuple[str, ...]) -> str:
    """The option, or the setting of one that gathers several."""
    return " ".join(pair).partition("=")[0] if pair[0] in ("--io", "--planner") else pair[0]


def with_option(arguments: list[str], option: str) -> list[str]:
    """The arguments as a user changes them who types what the report says."""
    typed, _, left_out = option.partition("without ")
    models = [word for word in arguments if word.endswith(".tflite")]
    given = pairs([word for word in arguments if not word.endswith(".tflite")])
    for gone in pairs(shlex.split(left_out)):
        given = [have for have in given if have[: len(gone)] != gone]
    added = pairs(shlex.split(typed))
    given = [have for have in given if have[0] == "--pin" or _set_by(have) not in map(_set_by, added)]
    return [*models, *(word for pair in [*given, *added] for word in pair)]


CASES: dict[str, tuple[list[str | Path], list[str]]] = {
    "default": ([DIGITS], []),
    "in-place": ([NOVELTY, "--planner", "overlap=inplace"], ["--planner overlap=full"]),
    "nothing overlaps": ([NOVELTY, "--planner", "overlap=off", "--io", "keep"], ["without --io keep"]),
    "inputs kept in two slots": (
        [NOVELTY, "--io", "keep", "--io", "double-buffer"],
        ["--workspace-io outputs without --io keep --io double-buffer"],
    ),
    "two slots": (
        [NOVELTY, "--io", "double-buffer"],
        ["without --io double-buffer", "--workspace-io outputs without --io double-buffer"],
    ),
    "outputs inside": ([NOVELTY, "--workspace-io", "outputs"], []),
    "another algorithm": (
        [DIGITS, "--planner", "algorithm=best_fit", "--planner", "overlap=off"],
        ["--planner algorithm=exact"],
    ),
    "two pools": ([NOVELTY, "--pool", "dtcm:size=60", "--pool", "sram"], []),
    "a pin": (
        [NOVELTY, "--pool", "a", "--pool", "b", "--pin", PIN],
        [f"without --pin '{PIN}'"],
    ),
    "concurrent": (
        [*TWO, "--concurrency", "concurrent", "--pool", "sram:align=64"],
        ["--concurrency exclusive", "--pool sram:align=4"],
    ),
    "exclusive": (TWO, []),
}
"""What is asked for, and changes that are among those that help."""


EVERY_DAY = ("in-place", "two slots", "a pin", "exclusive")


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if case in EVERY_DAY else pytest.mark.sweep) for case in CASES]
)
def test_savings_are_differences_of_compilations(case: str) -> None:
    arguments, helps = [*map(str, CASES[case][0])], CASES[case][1]
    document, now = explained(*arguments), compiled(*arguments)
    assert document["explain_peak"], "the case shows nothing"
    for saving in document["explain_peak"]:
        then = compiled(*with_option(arguments, saving["option"]))
        pool = saving["pool"]
        assert now[pool] - then.get(pool, 0) == saving["bytes_saved"] > 0, saving
        assert then.get(pool, 0) == saving["new_peak"]
        assert saving["net_bytes"] == saving["bytes_saved"] - saving["elsewhere_bytes"]
        assert saving["fits"]
    saved = [saving["net_bytes"] for saving in document["explain_peak"]]
    assert saved == sorted(saved, reverse=True)
    assert set(helps) <= {saving["option"] for saving in document["explain_peak"]}


def test_of_a_plan_without_options_what_applies_is_listed_and_the_peak_is_described() -> None:
    document = explained(DIGITS)
    options = " ".join(saving["option"] for saving in document["explain_peak"])
    for word in ("overlap=", "--io keep", "--io double-buffer", "algorithm=", "--concurrency"):
        assert word not in options
    (peak,), (pool,) = document["peaks"], document["pools"]
    assert (peak["operator"], peak["bytes"]) == ("position 2 (CONV_2D, index 3)", pool["bytes"])
    assert peak["lower_bound_bytes"] == pool["lower_bound_bytes"]
    assert [buffer["bytes"] for buffer in peak["buffers"]] == [768, 768, 768]
    assert "held from position 0 (CONV_2D, index 1) to position 3 (ADD, index 4)" in [
        buffer["role"] for buffer in peak["buffers"]
    ]
    assert "at the bound" in peak["bound"]


def test_what_was_tried_is_all_that_is_claimed() -> None:
    assert Explanation((), (), 4).verdict.startswith("none of the 4 changes that were planned lowers a peak")


def test_rows_are_tried() -> None:
    """With a pool that the user named, all tensors inside and one model, placement alone cannot help."""
    # What plans of rows take after the first steps of the search does not matter here.
    asked = (DIGITS, "--workspace-pool", "sram", "--planner", "seconds=0.05")
    result = invoke("analyze", *asked, "--explain-peak")
    assert result.exit_code == 0
    assert "the plan is at the bound" in result.stdout
    document = explained(*asked)
    savings, (pool,) = document["explain_peak"], document["pools"]
    (by_rows,) = explained(*asked, "--rows", "on")["pools"]
    saved = pool["bytes"] - by_rows["bytes"]
    assert {one["option"]: one["net_bytes"] for one in savings} == {"--rows on": saved, "--optimize ram": saved}


def test_over_the_limit_it_says_what_would_fit() -> None:
    arguments = [NOVELTY, "--overlap", "off", "--keep-inputs", "--workspace-pool", "sram:size=127"]
    result = invoke("analyze", *arguments, "--explain-peak", "--json")
    assert result.exit_code == 3
    document = json.loads(result.stdout)
    assert not document["fits"]
    assert document["error"]["exit_code"] == 3
    (pool,) = document["pools"]
    assert pool["short_bytes"] == pool["bytes"] - 127 > 0
    fits = {saving["option"]: saving["fits"] for saving in document["explain_peak"]}
    assert fits["without --io keep"]
    assert result.stderr.startswith("error: pool 'sram' is ")
    text = invoke("analyze", *arguments)
    assert (text.exit_code, text.stdout.startswith("novelty: short by ")) == (3, True)


def test_the_page_has_the_section(tmp_path: Path) -> None:
    page = tmp_path / "map.html"
    assert invoke("analyze", NOVELTY, "--keep-inputs", "--explain-peak", "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert '<section id="explain-peak">' in text
    assert "<td>without --io keep</td>" in text
    assert invoke("analyze", NOVELTY, "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert '<section id="explain-peak">' not in text
    assert "<code>--explain-peak</code>" in text


def test_poison_is_refused() -> None:
    assert invoke("analyze", DIGITS, "--explain-peak", "--poison").exit_code == 2
