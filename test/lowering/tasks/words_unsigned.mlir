// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// Bytes without a sign, weights with a zero point: of (w - 3) two are lanes of a word, with the zero point 200 in the
// bias, which is 100 - 200 * (-2 - 1 + 2).
"memref.global"() <{sym_name = "w", type = memref<3x4xi8>, initial_value = dense<[[1, 3, 1, -1], [2, 4, -2, -4], [5, 6, 8, 15]]> : tensor<3x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<4xi32>, initial_value = dense<100> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()

// All is one stream although the end reads nothing.
// CHECK: sym_name = "w_stream", type = memref<12xi32>, initial_value = dense<[300,
// CHECK-LABEL: func.func private @depthwise(
// CHECK: simd.sum_taps unsigned %input[%{{.*}}] [0, 4, 8] 200 [3, 4]
// CHECK: simd.sum_taps unsigned %input[%{{.*}}] [-1, 0, 4] 200 [2, 4]
func.func private @depthwise(%input: memref<6x4xi8>, %filter: memref<3x4xi8>, %bias: memref<4xi32>, %output: memref<6x4xi32>) {
  %c200 = arith.constant 200 : i32
  %c3 = arith.constant 3 : i32
  task.nest space(ox = 6, oc = 4) fold(kx = 3) where(x0 = ox - 1, ix = x0 + kx)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ix, oc] : memref<6x4xi8>, %weight = %filter[kx, oc] : memref<3x4xi8>) into (%acc_1: i32) {
      %0 = arith.extui %value : i8 to i32
      %1 = arith.subi %0, %c200 overflow<nsw> : i32
      %2 = arith.extui %weight : i8 to i32
      %3 = arith.subi %2, %c3 overflow<nsw> : i32
      %4 = arith.muli %1, %3 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %4 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<6x4xi32>)
    schedule <jam oc, words ox>
  func.return
}

func.func @main(%input: memref<6x4xi8>, %output: memref<6x4xi32>) {
  %w = memref.get_global @w : memref<3x4xi8>
  %b = memref.get_global @b : memref<4xi32>
  func.call @depthwise(%input, %w, %b, %output) : (memref<6x4xi8>, memref<3x4xi8>, memref<4xi32>, memref<6x4xi32>) -> ()
  func.return
}
