"""What is estimated before any C compiler runs is what the emulator counts, of models that no table was made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from stillpool.driver.compile.network_cost import network_cost
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.options.options import Options
from stillpool.machines.cpus import get_cpu
from stillpool.report.pareto import pareto_front
from stillpool.run.emulate.emulator import emulate
from stillpool.run.samples import random_inputs

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
TARGET = "cortex-m4"


def emulated(path: Path, options: Options) -> int:
    """Instructions of one run."""
    artifact = prepare(path, **options).result()
    return emulate(artifact, get_cpu(TARGET), random_inputs(artifact.description, 1, 0)).instructions


@pytest.mark.usefixtures("arm_gcc")
@pytest.mark.parametrize(
    ("name", "optimize", "most"),
    # With `size` functions share their code, and know fewer constants than their loops have.
    [("digits", "speed", 0.05), ("digits", "size", 0.15), ("novelty", "speed", 0.05), ("novelty", "balanced", 0.05)],
)
def test_an_estimate_is_near(name: str, optimize: str, most: float) -> None:
    path, options = EXAMPLES / name / f"{name}.tflite", Options(target=TARGET, optimize=optimize)
    estimated = network_cost(prepare(path, **options).placed(), TARGET).instructions
    assert estimated == pytest.approx(emulated(path, options), rel=most)


@pytest.mark.usefixtures("arm_gcc")
def test_points_take_what_they_say() -> None:
    path = EXAMPLES / "novelty" / "novelty.tflite"
    points = pareto_front(prepare(path, target=TARGET))
    for point in (points[0], points[1]):
        words = dict(zip(point.options[::2], point.options[1::2], strict=True))
        options = Options(target=TARGET)
        if "--optimize" in words:
            options["optimize"] = words["--optimize"]
        if "--spend" in words:
            options["schedule_flash"] = int(words["--spend"].removeprefix("flash="))
        assert set(words) <= {"--optimize", "--spend"}
        assert point.instructions == pytest.approx(emulated(path, options), rel=0.05)
