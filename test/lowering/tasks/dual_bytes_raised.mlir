// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// Weights less their zero point 10 are -10 to 245: bytes hold them with -118 added, so that 1 and 3 of the first
// channel and 5 and 0 of the second are 0x81, 0x83, 0x85, 0x80. What that adds to sums is subtracted, for which staged elements are summed up.
// CHECK: sym_name = "w_packed", type = memref<2xi32>, initial_value = dense<[-2138864255,
// CHECK-LABEL: func.func private @conv
// CHECK: simd.unpack_even_unsigned
// CHECK: %[[LANES:.*]] = memref.load %lanes
// CHECK: %[[TOTAL:.*]] = simd.dual_multiply_add %{{.*}}, %c65537
// CHECK: %[[MORE:.*]] = arith.muli %{{.*}}, %c-118
// CHECK: arith.subi %{{.*}}, %[[MORE]]
// CHECK: simd.unpack_next
"memref.global"() <{sym_name = "w", type = memref<2x4xi8>, initial_value = dense<[[1, 2, 3, 4], [5, 6, 0, -1]]> : tensor<2x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<2xi32>, initial_value = dense<100> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<6x4xi8>, %filter: memref<2x4xi8>, %bias: memref<2xi32>, %output: memref<6x2xi32>) {
  %c10 = arith.constant 10 : i32
  task.nest space(ox = 6, oc = 2) fold(ic = 4)
    start (%acc = %bias[oc] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ox, ic] : memref<6x4xi8>, %weight = %filter[oc, ic] : memref<2x4xi8>) into (%acc_1: i32) {
      %0 = arith.extui %value : i8 to i32
      %1 = arith.extui %weight : i8 to i32
      %2 = arith.subi %1, %c10 overflow<nsw> : i32
      %3 = arith.muli %0, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<6x2xi32>)
    schedule <order (ox, oc, ic), jam oc, dual 1 1 bytes>
  func.return
}

func.func @main(%input: memref<6x4xi8>, %output: memref<6x2xi32>) {
  %w = memref.get_global @w : memref<2x4xi8>
  %b = memref.get_global @b : memref<2xi32>
  func.call @conv(%input, %w, %b, %output) : (memref<6x4xi8>, memref<2x4xi8>, memref<2xi32>, memref<6x2xi32>) -> ()
  func.return
}
