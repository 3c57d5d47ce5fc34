"""A nest with other reads at its end: whoever holds an operation of its regions goes on with it."""

from __future__ import annotations

from xdsl.parser import Parser

from stillpool.dialects.operations import all_of
from stillpool.dialects.task import NestOp
from stillpool.driver import pipeline
from stillpool.lowering.tasks.steps import reading

TEXT = """
func.func @f(%x: memref<4xi32>, %z: memref<4xi32>, %y: memref<4xi32>) {
  task.nest space(i = 4) fold()
    finish (%a = %x[i] : memref<4xi32>, %b = %z[i] : memref<4xi32>) {
      %sum = arith.addi %a, %a : i32
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <split i 2>
  func.return
}
"""


def test_operations_of_regions_stay_what_they_are() -> None:
    module = Parser(pipeline.context(), TEXT).parse_module()
    (nest,) = all_of(module, NestOp)
    before, schedule = list(nest.finish.block.ops), nest.schedule
    nest.finish.block.erase_arg(nest.finish.block.args[1])
    made = reading(nest, nest.accesses("finish_reads")[:1])
    module.verify()
    assert all_of(module, NestOp) == [made]
    assert all(one is other for one, other in zip(made.finish.block.ops, before, strict=True))
    assert made.schedule == schedule
    assert len(made.finish_reads) == 1
