"""Tensors and affine loops through `mlir-opt`'s passes: stillpool's C computes what MLIR's own code computes, bit for
bit, whichever passes made the loops.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

Agree = Callable[..., str]

BUFFERS = (
    "one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map "
    "buffer-alignment=0},buffer-results-to-out-params{hoist-static-allocs=1 modify-public-functions=1},"
    "buffer-deallocation-pipeline"
)

LOOPS = {
    "loops": "func.func(convert-linalg-to-loops),canonicalize,cse",
    "parallel": "func.func(convert-linalg-to-parallel-loops)",
    "affine": "func.func(convert-linalg-to-affine-loops,affine-scalrep,affine-loop-fusion)",
    "tiled": "func.func(convert-linalg-to-affine-loops,affine-loop-tile{tile-size=3}),canonicalize",
    "unrolled": "func.func(convert-linalg-to-affine-loops,affine-loop-unroll{unroll-factor=3},affine-parallelize),cse",
    "vectorised": "func.func(convert-linalg-to-affine-loops,affine-super-vectorize{virtual-vector-size=4})",
}

QUANTISED = """
func.func @dense(%x: tensor<4x16xi8>) -> tensor<4x4xi8> {
  %w = arith.constant dense<3> : tensor<16x4xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
  %m = linalg.matmul ins(%x, %w : tensor<4x16xi8>, tensor<16x4xi8>) outs(%f : tensor<4x4xi32>) -> tensor<4x4xi32>
  %e8 = tensor.empty() : tensor<4x4xi8>
  %r = linalg.map ins(%m : tensor<4x4xi32>) outs(%e8 : tensor<4x4xi8>) (%p: i32, %old: i8) {
    %c4 = arith.constant 4 : i32
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %s = arith.shrsi %p, %c4 : i32
    %t = arith.maxsi %s, %lo : i32
    %u = arith.minsi %t, %hi : i32
    %v = arith.trunci %u overflow<nsw> : i32 to i8
    linalg.yield %v : i8
  }
  return %r : tensor<4x4xi8>
}
"""

PADDED = """
func.func @padded(%x: tensor<4x4xi32>) -> (tensor<6x6xi32>, tensor<2x4xi32>) {
  %z = arith.constant 7 : i32
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : i32
  } : tensor<4x4xi32> to tensor<6x6xi32>
  %s = tensor.extract_slice %x[1, 0] [2, 4] [1, 1] : tensor<4x4xi32> to tensor<2x4xi32>
  %e = tensor.empty() : tensor<2x4xi32>
  %t = linalg.add ins(%s, %s : tensor<2x4xi32>, tensor<2x4xi32>) outs(%e : tensor<2x4xi32>) -> tensor<2x4xi32>
  return %p, %t : tensor<6x6xi32>, tensor<2x4xi32>
}
"""

TOSA = """
func.func @pool(%x: tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} :
    (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  return %0 : tensor<1x2x2x2xi8>
}
"""

REDUCED = """
func.func @rows(%a: memref<7x10xf32>, %sums: memref<7xf32>, %most: memref<7xf32>) {
  affine.for %i = 0 to 7 {
    %z = arith.constant 0.0 : f32
    %n = arith.constant -1000.0 : f32
    %s, %t = affine.for %j = 0 to 10 iter_args(%p = %z, %q = %n) -> (f32, f32) {
      %x = affine.load %a[%i, %j] : memref<7x10xf32>
      %r = arith.addf %p, %x : f32
      %u = arith.maximumf %q, %x : f32
      affine.yield %r, %u : f32, f32
    }
    affine.store %s, %sums[%i] : memref<7xf32>
    affine.store %t, %most[%i] : memref<7xf32>
  }
  return
}
"""

INDEXED = """
func.func @indexed(%a: memref<23xi32>, %o: memref<23xi32>, %s: memref<1xi32>) {
  affine.for %i = 0 to 23 {
    %k = affine.apply affine_map<(d0) -> ((d0 * 5 - 40) mod 7 + (d0 - 30) floordiv 4 + 9 - d0 ceildiv 8)>(%i)
    %k2 = affine.max affine_map<(d0) -> (d0, 0)>(%k)
    %k3 = affine.min affine_map<(d0) -> (d0, 22)>(%k2)
    %x = memref.load %a[%k3] : memref<23xi32>
    affine.if affine_set<(d0) : (d0 - 5 >= 0, 17 - d0 >= 0)>(%i) {
      %y = arith.addi %x, %x : i32
      affine.store %y, %o[%i] : memref<23xi32>
    } else {
      affine.store %x, %o[%i] : memref<23xi32>
    }
  }
  %r = affine.parallel (%i, %j) = (0, 1) to (5, 4) step (1, 2) reduce ("addi") -> (i32) {
    %x = affine.load %a[%i + %j * 4] : memref<23xi32>
    affine.yield %x : i32
  }
  affine.store %r, %s[0] : memref<1xi32>
  return
}
"""

COUNTED = """
func.func @counted(%a: memref<23xi32>, %count: memref<4xi32>, %most: memref<4xi32>, %last: memref<4xi32>,
                   %before: memref<23xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  %c23 = arith.constant 23 : index
  %one = arith.constant 1 : i32
  scf.parallel (%i) = (%c0) to (%c23) step (%c1) {
    %x = memref.load %a[%i] : memref<23xi32>
    %low = arith.andi %x, %c3 : i32
    %bin = arith.index_cast %low : i32 to index
    %n = memref.atomic_rmw addi %one, %count[%bin] : (i32, memref<4xi32>) -> i32
    %m = memref.atomic_rmw maxs %x, %most[%bin] : (i32, memref<4xi32>) -> i32
    %l = memref.atomic_rmw assign %x, %last[%bin] : (i32, memref<4xi32>) -> i32
    %nm = arith.addi %n, %m : i32
    %nml = arith.addi %nm, %l : i32
    memref.store %nml, %before[%i] : memref<23xi32>
  }
  return
}
"""


def _bytes(*shape: int, dtype: type = np.int8) -> np.ndarray:
    return np.random.default_rng(7).integers(-100, 100, shape).astype(dtype)


@pytest.mark.parametrize("loops", ["parallel", "tiled", "vectorised"])
def test_quantised_layer(loops: str, agree: Agree) -> None:
    agree(QUANTISED, f"{BUFFERS},{LOOPS[loops]}", [_bytes(4, 16), np.zeros((4, 4), np.int8)])


@pytest.mark.parametrize("loops", ["loops", "unrolled"])
def test_padding_and_slices(loops: str, agree: Agree) -> None:
    """Copies to parts of buffers; two results."""
    arrays = [_bytes(4, 4, dtype=np.int32), np.zeros((6, 6), np.int32), np.zeros((2, 4), np.int32)]
    agree(PADDED, f"{BUFFERS},{LOOPS[loops]}", arrays)


def test_tosa(agree: Agree) -> None:
    tosa = "func.func(tosa-to-linalg-named),func.func(tosa-to-linalg,tosa-to-arith,tosa-to-tensor)"
    arrays = [_bytes(1, 4, 4, 2), np.zeros((1, 2, 2, 2), np.int8)]
    agree(TOSA, f"{tosa},{BUFFERS},{LOOPS['affine']}", arrays)


@pytest.mark.parametrize(
    "passes",
    [
        "affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}",
        "affine-parallelize{parallel-reductions=1},lower-affine",
        "affine-loop-unroll-jam{unroll-jam-factor=2}",
    ],
)
def test_reductions(passes: str, agree: Agree) -> None:
    """Loop-carried vectors with masks at the end of rows; parallel reductions of both dialects."""
    rows = np.random.default_rng(7).standard_normal((7, 10)).astype(np.float32)
    agree(REDUCED, f"func.func({passes})", [rows, np.zeros(7, np.float32), np.zeros(7, np.float32)])


def test_index_arithmetic(agree: Agree) -> None:
    """Remainders and quotients of negative numbers, bounds with steps, branches, without any pass of `mlir-opt`."""
    agree(INDEXED, "", [_bytes(23, dtype=np.int32), np.zeros(23, np.int32), np.zeros(1, np.int32)])


def test_atomic_updates(agree: Agree) -> None:
    """Their results are what stood there before."""
    zeros = [np.zeros(4, np.int32) for _ in range(3)]
    agree(COUNTED, "func.func(scf-parallel-loop-tiling)", [_bytes(23, dtype=np.int32), *zeros, np.zeros(23, np.int32)])
    agree(COUNTED, "", [_bytes(23, dtype=np.int32), *zeros, np.zeros(23, np.int32)])
