// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s --print-op-generic | stillpool-opt | filecheck %s

// A fold with an epilogue; a read that is clipped to its buffer; named indices; all steps of a schedule.
// CHECK-LABEL: func.func private @conv
// CHECK-NEXT:    task.nest space(oy = 8, ox = 8, oc = 16) fold(ky = 3, kx = 3, ic = 4) where(y0 = 2 * oy - 1, iy = y0 + ky, x0 = 2 * ox - 1, ix = x0 + kx)
// CHECK-NEXT:      start (%acc = %b[oc] : memref<16xi32>) {
// CHECK-NEXT:        task.yield %acc : i32
// CHECK-NEXT:      }
// CHECK-NEXT:      step (%v = clip %x[iy, ix, ic] : memref<16x16x4xi32>, %u = %w[oc, ky, kx, ic] : memref<16x3x3x4xi32>) into (%acc_1: i32) {
// CHECK-NEXT:        %product = arith.muli %v, %u : i32
// CHECK-NEXT:        %next = arith.addi %acc_1, %product : i32
// CHECK-NEXT:        task.yield %next : i32
// CHECK-NEXT:      }
// CHECK-NEXT:      finish (%s = %scale[oc] : memref<16xi32>) of (%sum: i32) {
// CHECK-NEXT:        %taps = task.taps
// CHECK-NEXT:        %column = task.index "ox"
// CHECK-NEXT:        %result = arith.muli %sum, %s : i32
// CHECK-NEXT:        task.yield %result : i32
// CHECK-NEXT:      }
// CHECK-NEXT:      writes (%y[oy, ox, oc] : memref<8x8x16xi32>)
// CHECK-NEXT:      schedule <split oc 4, order (oc_o, oy, ox, oc_i, ky, kx, ic), jam oc_i, unroll ic, reverse oy>
func.func private @conv(%x: memref<16x16x4xi32>, %w: memref<16x3x3x4xi32>, %b: memref<16xi32>, %scale: memref<16xi32>, %y: memref<8x8x16xi32>) {
  task.nest space(oy = 8, ox = 8, oc = 16) fold(ky = 3, kx = 3, ic = 4) where(y0 = 2 * oy - 1, iy = y0 + ky, x0 = 2 * ox - 1, ix = x0 + kx)
    start (%acc = %b[oc] : memref<16xi32>) {
      task.yield %acc : i32
    }
    step (%v = clip %x[iy, ix, ic] : memref<16x16x4xi32>, %u = %w[oc, ky, kx, ic] : memref<16x3x3x4xi32>) into (%acc : i32) {
      %product = arith.muli %v, %u : i32
      %next = arith.addi %acc, %product : i32
      task.yield %next : i32
    }
    finish (%s = %scale[oc] : memref<16xi32>) of (%sum : i32) {
      %taps = task.taps
      %column = task.index "ox"
      %result = arith.muli %sum, %s : i32
      task.yield %result : i32
    }
    writes (%y[oy, ox, oc] : memref<8x8x16xi32>)
    schedule <split oc 4, order (oc_o, oy, ox, oc_i, ky, kx, ic), jam oc_i, unroll ic, reverse oy>
  func.return
}

// Sums of floats run in order. Without fold dimensions there is finish alone; a value may fill a buffer.
// CHECK-LABEL: func.func private @rows
// CHECK:         task.nest space(row = 4) ordered fold(i = 8)
// CHECK:         task.nest space(i = 4)
// CHECK-NEXT:      finish () {
// CHECK-NEXT:        task.yield %zero : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      writes (%y[-i + 3] : memref<4xf32>)
func.func private @rows(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  task.nest space(row = 4) ordered fold(i = 8)
    start () {
      task.yield %zero : f32
    }
    step (%v = %x[row, i] : memref<4x8xf32>) into (%acc : f32) {
      %next = arith.addf %acc, %v : f32
      task.yield %next : f32
    }
    finish () of (%acc : f32) {
      task.yield %acc : f32
    }
    writes (%y[row] : memref<4xf32>)
  task.nest space(i = 4)
    finish () {
      task.yield %zero : f32
    }
    writes (%y[3 - i] : memref<4xf32>)
  func.return
}
