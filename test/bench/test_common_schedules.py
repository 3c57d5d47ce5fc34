"""What comes with the package is still faster than what the rules choose."""

from __future__ import annotations

from pathlib import Path

import pytest
from common_schedules import TARGET, Layer, layers, module

from stillpool.driver.compile.prepare import prepare
from stillpool.lowering.schedule.known.known import shipped
from stillpool.machines.cpus import get_cpu
from stillpool.tune.job import Job, Way
from stillpool.tune.measure import compiler_of, measured
from stillpool.tune.tasks import Task, tasks_of

pytestmark = pytest.mark.extra("emulate")
WAY = Way(TARGET)
EVERY = list(layers())


def tasks(layer: Layer, folder: Path) -> list[Task]:
    path = folder / "layer.mlir"
    path.write_text(module([layer]))
    return list(tasks_of(prepare(path).module("tasks"), get_cpu(TARGET)).tasks)


def value(task: Task, schedule: str) -> float:
    found = measured(Job(task.program, task.place.function, task.place.number, schedule, WAY)).value
    assert found is not None
    return found


def checked(layer: Layer, folder: Path) -> None:
    for task in tasks(layer, folder):
        best = shipped().best(task.digest, TARGET)
        if best is None:
            continue
        if best.by != compiler_of(WAY):
            pytest.skip(f"it was measured with {best.by}")
        assert task.heuristics[-1] in [one.schedule for one in shipped().of_task(task.digest, TARGET)]
        assert value(task, best.schedule) < value(task, task.heuristics[-1])


@pytest.mark.parametrize("number", [n for n, layer in enumerate(EVERY) if layer.input == (1, 2)])
def test_layers_of_two_inputs(number: int, tmp_path: Path) -> None:
    checked(EVERY[number], tmp_path)


@pytest.mark.sweep
@pytest.mark.parametrize("number", range(len(EVERY)))
def test_every_layer(number: int, tmp_path: Path) -> None:
    checked(EVERY[number], tmp_path)
