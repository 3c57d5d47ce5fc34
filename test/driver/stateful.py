"""A model that keeps state, written by hand on memrefs: what operators with state are lowered to."""

from __future__ import annotations

from xdsl.parser import Parser

from stillpool.driver import pipeline
from stillpool.driver.models.model import Model

COUNTER = """
// total += x; y = total + 10 * steps; steps += 1, where steps[3] begins at 1, 2, 3.
func.func private @add(%x: memref<3xi8>, %total: memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %a = memref.load %x[%i] : memref<3xi8>
    %b = arith.extsi %a : i8 to i32
    %c = memref.load %total[%i] : memref<3xi32>
    %d = arith.addi %b, %c : i32
    memref.store %d, %total[%i] : memref<3xi32>
  }
  func.return
}
func.func private @count(%total: memref<3xi32>, %steps: memref<3xi16>, %y: memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  scf.for %i = %c0 to %c3 step %c1 {
    %a = memref.load %total[%i] : memref<3xi32>
    %b = memref.load %steps[%i] : memref<3xi16>
    %c = arith.extsi %b : i16 to i32
    %d = arith.muli %c, %ten : i32
    %e = arith.addi %a, %d : i32
    memref.store %e, %y[%i] : memref<3xi32>
    %f = arith.addi %c, %one : i32
    %g = arith.trunci %f : i32 to i16
    memref.store %g, %steps[%i] : memref<3xi16>
  }
  func.return
}
func.func @main(%x: memref<3xi8> {nn.name = "x", pool.io = "input"},
                %y: memref<3xi32> {nn.name = "y", pool.io = "output"}) {
  %total = memref.alloc() {pool.name = "total", pool.kind = #pool.kind<state>, pool.initial = dense<0> : tensor<3xi32>}
    : memref<3xi32>
  %steps = memref.alloc()
    {pool.name = "steps", pool.kind = #pool.kind<state>, pool.initial = dense<[1, 2, -3]> : tensor<3xi16>}
    : memref<3xi16>
  func.call @add(%x, %total) : (memref<3xi8>, memref<3xi32>) -> ()
  func.call @count(%total, %steps, %y) : (memref<3xi32>, memref<3xi16>, memref<3xi32>) -> ()
  func.return
}
"""


def counter(name: str = "counter") -> Model:
    """The model: two states, one of which does not begin at zero."""
    return Model(name, f"{name}.mlir", Parser(pipeline.context(), COUNTER).parse_module(), None)
