"""How often operations run, counted from the loops alone; and which schedules a limit of flash allows."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.parser import Parser

from stillpool.driver.pipeline import context
from stillpool.lowering.schedule.cost.counts import Counts
from stillpool.lowering.schedule.cost.growth import Growth, chosen

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
    counts = Counts(function.body.block)
    # Three points in the middle, two at each end.
    assert counts.run["memref.load"] == counts.run["arithmetic"] == 28
    assert counts.run["loop"] == 1 + 10
    assert counts.run["iteration"] == 10 + 28
    # Eight of ten, and half of what nobody knows.
    assert counts.run["memref.store"] == 8 + 5
    assert counts.static == {
        "function": 1,
        "loop": 2,
        "iteration": 2,
        "carried": 1,
        "index": 4,
        "memref.load": 1,
        "arithmetic": 1,
        "index comparison": 1,
        "branch": 2,
        "memref.store": 2,
    }


def test_flash_goes_where_it_saves_most() -> None:
    found = [
        Growth("free", saved=10, flash=-5),
        Growth("slower", saved=-1, flash=-100),
        Growth("good", saved=1000, flash=100),
        Growth("large", saved=5000, flash=1000),
        Growth("small", saved=50, flash=20),
    ]
    assert chosen(found, 1200) == {"free", "good", "large", "small"}
    assert chosen(found, 1000) == {"free", "good", "small"}
    assert chosen(found, 0) == {"free"}
