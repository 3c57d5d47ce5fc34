"""`--optimize ram` as a change of another request: what hints promise is what the objective does."""

from __future__ import annotations

from pathlib import Path

import pytest

from stillpool import load
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.options.objectives import for_ram
from stillpool.driver.options.options import Options

DIGITS = load(Path(__file__).parents[2] / "examples" / "digits" / "digits.tflite")


@pytest.mark.parametrize(
    "options",
    [
        {"target": "cortex-m4"},
        {"target": "cortex-m4", "optimize": "speed", "schedule_flash": 1000},
        {"target": "cortex-m4", "optimize": "balanced"},
        {"target": "rv32imc", "optimize": "size", "schedule_ram": 64},
        {"target": "cortex-m4", "ram_price": 3.0, "rows": "auto"},
        {},
        {"optimize": "speed"},
    ],
)
def test_the_plan_for_ram_is_that_of_its_objective(options: Options) -> None:
    asked: Options = {**options, "optimize": "ram"}
    assert for_ram(prepare(DIGITS, **options).plan) == prepare(DIGITS, **asked).plan


def test_without_a_processor_nothing_limits_schedules() -> None:
    assert for_ram(prepare(DIGITS, optimize="speed", schedule_ram=64).plan) is None
