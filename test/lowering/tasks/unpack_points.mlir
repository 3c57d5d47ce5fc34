// RUN: stillpool-opt %s --split-input-file -p lower-tasks | filecheck %s

// A pixel of two points, and one of the last point alone, which is copied by itself.
// CHECK-LABEL: func.func @pixel(
// CHECK: simd.unpack_points %x[%oy, %ox, %c0{{.*}}], %x[%oy, %{{.*}}, %c0{{.*}}] [0] 2 unroll 2 [1, 1, 8], %lanes[%c0{{.*}}] : memref<2x5x8xi8>, memref<2x5x8xi8>, memref<8xi32>
// CHECK: simd.load_bytes

memref.global "private" constant @pixel_w : memref<4x1x1x8xi8> = dense<1>

func.func @pixel(%x: memref<2x5x8xi8>, %y: memref<2x5x4xi32>) {
  %zero = arith.constant 0 : i32
  %w = memref.get_global @pixel_w : memref<4x1x1x8xi8>
  task.nest space(oy = 2, ox = 5, c = 4) fold(ky = 1, kx = 1, k = 8) where(iy = oy + ky, ix = ox + kx)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[iy, ix, k] : memref<2x5x8xi8>, %u = %w[c, ky, kx, k] : memref<4x1x1x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<2x5x4xi32>)
    schedule <split ox 2, order (oy, ox_o, ox_i, c, ky, kx, k), jam ox_i, jam c, dual 1 8>
  func.return
}

// -----

// Rows of nine bytes: two words of each, then what is left. Where a point may be clipped, both are copied one by one.
// CHECK-LABEL: func.func @rows(
// CHECK: scf.if
// CHECK: simd.unpack_points %x[{{.*}}] [0, 18, 36] 2 unroll 2 singles [8, 26, 44] [3, 3, 3], %lanes[%c0{{.*}}] : memref<6x6x3xi8>, memref<6x6x3xi8>, memref<28xi32>
// CHECK: } else {
// CHECK-NEXT: scf.for %ox_i

memref.global "private" constant @rows_w : memref<4x3x3x3xi8> = dense<1>

func.func @rows(%x: memref<6x6x3xi8>, %y: memref<6x6x4xi32>) {
  %zero = arith.constant 0 : i32
  %w = memref.get_global @rows_w : memref<4x3x3x3xi8>
  task.nest space(oy = 6, ox = 6, c = 4) fold(ky = 3, kx = 3, k = 3) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<6x6x3xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x3xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<6x6x4xi32>)
    schedule <split ox 2, order (oy, ox_o, ox_i, c, ky, kx, k), jam ox_i, jam c, dual 3 8>
  func.return
}

// -----

// Rows of twelve words are too many to be written out: a loop over them, and another one over the words of each.
// CHECK-LABEL: func.func @long(
// CHECK: scf.for %ky
// CHECK: simd.unpack_points %x[{{.*}}] [0] 12 unroll 4 [1, 3, 16], %lanes[%{{[0-9]+}}] : memref<6x6x16xi8>, memref<6x6x16xi8>, memref<144xi32>

memref.global "private" constant @long_w : memref<4x3x3x16xi8> = dense<1>

func.func @long(%x: memref<6x6x16xi8>, %y: memref<4x4x4xi32>) {
  %zero = arith.constant 0 : i32
  %w = memref.get_global @long_w : memref<4x3x3x16xi8>
  task.nest space(oy = 4, ox = 4, c = 4) fold(ky = 3, kx = 3, k = 16) where(iy = oy + ky, ix = ox + kx)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[iy, ix, k] : memref<6x6x16xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x16xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<4x4x4xi32>)
    schedule <split ox 2, order (oy, ox_o, ox_i, c, ky, kx, k), jam ox_i, jam c, dual 1 8>
  func.return
}

// -----

// With a dilation the taps of a row do not lie side by side.
// CHECK-LABEL: func.func @dilated(
// CHECK: simd.unpack_points %x[{{.*}}] [0, 8, 48, 56] 1 unroll 1 [3, 3, 4], %lanes

memref.global "private" constant @dilated_w : memref<4x2x2x4xi8> = dense<1>

func.func @dilated(%x: memref<6x6x4xi8>, %y: memref<4x4x4xi32>) {
  %zero = arith.constant 0 : i32
  %w = memref.get_global @dilated_w : memref<4x2x2x4xi8>
  task.nest space(oy = 4, ox = 4, c = 4) fold(ky = 2, kx = 2, k = 4) where(iy = oy + 2 * ky, ix = ox + 2 * kx)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[iy, ix, k] : memref<6x6x4xi8>, %u = %w[c, ky, kx, k] : memref<4x2x2x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<4x4x4xi32>)
    schedule <split ox 2, order (oy, ox_o, ox_i, c, ky, kx, k), jam ox_i, jam c, dual 1 8>
  func.return
}

// -----

// Windows of one channel have no words, but two points at once.
// CHECK-LABEL: func.func @few(
// CHECK: simd.unpack_points %x[{{.*}}] [] 0 unroll 0 singles [0, 1, 2, 6, 7, 8, 12, 13, 14] [3, 3, 1], %lanes

memref.global "private" constant @few_w : memref<4x3x3x1xi8> = dense<1>

func.func @few(%x: memref<6x6x1xi8>, %y: memref<4x4x4xi32>) {
  %zero = arith.constant 0 : i32
  %w = memref.get_global @few_w : memref<4x3x3x1xi8>
  task.nest space(oy = 4, ox = 4, c = 4) fold(ky = 3, kx = 3, k = 1) where(iy = oy + ky, ix = ox + kx)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[iy, ix, k] : memref<6x6x1xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x1xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<4x4x4xi32>)
    schedule <split ox 2, order (oy, ox_o, ox_i, c, ky, kx, k), jam ox_i, jam c, dual 3 8>
  func.return
}

// -----

// Rows that are memrefs of their own are read one by one.
// CHECK-LABEL: func.func @joined(
// CHECK: simd.unpack_points %above[{{.*}}] [0] 6 unroll 6 [1, 3, 8], %lanes[%c0{{.*}}]
// CHECK: simd.unpack_points %below[{{.*}}] [0] 6 unroll 6 [1, 3, 8], %lanes[%c24{{.*}}]

memref.global "private" constant @joined_w : memref<4x2x3x8xi8> = dense<1>

func.func @joined(%above: memref<1x6x8xi8>, %below: memref<1x6x8xi8>, %y: memref<1x4x4xi32>) {
  %x = task.join 0 of %above, %below : memref<1x6x8xi8>, memref<1x6x8xi8> -> memref<2x6x8xi8>
  %zero = arith.constant 0 : i32
  %w = memref.get_global @joined_w : memref<4x2x3x8xi8>
  task.nest space(oy = 1, ox = 4, c = 4) fold(ky = 2, kx = 3, k = 8) where(ix = ox + kx)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[ky, ix, k] : memref<2x6x8xi8>, %u = %w[c, ky, kx, k] : memref<4x2x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<1x4x4xi32>)
    schedule <split ox 2, order (oy, ox_o, ox_i, c, ky, kx, k), jam ox_i, jam c, dual 1 8>
  func.return
}
