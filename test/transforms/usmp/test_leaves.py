"""Functions that are called again are not run again: buffers live as long as if they were."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects import func
from xdsl.parser import Parser

import stillpool
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.pipeline import context
from stillpool.transforms.usmp.analysis import liveness
from stillpool.transforms.usmp.analysis.liveness import Liveness
from stillpool.transforms.usmp.analysis.structure import entries

DIGITS = stillpool.__path__[0] + "/examples/digits/digits.tflite"

INSIDE = """
func.func private @inner(%a: memref<4xi8>, %b: memref<4xi8>) {
  %s = memref.alloc() : memref<8xi8>
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %x = memref.load %a[%0] : memref<4xi8>
  scf.for %i = %0 to %4 step %1 {
    memref.store %x, %s[%i] : memref<8xi8>
    %y = memref.load %s[%0] : memref<8xi8>
    memref.store %y, %b[%i] : memref<4xi8>
  }
  func.return
}
func.func private @outer(%a: memref<4xi8>, %b: memref<4xi8>) {
  %m = memref.alloc() : memref<4xi8>
  func.call @inner(%a, %m) : (memref<4xi8>, memref<4xi8>) -> ()
  func.call @inner(%m, %b) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
func.func @f() {
  %a = memref.alloc() {pool.kind = #pool.kind<input>} : memref<4xi8>
  %b = memref.alloc() : memref<4xi8>
  %c = memref.alloc() {pool.kind = #pool.kind<output>} : memref<4xi8>
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  scf.for %i = %0 to %4 step %1 {
    func.call @inner(%a, %b) : (memref<4xi8>, memref<4xi8>) -> ()
    func.call @outer(%b, %b) : (memref<4xi8>, memref<4xi8>) -> ()
  }
  func.call @outer(%b, %c) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
"""


def check(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    repeated = [Liveness(module, entry) for entry in entries(module)]
    with monkeypatch.context() as patch:
        patch.setattr(liveness, "_leaf", lambda function: None)
        run = [Liveness(module, entry) for entry in entries(module)]
    for one, other in zip(repeated, run, strict=True):
        assert one.end == other.end
        assert list(one.lives) == list(other.lives)
        for alloc, life in one.lives.items():
            assert life.ranges == other.lives[alloc].ranges
            assert set(life.operators) == set(other.lives[alloc].operators)
        assert one.handovers == other.handovers


def test_calls_in_loops_and_in_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    module = Parser(context(), INSIDE).parse_module()
    called: list[str] = []
    found = liveness._leaf

    def noted(function: func.FuncOp) -> object:
        called.append(function.sym_name.data)
        return found(function)

    monkeypatch.setattr(liveness, "_leaf", noted)
    Liveness(module, entries(module)[0])
    assert sorted(called) == ["inner", "outer"]
    check(module, monkeypatch)


@pytest.mark.parametrize("options", [{}, {"rows": "on"}, {"target": "cortex-m4", "rows": "on"}], ids=str)
def test_of_a_model(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check(prepare(DIGITS, **options).module("memref"), monkeypatch)
