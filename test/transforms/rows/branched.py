"""A small network with a branch, for tests of orders."""

from __future__ import annotations

from stillpool.driver.pipeline import context
from stillpool.frontends.mlir.import_mlir import parse
from stillpool.transforms.rows.network import Network
from stillpool.transforms.usmp.analysis.structure import entries

ROWS = 8
SUMS = """
func.func private @sums(%in: memref<8x4xi8>, %out: memref<8x4xi8>) {
  %zero = arith.constant 0 : i8
  task.nest space(y = 8, x = 4) fold(ky = 3) where(iy = y + ky - 1)
    start () {
      task.yield %zero : i8
    }
    step (%v = clip %in[iy, x] : memref<8x4xi8>) into (%acc: i8) {
      %0 = arith.addi %acc, %v : i8
      task.yield %0 : i8
    }
    finish () of (%sum: i8) {
      task.yield %sum : i8
    }
    writes (%out[y, x] : memref<8x4xi8>)
  func.return
}
"""
WIDER = """
func.func private @wider(%in: memref<8x4xi8>, %out: memref<8x4xi32>) {
  task.nest space(y = 8, x = 4)
    finish (%v = %in[y, x] : memref<8x4xi8>) {
      %0 = arith.extsi %v : i8 to i32
      task.yield %0 : i32
    }
    writes (%out[y, x] : memref<8x4xi32>)
  func.return
}
"""
ADDED = """
func.func private @added(%in: memref<8x4xi8>, %wide: memref<8x4xi32>, %out: memref<8x4xi8>) {
  task.nest space(y = 8, x = 4)
    finish (%v = %in[y, x] : memref<8x4xi8>, %w = %wide[y, x] : memref<8x4xi32>) {
      %0 = arith.trunci %w : i32 to i8
      %1 = arith.addi %0, %v : i8
      task.yield %1 : i8
    }
    writes (%out[y, x] : memref<8x4xi8>)
  func.return
}
"""
BRANCHED = """
func.func @branched(%x: memref<8x4xi8> {pool.io = "input"}, %y: memref<8x4xi8> {pool.io = "output"}) {
  %a = memref.alloc() : memref<8x4xi8>
  %b = memref.alloc() : memref<8x4xi32>
  func.call @sums(%x, %a) SCRATCH : (memref<8x4xi8>, memref<8x4xi8>) -> ()
  func.call @wider(%x, %b) : (memref<8x4xi8>, memref<8x4xi32>) -> ()
  func.call @added(%a, %b, %y) : (memref<8x4xi8>, memref<8x4xi32>, memref<8x4xi8>) -> ()
  func.return
}
"""


def network(scratch: str = "") -> Network:
    text = SUMS + WIDER + ADDED + BRANCHED.replace("SCRATCH", scratch)
    module = parse(context(), text.encode(), "branched.mlir")
    (entry,) = entries(module)
    return Network.of(module, entry)
