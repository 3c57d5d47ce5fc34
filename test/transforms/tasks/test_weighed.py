"""Functions that are alike, in copies of a module or in two, are weighed once, and cost the same."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from stillpool.driver import pipeline
from stillpool.lowering.schedule.variants import Variant
from stillpool.machines.cpus import Cpu, get_cpu
from stillpool.transforms.tasks.choose import costs as weighing
from stillpool.transforms.tasks.choose import weigh
from stillpool.transforms.tasks.choose import weighed as room
from stillpool.transforms.tasks.choose.weigh import scheduled
from stillpool.transforms.tasks.choose.weighed import Weighed
from stillpool.transforms.tasks.prepare import prepare as prepare_tasks
from stillpool.transforms.tasks.prepare import unscheduled

M4 = get_cpu("cortex-m4")
FLASH = Path(__file__).with_name("flash.mlir")


def module() -> ModuleOp:
    return Parser(pipeline.context(), FLASH.read_text(encoding="utf-8")).parse_module()


def copy(variant: Variant) -> ModuleOp:
    return scheduled(module(), M4, lambda name: variant)


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many tasks were lowered, of each module that was weighed."""
    found: list[int] = []

    def costs_of(module: ModuleOp, cpu: object, names: Collection[str]) -> dict[str, weighing.FunctionCost]:
        found.append(sum(op.name == "task.nest" for op in module.walk()))
        return weighing.costs_of(module, M4, names)

    monkeypatch.setattr(room, "costs_of", costs_of)
    monkeypatch.setattr(room, "_KNOWN", {})
    return found


def test_what_was_met_is_not_lowered_again(left: list[int]) -> None:
    weighed = Weighed(M4)
    found = [weighed.costs(copy(variant)) for variant in (Variant.FAST, Variant.COMPACT, Variant.FAST, Variant.COMPACT)]
    assert left == [1, 1]
    assert found[2:] == found[:2]
    assert found[0] == weighing.costs_of(copy(Variant.FAST), M4) != found[1]


def test_what_was_tried_is_not_prepared_again(left: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    ready: list[int] = []

    def prepare(module: ModuleOp, cpu: Cpu) -> None:
        ready.append(sum(op.name == "task.nest" for op in module.walk()))
        prepare_tasks(module, cpu)

    monkeypatch.setattr(weigh, "prepare", prepare)
    monkeypatch.setattr(weigh, "_TRIED", {})
    weighed = Weighed(M4)
    plain = weighed.costs(unscheduled(module(), M4))
    found = [weigh.options_of(module(), weighed, plain, keep_packed=True) for _ in range(2)]
    assert found[0] == found[1]
    assert len(found[0]) > 1
    half = len(ready) // 2
    assert all(ready[:half])
    assert not any(ready[half:])


TEXT = FLASH.read_text(encoding="utf-8")
ENTRY = TEXT[TEXT.index("func.func @main") :]
CALL = "call @pointwise(%input, %w, %b, %output)"
OTHERS = {
    "weights": TEXT.replace("dense<30>", "dense<31>"),
    "biases": TEXT.replace("dense<5>", "dense<6>"),
    "parts": TEXT.replace(CALL, f"{CALL} {{pool.parts = [#pool.part<1 in 3, offset 0, [4, 4] strides [4, 1]>]}}"),
    "calls": TEXT + ENTRY.replace("@main", "@other"),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_other_constants_or_calls_are_another_way(left: list[int], other: str) -> None:
    for text in (TEXT, other, TEXT, other):
        made = Parser(pipeline.context(), text).parse_module()
        Weighed(M4).costs(scheduled(made, M4, lambda name: Variant.FAST))
    assert left == [1, 1]
