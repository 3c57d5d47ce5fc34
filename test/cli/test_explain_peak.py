"""`analyze --explain-peak`: what each change is said to save is what two compilations differ by."""

from __future__ import annotations

import itertools
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from stillpool.cli import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DIGITS, NOVELTY = EXAMPLES / "digits" / "digits.tflite", EXAMPLES / "novelty" / "novelty.tflite"
TWO_POOLS = ["--workspace-pool", "dtcm:size=1000", "--workspace-pool", "sram"]


def invoke(verb: str, *arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [verb, *map(str, arguments)])


def explained(*arguments: str | Path) -> dict[str, Any]:
    result = invoke("analyze", *arguments, "--explain-peak", "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def compiled(*arguments: str | Path) -> dict[str, int]:
    """Bytes of the workspace pools of an actual compilation, by name."""
    result = invoke("analyze", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return {pool["name"]: pool["bytes"] for pool in json.loads(result.stdout)["pools"] if pool["kind"] == "workspace"}


def pairs(words: list[str]) -> list[tuple[str, ...]]:
    """Options with their values."""
    starts = [i for i, word in enumerate(words) if word.startswith("--")] + [len(words)]
    return [tuple(words[a:b]) for a, b in itertools.pairwise(starts)]


def with_option(arguments: list[str], option: str) -> list[str]:
    """The arguments as a user changes them who types what the report says."""
    typed, _, left_out = option.partition("without ")
    models = [word for word in arguments if word.endswith(".tflite")]
    given = pairs([word for word in arguments if not word.endswith(".tflite")])
    for gone in pairs(shlex.split(left_out)):
        given = [have for have in given if have[: len(gone)] != gone]
    added = pairs(shlex.split(typed))
    given = [have for have in given if have[0] == "--pin" or have[0] not in {new[0] for new in added}]
    return [*models, *(word for pair in [*given, *added] for word in pair)]


CASES = {
    "default": [DIGITS],
    "in-place": [DIGITS, "--overlap", "inplace"],
    "nothing overlaps": [DIGITS, "--overlap", "off", "--keep-inputs"],
    "inputs kept in two slots": [NOVELTY, "--keep-inputs", "--double-buffer-inputs"],
    "two slots": [NOVELTY, "--double-buffer-inputs"],
    "outputs inside": [NOVELTY, "--workspace-io", "outputs"],
    "another algorithm": [DIGITS, "--usmp-algorithm", "best_fit", "--overlap", "off"],
    "two pools": [DIGITS, *TWO_POOLS],
    "a pin": [DIGITS, "--workspace-pool", "a", "--workspace-pool", "b", "--pin", "digits/re_lu*=b"],
    "concurrent": [DIGITS, NOVELTY, "--concurrency", "concurrent", "--workspace-pool", "sram:align=64"],
    "exclusive": [DIGITS, NOVELTY],
}


@pytest.mark.parametrize("case", CASES)
def test_savings_are_differences_of_compilations(case: str) -> None:
    arguments = list(map(str, CASES[case]))
    document, now = explained(*arguments), compiled(*arguments)
    for saving in document["explain_peak"]:
        then = compiled(*with_option(arguments, saving["option"]))
        pool = saving["pool"]
        assert now[pool] - then.get(pool, 0) == saving["bytes_saved"] > 0, saving
        assert then.get(pool, 0) == saving["new_peak"]
        assert saving["net_bytes"] == saving["bytes_saved"] - saving["elsewhere_bytes"]
        assert saving["fits"]
    saved = [saving["net_bytes"] for saving in document["explain_peak"]]
    assert saved == sorted(saved, reverse=True)


@pytest.mark.parametrize(
    ("case", "option"),
    [
        ("in-place", "--overlap full"),
        ("nothing overlaps", "without --keep-inputs"),
        ("two slots", "without --double-buffer-inputs"),
        ("two slots", "--workspace-io outputs without --double-buffer-inputs"),
        ("inputs kept in two slots", "--workspace-io outputs without --keep-inputs --double-buffer-inputs"),
        ("a pin", "without --pin 'digits/re_lu*=b'"),
        ("concurrent", "--concurrency exclusive"),
        ("concurrent", "--workspace-pool sram:align=4"),
    ],
)
def test_what_helps_is_listed(case: str, option: str) -> None:
    assert option in [saving["option"] for saving in explained(*CASES[case])["explain_peak"]]


def test_only_what_applies_is_listed() -> None:
    options = " ".join(saving["option"] for saving in explained(*CASES["default"])["explain_peak"])
    for word in ("--overlap", "--keep-inputs", "--double-buffer-inputs", "--usmp-algorithm", "--concurrency"):
        assert word not in options


def test_the_peak_names_operator_buffers_and_bound() -> None:
    document = explained(DIGITS)
    (peak,), (pool,) = document["peaks"], document["pools"]
    assert (peak["operator"], peak["bytes"]) == ("position 2 (CONV_2D, index 3)", pool["bytes"])
    assert peak["lower_bound_bytes"] == pool["lower_bound_bytes"]
    assert [buffer["bytes"] for buffer in peak["buffers"]] == [768, 768, 768]
    assert "held from position 0 (CONV_2D, index 1) to position 3 (ADD, index 4)" in [
        buffer["role"] for buffer in peak["buffers"]
    ]
    assert "at the bound" in peak["bound"]


def test_nothing_helps() -> None:
    """With a pool that the user named, all tensors inside and one model there is nothing to move."""
    result = invoke("analyze", DIGITS, "--explain-peak", "--workspace-pool", "sram")
    assert result.exit_code == 0
    assert "nothing helps" in result.stdout
    assert "the plan is at the bound" in result.stdout
    document = explained(DIGITS, "--workspace-pool", "sram")
    assert document["explain_peak"] == []
    assert document["verdict"].startswith("nothing helps")


def test_over_the_limit_it_says_what_would_fit() -> None:
    arguments = [DIGITS, "--overlap", "off", "--workspace-pool", "sram:size=2K"]
    result = invoke("analyze", *arguments, "--explain-peak", "--json")
    assert result.exit_code == 3
    document = json.loads(result.stdout)
    assert not document["fits"]
    assert document["error"]["exit_code"] == 3
    (pool,) = document["pools"]
    assert pool["short_bytes"] == pool["bytes"] - 2048 > 0
    fits = {saving["option"]: saving["fits"] for saving in document["explain_peak"]}
    assert fits["--overlap full"]
    assert result.stderr.startswith("error: pool 'sram' is ")
    text = invoke("analyze", *arguments, "--explain-peak")
    assert (text.exit_code, text.stdout.startswith("digits: short by ")) == (3, True)


def test_the_page_has_the_section(tmp_path: Path) -> None:
    page = tmp_path / "map.html"
    assert invoke("analyze", DIGITS, "--overlap", "off", "--explain-peak", "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert '<section id="explain-peak">' in text
    assert "<td>--overlap full</td>" in text
    assert invoke("analyze", DIGITS, "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert '<section id="explain-peak">' not in text
    assert "<code>--explain-peak</code>" in text


def test_poison_is_refused() -> None:
    assert invoke("analyze", DIGITS, "--explain-peak", "--poison").exit_code == 2
