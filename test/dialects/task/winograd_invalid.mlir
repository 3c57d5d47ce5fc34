// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: winograd (oy, ox) 0: it is along one or two dimensions, and 1 pair or more run in one pass
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, winograd (oy, ox) 0>
  func.return
}

// -----

// CHECK: winograd (ox, ox) 2: it is along one or two dimensions, and 1 pair or more run in one pass
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, winograd (ox, ox) 2>
  func.return
}

// -----

// CHECK: winograd (oy, z) 2: z is no dimension of the space
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, winograd (oy, z) 2>
  func.return
}

// -----

// CHECK: winograd: the innermost fold dimension does not walk along signed bytes, four at a time
func.func private @f(%x: memref<8x8x6xi8>, %w: memref<4x3x3x6xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 6) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x6xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x6xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, winograd (oy, ox) 1>
  func.return
}

// -----

// CHECK: winograd: the window has no 3 taps along oy
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x2x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 2, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x2x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, winograd (oy, ox) 2>
  func.return
}

// -----

// CHECK: winograd: the window does not slide along ox by one, its taps side by side
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox * 2 - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, winograd (oy, ox) 2>
  func.return
}

// -----

// CHECK: winograd: the window does not slide along c by one, its taps side by side
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, winograd (oy, c) 2>
  func.return
}

// -----

// CHECK: winograd: an even number of points of ox is jammed, or all, in order
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 3, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, winograd (oy, ox) 2>
  func.return
}

// -----

// CHECK: winograd: an even number of points of ox is jammed, or all, in order
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, order (oy_o, ox, oy_i, c, ky, kx, k), jam oy_i, jam c, winograd (oy, ox) 2>
  func.return
}

// -----

// CHECK: jam oy_i: with winograd one dimension of the packed constant is jammed beside its own
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, winograd (ox) 2>
  func.return
}

// -----

// CHECK: split ox: with winograd no points are computed twice
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 6 clamped, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, winograd (oy, ox) 2>
  func.return
}

// -----

// CHECK: ky: with winograd the fold runs in pairs of points, in order
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, reverse ky, winograd (oy, ox) 2>
  func.return
}

// -----

// CHECK: winograd (oy, ox) 2: it does not go with dual 1 2
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (oy_o, ox_o, oy_i, ox_i, c, ky, kx, k), jam oy_i, jam ox_i, jam c, dual 1 2, winograd (oy, ox) 2>
  func.return
}

// -----

// CHECK: order: with winograd ox_o must be outside of what only the packed constant depends on
func.func private @f(%x: memref<8x8x8xi8>, %w: memref<4x3x3x8xi8>, %b: memref<4xi32>, %y: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, c = 4) fold(ky = 3, kx = 3, k = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%bias = %b[c] : memref<4xi32>) {
      task.yield %bias : i32
    }
    step (%v = clip %x[iy, ix, k] : memref<8x8x8xi8>, %u = %w[c, ky, kx, k] : memref<4x3x3x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[oy, ox, c] : memref<8x8x4xi32>)
    schedule <split oy 2, split ox 2, order (c, oy_o, ox_o, oy_i, ox_i, ky, kx, k), jam oy_i, jam ox_i, winograd (oy, ox) 2>
  func.return
}
