"""Where a few functions get other schedules the others are not lowered again, and the code is the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from stillpool.driver import pipeline
from stillpool.driver.compile import planned_model
from stillpool.driver.compile.compilation import Compilation
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.compile.relowered import with_tasks
from stillpool.driver.models.model import Model


def _layer(name: str, source: str, weights: str, most: int) -> str:
    return f"""
      {name} = nn.conv2d {source}, {weights} strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0]
        rescale <[1073741824], [-4]> clamp <-128, {most}> :
        (tensor<1x4x4x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x4x4x16xi8>"""


def network(*, shared: bool, alike: bool) -> str:
    """Three pointwise convolutions.

    Args:
        shared: whether the last two have the same weights.
        alike: whether all have the same function.
    """
    constants = [(np.arange(256).reshape(16, 1, 1, 16) * step % 255 - 127).tolist() for step in (3, 7, 11)]
    weights = ["%w0", "%w1", "%w1" if shared else "%w2"]
    lines = [
        f"%w{n} = nn.constant dense<{constant}> : tensor<16x1x1x16xi8>"
        for n, constant in enumerate(constants)
        if f"%w{n}" in weights
    ]
    layers = [_layer(f"%{n + 1}", f"%{n}", weight, 127 if alike else 127 - n) for n, weight in enumerate(weights)]
    return (
        "func.func @m(%0: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {\n"
        + "\n".join([*lines, *layers])
        + "\nfunc.return %3 : tensor<1x4x4x16xi8>\n}"
    )


def _compiled(*, shared: bool, alike: bool = False) -> Compilation:
    module = Parser(pipeline.context(), network(shared=shared, alike=alike)).parse_module()
    made = prepare(Model("m", "m.mlir", module, None), target="cortex-m4", optimize="ram", rows="off")
    assert made.plan.weighs_scratch
    return made


def _functions(made: Compilation) -> list[str]:
    """Names of what the network calls, in order."""
    return [op.callee.string_value() for op in made.unscheduled().walk() if isinstance(op, func.CallOp)]


@pytest.mark.parametrize(("number", "alike"), [(0, False), (1, False), (2, False), (0, True)])
def test_the_code_is_that_of_lowering_everything(number: int, alike: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made = _compiled(shared=alike, alike=alike)
    names = _functions(made)
    assert len({*names}) == 1 if alike else 3
    lean = made.planned_as(replace(made.plan, lean_functions=(names[number],)))
    calls: list[ModuleOp | None] = []

    def watched(lowered: ModuleOp, unscheduled: ModuleOp, names: tuple[str, ...]) -> ModuleOp | None:
        calls.append(with_tasks(lowered, unscheduled, names))
        return calls[-1]

    monkeypatch.setattr(planned_model, "with_tasks", watched)
    found = lean.text("c")
    assert [one is not None for one in calls] == [True]
    assert found != made.text("c")
    monkeypatch.setattr(planned_model, "with_tasks", lambda *given: None)
    again = _compiled(shared=alike, alike=alike)
    assert again.planned_as(lean.plan).text("c") == found


def test_functions_that_share_a_constant_are_lowered_together() -> None:
    made = _compiled(shared=True)
    first, second, third = _functions(made)
    lowered, unscheduled = made.lowered_once(), made.unscheduled()
    assert with_tasks(lowered, unscheduled, [first]) is not None
    assert with_tasks(lowered, unscheduled, [second]) is None
    assert with_tasks(lowered, unscheduled, [first, third]) is None
