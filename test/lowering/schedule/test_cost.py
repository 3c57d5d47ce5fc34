"""How often operations run, counted from the loops alone; and which schedules a limit of flash allows."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.parser import Parser

from stillpool.driver.pipeline import context
from stillpool.lowering.schedule.cost.counts import Counts
from stillpool.lowering.schedule.cost.growth import Option, chosen
from stillpool.lowering.schedule.cost.held import room_for_scratch
from stillpool.lowering.schedule.cost.registers import Traffic, traffic
from stillpool.lowering.schedule.variants import Variant

COMPACT, FAST = Variant.COMPACT, Variant.FAST

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


NETWORK = """
func.func private @first(%x: memref<100xi8>, %y: memref<20xi8>)
func.func private @second(%x: memref<20xi8>, %y: memref<10xi8>)
func.func @main(%x: memref<100xi8>, %z: memref<10xi8>) {
  %y = memref.alloc() : memref<20xi8>
  %a = memref.cast %x : memref<100xi8> to memref<100xi8>
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<100xi8>
  func.call @first(%x, %y) : (memref<100xi8>, memref<20xi8>) -> ()
  func.call @second(%y, %z) : (memref<20xi8>, memref<10xi8>) -> ()
  func.return
}
"""


def test_operations_are_counted_as_they_run() -> None:
    module = Parser(context(), CLIPPED).parse_module()
    function = next(op for op in module.walk() if isinstance(op, func.FuncOp))
    counts = Counts(function.body.block)
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
    assert traffic(made, [], [4], registers=3) == Traffic(stored=0, loaded=0)
    assert traffic(made, [], [4], registers=2) == Traffic(stored=2, loaded=2)


def test_scratch_has_room_beside_what_is_in_use() -> None:
    module = Parser(context(), NETWORK).parse_module()
    # A hundred bytes are in use before the first call, thirty at the second one.
    assert room_for_scratch(module, 0) == {"first": 0, "second": 70}
    assert room_for_scratch(module, 90) == {"first": 90, "second": 160}


def test_flash_goes_where_it_saves_most() -> None:
    found = [
        Option("free", FAST, saved=10, flash=-5),
        Option("slower", FAST, saved=-1, flash=-100),
        Option("good", FAST, saved=1000, flash=100),
        Option("large", FAST, saved=5000, flash=1000),
        Option("small", FAST, saved=50, flash=20),
    ]
    assert set(chosen(found, 1200)) == {"free", "good", "large", "small"}
    assert set(chosen(found, 1000)) == {"free", "good", "small"}
    assert set(chosen(found, 0)) == {"free"}
    assert set(chosen(found, 1000, last={"good", "free"})) == {"free", "large"}


def test_more_flash_takes_faster_variants() -> None:
    found = [
        Option("one", COMPACT, saved=900, flash=100),
        Option("one", FAST, saved=1000, flash=200),
        Option("other", COMPACT, saved=500, flash=100),
        Option("other", FAST, saved=900, flash=200),
        # Saves less for each byte than half of the other.
        Option("third", COMPACT, saved=10, flash=100),
        Option("third", FAST, saved=400, flash=200),
    ]
    assert chosen(found, 100) == {"one": COMPACT}
    assert chosen(found, 200) == {"one": COMPACT, "other": COMPACT}
    assert chosen(found, 300) == {"one": COMPACT, "other": FAST}
    assert chosen(found, 500) == {"one": COMPACT, "other": FAST, "third": FAST}
    assert chosen(found, 600) == {"one": FAST, "other": FAST, "third": FAST}


def test_a_variant_that_is_not_faster_is_not_taken() -> None:
    found = [Option("one", COMPACT, saved=100, flash=10), Option("one", FAST, saved=90, flash=30)]
    assert chosen(found, 1000) == {"one": COMPACT}
