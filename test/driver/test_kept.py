"""Functions that were lowered to be weighed are put into the module: it is the one that lowering makes."""

from __future__ import annotations

import pytest
from models import DIGITS
from test_relowered import network
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from stillpool.dialects.operations import all_of
from stillpool.dialects.task import NestOp
from stillpool.driver import pipeline
from stillpool.driver.compile.compilation import Compilation
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.models.model import Model
from stillpool.transforms.tasks.choose import weigh, weighed
from stillpool.transforms.tasks.choose.weighed import Weighed


def _layers(*, shared: bool, alike: bool) -> Model:
    module = Parser(pipeline.context(), network(shared=shared, alike=alike)).parse_module()
    return Model("m", "m.mlir", module, None)


@pytest.mark.parametrize(
    ("layers", "optimize", "left"),
    [
        pytest.param(None, "balanced", 0, id="all are put in"),
        pytest.param(None, "size", 0, id="small code"),
        pytest.param({"shared": False, "alike": True}, "balanced", 0, id="one function is called three times"),
        pytest.param({"shared": True, "alike": False}, "balanced", 2, id="two functions share a constant"),
    ],
)
def test_lowered_module(
    layers: dict[str, bool] | None, optimize: str, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Other tests of the process may have weighed the same functions.
    monkeypatch.setattr(weighed, "_KNOWN", {})
    monkeypatch.setattr(weigh, "_TRIED", {})
    model = DIGITS if layers is None else _layers(**layers)
    made = prepare(model, target="cortex-m4", optimize=optimize, rows="off")
    put, tasks, counts = Weighed.put_kept, list[ModuleOp](), list[int]()

    def watched(self: Weighed, module: ModuleOp) -> None:
        tasks.append(module.clone())
        put(self, module)
        counts.append(len(all_of(module, NestOp)))

    monkeypatch.setattr(Weighed, "put_kept", watched)
    found = made.lowered_once()
    assert counts == [left]
    assert str(found) == str(_lowered(made, tasks[0]))


def _lowered(made: Compilation, module: ModuleOp) -> ModuleOp:
    pipeline.apply(module, pipeline.to_memref(), where=made.model.source)
    return module
