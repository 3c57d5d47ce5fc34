// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// The steps that make code short: one body for the blocks, sums finished in loops, bytes read where they lie.
"memref.global"() <{sym_name = "w", type = memref<2x8xi8>, initial_value = dense<[[1, 2, 3, 4, 5, 6, 7, 8], [-1, -2, -3, -4, -5, -6, -7, -8]]> : tensor<2x8xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "d", type = memref<3x4xi8>, initial_value = dense<[[1, 2, 3, 4], [5, 6, 7, 8], [-1, -2, -3, -4]]> : tensor<3x4xi8>, sym_visibility = "private", constant}> : () -> ()

// The fifth point is clamped to the last one, and computed twice.
// CHECK-LABEL: func.func @clamped
// CHECK:       scf.for %i_o = %c0 to %c3
// CHECK:         %[[FIRST:.*]] = arith.muli %i_o
// CHECK:         %[[NEXT:.*]] = arith.addi %[[FIRST]], %c1
// CHECK:         arith.minsi %[[NEXT]], %c4
// CHECK:         %[[KEPT:.*]] = memref.alloca() {{.*}}memref<2xi32>
// CHECK-COUNT-2: memref.store %{{.*}}, %[[KEPT]]
// CHECK:         scf.for %i_i = %c0{{.*}} to %c2
// CHECK:           memref.load %[[KEPT]][%i_i]
// CHECK:           memref.store %{{.*}}, %y
func.func @clamped(%x: memref<7xi32>, %y: memref<5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<7xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<5xi32>)
    schedule <split i 2 clamped, order (i_o, i_i, k), jam i_i, collect>
  func.return
}

// Nothing is copied: a word of bytes is two pairs.
// CHECK-LABEL: func.func @direct
// CHECK-NOT:   memref.alloc
// CHECK:       scf.for %block = %c0{{.*}} to %c2
// CHECK:         %[[BYTES:.*]] = simd.load_bytes %x
// CHECK-NEXT:    %[[EVEN:.*]] = simd.unpack_even %[[BYTES]]
// CHECK-COUNT-2: simd.dual_multiply_add %[[EVEN]]
// CHECK:         %[[ODD:.*]] = simd.unpack_odd %[[BYTES]]
// CHECK-COUNT-2: simd.dual_multiply_add %[[ODD]]
func.func @direct(%x: memref<8xi8>, %y: memref<2xi32>) {
  %zero = arith.constant 0 : i32
  %w = memref.get_global @w : memref<2x8xi8>
  task.nest space(c = 2) fold(k = 8)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[k] : memref<8xi8>, %u = %w[c, k] : memref<2x8xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[c] : memref<2xi32>)
    schedule <jam c, dual 1 2, direct>
  func.return
}

// Four channels of one point of the window; the zero point -3 is taken off as they are taken apart, 3 in both lanes.
// CHECK-LABEL: func.func @quads
// CHECK:       %[[THREE:.*]] = arith.constant 196611 : i32
// CHECK:       scf.for %k =
// CHECK:         %[[X:.*]] = simd.load_bytes %x
// CHECK-NEXT:    simd.unpack_even_add %[[X]], %[[THREE]]
// CHECK-NEXT:    simd.unpack_odd_add %[[X]], %[[THREE]]
// CHECK:         %[[W:.*]] = simd.load_bytes %w
// CHECK-NEXT:    simd.unpack_even %[[W]]
// CHECK-NEXT:    simd.unpack_odd %[[W]]
// CHECK-COUNT-4: arith.muli
func.func @quads(%x: memref<6x4xi8>, %y: memref<6x4xi32>) {
  %zero = arith.constant 0 : i32
  %m3 = arith.constant -3 : i32
  %w = memref.get_global @d : memref<3x4xi8>
  task.nest space(i = 6, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %x[i + k - 1, c] : memref<6x4xi8>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.subi %0, %m3 : i32
      %2 = arith.extsi %u : i8 to i32
      %3 = arith.muli %1, %2 : i32
      %next = arith.addi %acc, %3 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<6x4xi32>)
    schedule <jam c, quads>
  func.return
}
