// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// A word has two points of two channels: (1, 3) of the first and (-1, -3) of the second are the bytes 1, -1, 3, -3 from
// the lowest on. Of three channels the last one has words of its own; an odd point is paired with nothing.
// CHECK: sym_name = "w_packed", type = memref<8xi32>, initial_value = dense<[-50069759, 524295, -66781694, 524295, -100205819, 589833, 0, 10]>

// CHECK-LABEL: func.func private @conv
// CHECK: scf.for %block = %c0{{.*}} to %c4
// CHECK: %w0 = memref.load %filter
// CHECK-NEXT: [[EVEN:%.*]] = simd.unpack_even %w0
// CHECK-NEXT: simd.dual_multiply_add %x0, [[EVEN]]
// CHECK-NEXT: [[ODD:%.*]] = simd.unpack_next %w0
// CHECK-NEXT: simd.dual_multiply_add %x0, [[ODD]]
// CHECK: %w1 = memref.load %filter
// CHECK-NEXT: simd.unpack_even %w1
// CHECK-NOT: simd.unpack_next %w1
// CHECK: scf.yield
"memref.global"() <{sym_name = "w", type = memref<3x7xi8>, initial_value = dense<[[1, 2, 3, 4, 5, 6, 0], [-1, -2, -3, -4, -5, -6, 0], [7, 7, 8, 8, 9, 9, 10]]> : tensor<3x7xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<3xi32>, initial_value = dense<[100, 200, 300]> : tensor<3xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<6x7xi8>, %filter: memref<3x7xi8>, %bias: memref<3xi32>, %output: memref<6x3xi32>) {
  task.nest space(ox = 6, oc = 3) fold(ic = 7)
    start (%acc = %bias[oc] : memref<3xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ox, ic] : memref<6x7xi8>, %weight = %filter[oc, ic] : memref<3x7xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<6x3xi32>)
    schedule <order (ox, oc, ic), jam oc, dual 1 1 bytes>
  func.return
}

func.func @main(%input: memref<6x7xi8>, %output: memref<6x3xi32>) {
  %w = memref.get_global @w : memref<3x7xi8>
  %b = memref.get_global @b : memref<3xi32>
  func.call @conv(%input, %w, %b, %output) : (memref<6x7xi8>, memref<3x7xi8>, memref<3xi32>, memref<6x3xi32>) -> ()
  func.return
}
