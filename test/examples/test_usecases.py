"""The use cases of memory pools: every example is compiled, built with sanitisers and run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

USECASES = Path(__file__).resolve().parents[2] / "examples" / "usecases"
RIGHT = dict.fromkeys(["u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9", "u11"], 47) | {"u10": 46}


EVERY_DAY = ("u1", "u6", "u10", "u11")


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if case in EVERY_DAY else pytest.mark.sweep) for case in RIGHT]
)
def test_use_case(case: str, run_use_case: Callable[[str], str]) -> None:
    assert run_use_case(case).splitlines()[-1].endswith(f"{RIGHT[case]} of 48 right")


def test_every_use_case_is_run() -> None:
    assert {path.stem.split("_")[0] for path in USECASES.glob("u*.c")} == set(RIGHT)
