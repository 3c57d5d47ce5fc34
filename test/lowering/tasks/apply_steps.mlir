// RUN: stillpool-opt -p apply-steps %s | filecheck %s
// RUN: stillpool-opt %s | filecheck %s --check-prefix KEPT

// The zero point is in the sums' starts, 5 + 7 * 3 * 12; the weights of four channels lie side by side. The ends of the
// row, at which it is clipped, are nests of their own, with constants as they were.
// CHECK:         sym_name = "w", type = memref<8x3x4xi8>
// CHECK:         sym_name = "w_packed", type = memref<2x3x4x4xi8>
// CHECK:         sym_name = "b", {{.*}} dense<5>
// CHECK:         sym_name = "b_folded", {{.*}} dense<257>
// CHECK-LABEL: @conv
// CHECK:         task.nest space(o = 1, oc = 8) fold(k = 3, ic = 4) where(i = o + k - 1)
// CHECK:           clip %x[i, ic]
// CHECK:           writes (%y[o, oc] : memref<10x8xi32>)
// CHECK-NEXT:    task.nest space(o = 1, oc = 8) fold(k = 3, ic = 4) where(i = o + k + 8)
// CHECK:           clip %x[i, ic]
// CHECK:           writes (%y[o + 9, oc] : memref<10x8xi32>)
// CHECK-NEXT:    %staged = memref.alloc()
// CHECK-NEXT:    task.nest space(o = 8, k = 3, ic = 4)
// CHECK-NEXT:      finish (%{{.*}} = %x[o + k, ic] : memref<10x4xi8>) {
// CHECK:           writes (%staged[o, k, ic] : memref<8x3x4xi8>)
// CHECK-NEXT:    task.nest space(o = 8, oc_o = 2, oc_i = 4) fold(k = 3, ic = 4) where(i = o + k)
// CHECK-NEXT:      start (%{{.*}} = %folded[4 * oc_o + oc_i] : memref<8xi32>) {
// CHECK:           step (%[[V:.*]] = %staged[o, k, ic] : memref<8x3x4xi8>, %[[U:.*]] = %packed[oc_o, k, ic, oc_i] : memref<2x3x4x4xi8>)
// CHECK-NEXT:        %[[A:.*]] = arith.extsi %[[V]]
// CHECK-NEXT:        %[[B:.*]] = arith.extsi %[[U]]
// CHECK-NEXT:        arith.muli %[[A]], %[[B]]
// CHECK:           writes (%y[o + 1, 4 * oc_o + oc_i] : memref<10x8xi32>)
// CHECK-NEXT:      schedule <jam oc_i>
// CHECK:         call @conv(%x, %w, %b, %y, %b_1, %w_1)
// KEPT:          schedule <peel o, block oc 4, fold_zero_point 0, pack 1 (oc_o, k, ic, oc_i), stage 0 (o, k, ic), jam oc_i>
"memref.global"() <{sym_name = "w", type = memref<8x3x4xi8>, initial_value = dense<3> : tensor<8x3x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<8xi32>, initial_value = dense<5> : tensor<8xi32>, sym_visibility = "private", constant}> : () -> ()
func.func private @conv(%x: memref<10x4xi8>, %w: memref<8x3x4xi8>, %b: memref<8xi32>, %y: memref<10x8xi32>) {
  %z = arith.constant 7 : i32
  task.nest space(o = 10, oc = 8) fold(k = 3, ic = 4) where(i = o + k - 1)
    start (%s = %b[oc] : memref<8xi32>) {
      task.yield %s : i32
    }
    step (%v = clip %x[i, ic] : memref<10x4xi8>, %u = %w[oc, k, ic] : memref<8x3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.addi %0, %z : i32
      %2 = arith.extsi %u : i8 to i32
      %p = arith.muli %1, %2 : i32
      %next = arith.addi %acc, %p : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[o, oc] : memref<10x8xi32>)
    schedule <peel o, block oc 4, fold_zero_point 0, pack 1 (oc_o, k, ic, oc_i), stage 0 (o, k, ic), jam oc_i>
  func.return
}
func.func @main(%x: memref<10x4xi8>, %y: memref<10x8xi32>) {
  %w = memref.get_global @w : memref<8x3x4xi8>
  %b = memref.get_global @b : memref<8xi32>
  func.call @conv(%x, %w, %b, %y) : (memref<10x4xi8>, memref<8x3x4xi8>, memref<8xi32>, memref<10x8xi32>) -> ()
  func.return
}

// Scratch memory is outside of all loops around a nest.
// CHECK-LABEL: @in_loop
// CHECK:         %staged = memref.alloc()
// CHECK:         scf.for
// CHECK-NEXT:      task.nest space(c = 3, r = 2)
// CHECK:           task.nest space(r = 2) fold(c = 3)
// CHECK:             %staged[c, r]
func.func @in_loop(%x: memref<2x3xi32>, %y: memref<2xi32>) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    task.nest space(r = 2) fold(c = 3)
      start () {
        task.yield %zero : i32
      }
      step (%v = %x[r, c] : memref<2x3xi32>) into (%acc : i32) {
        %next = arith.addi %acc, %v : i32
        task.yield %next : i32
      }
      finish () of (%sum : i32) {
        task.yield %sum : i32
      }
      writes (%y[r] : memref<2xi32>)
      schedule <stage 0 (c, r)>
  }
  func.return
}
