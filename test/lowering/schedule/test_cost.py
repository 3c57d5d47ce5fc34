"""How often operations run, counted from the loops alone."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.parser import Parser

from stillpool.driver.pipeline import context
from stillpool.lowering.schedule.cost.counts import Counts
from stillpool.lowering.schedule.cost.registers import traffic

CLIPPED = """
func.func @window(%x: memref<10xi8>, %y: memref<10xi8>, %data: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0 : i8
  scf.for %i = %c0 to %c10 step %c1 {
    %back = arith.subi %i, %c1 : index
    %first = arith.maxsi %back, %c0 : index
    %next = arith.addi %i, %c2 : index
    %end = arith.minsi %next, %c10 : index
    %sum = scf.for %k = %first to %end step %c1 iter_args(%acc = %zero) -> (i8) {
      %v = memref.load %x[%k] : memref<10xi8>
      %s = arith.addi %acc, %v : i8
      scf.yield %s : i8
    }
    %is_left = arith.cmpi slt, %i, %c8 : index
    scf.if %is_left {
      memref.store %sum, %y[%i] : memref<10xi8>
    }
    scf.if %data {
      memref.store %sum, %y[%i] : memref<10xi8>
    }
  }
  func.return
}
"""


def test_operations_are_counted_as_they_run() -> None:
    module = Parser(context(), CLIPPED).parse_module()
    function = next(op for op in module.walk() if isinstance(op, func.FuncOp))
    counts = Counts(function, registers=14)
    # Three points in the middle, two at each end.
    assert counts.run["load i8"] == counts.run["arithmetic"] == 28
    assert counts.run["loop"] == 1
    assert counts.run["loop with bounds"] == 10
    assert counts.run["iteration"] == 10
    assert counts.run["iteration inside"] == 28
    # Eight of ten, and half of what nobody knows.
    assert counts.run["store i8"] == 8 + 5
    assert {kind: n for kind, n in counts.static.items() if n} == {
        "function inside": 1,
        "loop": 1,
        "loop with bounds": 1,
        "iteration": 1,
        "iteration inside": 1,
        "carried": 1,
        "index selection": 2,
        "load i8": 1,
        "arithmetic": 1,
        "index comparison": 1,
        "branch": 2,
        "store i8": 2,
        # One for each load and store, which go on by themselves.
        "pointer": 3,
        "pointer steps": 3,
    }


def test_numbers_go_to_memory_where_registers_are_few() -> None:
    # Three numbers are made and then summed in order: with two registers the first waits for the second in
    # memory, and the third for both.
    made = [([], [0]), ([], [1]), ([], [2]), ([0, 1], [3]), ([3, 2], [4])]
    assert traffic(made, [], [4], registers=3) == (0, 0)
    assert traffic(made, [], [4], registers=2) == (2, 2)
