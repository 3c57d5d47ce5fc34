// RUN: stillpool-opt -p lower-tasks %s | filecheck %s

// Dimensions run in the order in which they are written; named indices and ranges are computed where they are known.
// CHECK-LABEL: @clipped
// CHECK:         scf.for %oy =
// CHECK-NEXT:      %y0 = arith.subi %oy, %c1 : index
// CHECK-NEXT:      %[[BEFORE:.*]] = arith.subi %c0, %y0 : index
// CHECK-NEXT:      %ky_begin = arith.maxsi %[[BEFORE]], %c0 : index
// CHECK-NEXT:      %[[BEHIND:.*]] = arith.subi %c8, %y0 : index
// CHECK-NEXT:      %ky_end = arith.minsi %[[BEHIND]], %c3 : index
// CHECK-NEXT:      %acc = scf.for %ky = %ky_begin to %ky_end step %c1 iter_args(%{{.*}} = %zero) -> (i32) {
// CHECK-NEXT:        %iy = arith.addi %y0, %ky : index
// CHECK-NEXT:        %v = memref.load %x[%iy] : memref<8xi32>
// CHECK:           %taps = arith.subi %ky_end, %ky_begin : index
// CHECK-NEXT:      %count = arith.index_cast %taps : index to i32
func.func private @clipped(%x: memref<8xi32>, %y: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(oy = 8) fold(ky = 3) where(y0 = oy - 1, iy = y0 + ky)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %x[iy] : memref<8xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      %n = task.taps
      %count = arith.index_cast %n : index to i32
      %mean = arith.divsi %sum, %count : i32
      task.yield %mean : i32
    }
    writes (%y[oy] : memref<8xi32>)
  func.return
}

// A dimension of one point is no loop. Without a fold, what is read is read in the innermost loop that it depends on.
// CHECK-LABEL: @broadcast
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK:         %s = memref.load %scalar[%c0] : memref<1xi32>
// CHECK-NEXT:    scf.for %i =
// CHECK-NEXT:      %r = memref.load %rows[%i] : memref<4xi32>
// CHECK-NEXT:      scf.for %j =
// CHECK-NEXT:        %e = memref.load %x[%i, %j] : memref<4x8xi32>
func.func private @broadcast(%scalar: memref<1xi32>, %rows: memref<4xi32>, %x: memref<4x8xi32>, %y: memref<4x8xi32>) {
  task.nest space(n = 1, i = 4, j = 8)
    finish (%s = %scalar[n] : memref<1xi32>, %r = %rows[i] : memref<4xi32>, %e = %x[i, j] : memref<4x8xi32>) {
      %a = arith.addi %s, %r : i32
      %b = arith.addi %a, %e : i32
      task.yield %b : i32
    }
    writes (%y[i, j] : memref<4x8xi32>)
  func.return
}

// The input pixels that reach an output pixel through a filter of which the index counts down.
// CHECK-LABEL: @transposed
// CHECK:         scf.for %o =
// CHECK-NEXT:      %[[LOW:.*]] = arith.subi %o, %c2 : index
// CHECK-NEXT:      %[[MOST:.*]] = arith.maxsi %[[LOW]], %c0 : index
// CHECK-NEXT:      %[[UP:.*]] = arith.addi %[[MOST]], %c1 : index
// CHECK-NEXT:      %[[BEGIN:.*]] = arith.divsi %[[UP]], %c2 : index
// CHECK:           scf.for %i = %[[BEGIN]] to
// CHECK-NEXT:        %[[STEPS:.*]] = arith.muli %i, %c2 : index
// CHECK-NEXT:        %[[TAP:.*]] = arith.subi %o, %[[STEPS]] : index
// CHECK:             memref.load %w[%[[TAP]]] : memref<3xi32>
func.func private @transposed(%x: memref<4xi32>, %w: memref<3xi32>, %y: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(o = 8) fold(i = 4) where(_k = o - 2 * i)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i] : memref<4xi32>, %u = clip %w[_k] : memref<3xi32>) into (%acc : i32) {
      %p = arith.muli %v, %u : i32
      %next = arith.addi %acc, %p : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[o] : memref<8xi32>)
  func.return
}
