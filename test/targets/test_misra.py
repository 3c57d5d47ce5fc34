"""The record of deviations from MISRA C has every rule that cppcheck finds broken, and no other."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import stillpool
from stillpool.driver.options.pool_spec import PoolSpec
from stillpool.targets.misra import DEVIATIONS, misra_report

EXAMPLES = Path(__file__).parents[2] / "examples"
RECORDED = {one.rule for one in DEVIATIONS}
QUICK: dict[str, dict[str, Any]] = {
    "ai": {"interface": "ai"},
    "shims": {"shims": ["table", "packed"], "workspace_io": "none", "poison": True},
}
SLOW: dict[str, dict[str, Any]] = {
    "native": {},
    "rows": {"interface": "tvm", "rows": "on"},
    "stream": {"stream_input": "image"},
    "speed": {"optimize": "speed", "target": "cortex-m4", "builtin_pools": True},
    "flash": {"pools": [PoolSpec("flash", "constant"), "sram"]},
    "names": {"name": "a_network_with_quite_a_long_name"},
}


def broken(folder: Path, files: dict[str, bytes]) -> set[str]:
    """Numbers of the rules that cppcheck finds broken in C files; `folder` takes them."""
    if shutil.which("cppcheck") is None:
        pytest.skip("cppcheck is not installed")
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    sources = sorted(path for path in files if path.endswith(".c"))
    command = ["cppcheck", "--addon=misra", "--std=c99", "-Iinclude", "--quiet", "--suppress=missingIncludeSystem"]
    done = subprocess.run([*command, *sources], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    if "addon" in done.stdout or "Did not find" in done.stderr:
        pytest.skip("cppcheck has no addon for MISRA C")
    return set(re.findall(r"\[misra-c2012-([0-9.]+)\]", done.stderr))


@pytest.mark.parametrize("case", QUICK)
def test_every_broken_rule_is_recorded(case: str, tmp_path: Path) -> None:
    code = stillpool.compile(EXAMPLES / "novelty" / "novelty.tflite", **QUICK[case]).code
    found = broken(tmp_path, {path: data for path, data in code.items() if not path.endswith("_data.c")})
    assert found - RECORDED == set()
    assert found, "cppcheck finds some in every project"


@pytest.mark.sweep
def test_records_and_broken_rules_are_the_same(tmp_path: Path) -> None:
    found: set[str] = set()
    for case, options in {**QUICK, **SLOW}.items():
        found |= broken(tmp_path / case, stillpool.compile(EXAMPLES / "digits" / "digits.tflite", **options).code)
    assert found <= RECORDED
    # The addon overlooks what it sees only where the header is checked by itself.
    assert RECORDED - found <= {"11.6"}


def test_records_are_in_order_and_complete() -> None:
    numbers = [tuple(map(int, one.rule.split("."))) for one in DEVIATIONS]
    assert numbers == sorted(set(numbers))
    assert all(one.where and one.why.endswith(".") and "|" not in one.where for one in DEVIATIONS)
    assert misra_report().count("\n| ") == len(DEVIATIONS) + 1
