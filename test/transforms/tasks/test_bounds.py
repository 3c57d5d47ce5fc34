"""Bounds of what nests compute: they hold, and no number less would."""

from __future__ import annotations

import itertools

from xdsl.ir import Operation

from stillpool.dialects.fx import RescaleOp
from stillpool.dialects.task import NestOp
from stillpool.driver.pipeline import context
from stillpool.frontends.mlir.import_mlir import parse
from stillpool.lowering.constants import Constants
from stillpool.lowering.emit_c.index_bounds import Interval
from stillpool.transforms.tasks.rescaling.bounds import NestBounds

SUMS = """
func.func @sums(%in: memref<8x4xi8>, %m: i32, %s: i32, %out: memref<8xi8>) {
  %zero = arith.constant 0 : i32
  task.nest space(y = 8) fold(x = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %in[y, x] : memref<8x4xi8>) into (%acc: i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.addi %acc, %0 : i32
      task.yield %1 : i32
    }
    finish () of (%sum: i32) {
      %0 = fx.rescale %sum, %m, %s right_only
      %1 = arith.trunci %0 : i32 to i8
      task.yield %1 : i8
    }
    writes (%out[y] : memref<8xi8>)
  func.return
}
"""


def rescaled(value: int, multiplier: int, right: int) -> int:
    """What `fx.rescale` computes, rounded twice."""
    high = (value * multiplier + (1 << 30)) >> 31
    rest = high & ((1 << right) - 1)
    return (high >> right) + (rest > ((1 << right) - 1 >> 1) + (high < 0))


def test_sums_that_are_rounded_twice_do_not_grow() -> None:
    module = parse(context(), SUMS.encode(), "sums.mlir")
    (nest,) = (op for op in module.walk() if isinstance(op, NestOp))
    found: list[Operation] = [op for op in nest.walk() if isinstance(op, RescaleOp)]
    least, most = -128 * 4, 127 * 4
    assert NestBounds(nest, Constants(module)).of(found[0].results[0]) == Interval(least, most)
    multipliers = (1 << 30, (1 << 30) + 1, 3 << 29, (1 << 31) - 2, (1 << 31) - 1)
    sums = itertools.product((least, least + 1, -2, -1, 0, 1, 2, most), multipliers, (0, 1, 2, 7, 31))
    results = [rescaled(*one) for one in sums]
    assert (min(results), max(results)) == (least, most)
