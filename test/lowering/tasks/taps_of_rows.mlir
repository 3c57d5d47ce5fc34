// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// Rows that are buffers of their own are read by one operation, too, at the same places of both.
// CHECK-LABEL: func.func private @depthwise(
// CHECK:         simd.sum_taps %above[%c0{{.*}}, %x0, %{{.*}}] [0, 4, 8, 0, 4, 8] 2 [1, 3, 4], %filter{{.*}} beside %below of [0, 0, 0, 1, 1, 1] : memref<1x6x4xi8>
// CHECK:         simd.sum_taps %above[%c0{{.*}}, %{{.*}}, %{{.*}}] [-1, 0, 4, -1, 0, 4] 2 [1, 2, 4], %filter{{.*}} beside %below of [0, 0, 0, 0, 1, 1] : memref<1x6x4xi8>
// CHECK-NOT:     simd.dual_multiply_add
"memref.global"() <{sym_name = "w", type = memref<2x3x4xi8>, initial_value = dense<3> : tensor<2x3x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<4xi32>, initial_value = dense<[110, 214, 298, 412]> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "r", type = memref<4x3xi32>, initial_value = dense<[[1073741824, 64, 7], [1073741825, 64, 7], [1073741826, 64, 7], [1073741827, 64, 7]]> : tensor<4x3xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @depthwise(%above: memref<1x6x4xi8>, %below: memref<1x6x4xi8>, %filter: memref<2x3x4xi8>, %bias: memref<4xi32>, %rescale: memref<4x3xi32>, %output: memref<6x4xi8>) {
  %c2 = arith.constant 2 : i32
  %input = task.join 0 of %above, %below : memref<1x6x4xi8>, memref<1x6x4xi8> -> memref<2x6x4xi8>
  task.nest space(ox = 6, oc = 4) fold(ky = 2, kx = 3) where(x0 = ox - 1, ix = x0 + kx)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ky, ix, oc] : memref<2x6x4xi8>, %weight = %filter[ky, kx, oc] : memref<2x3x4xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %c2 overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish (%multiplier = %rescale[oc, 0] : memref<4x3xi32>, %nudge = %rescale[oc, 1] : memref<4x3xi32>, %right = %rescale[oc, 2] : memref<4x3xi32>) of (%sum: i32) {
      %doubled = arith.muli %sum, %c2 overflow<nsw> : i32
      %high = simd.multiply_high_add %doubled, %multiplier, %nudge
      %shifted = arith.shrsi %high, %right : i32
      %byte = simd.saturate %shifted 8
      %narrow = arith.trunci %byte : i32 to i8
      task.yield %narrow : i8
    }
    writes (%output[ox, oc] : memref<6x4xi8>)
    schedule <jam oc, words ox>
  func.return
}

func.func @main(%above: memref<1x6x4xi8>, %below: memref<1x6x4xi8>, %output: memref<6x4xi8>) {
  %w = memref.get_global @w : memref<2x3x4xi8>
  %b = memref.get_global @b : memref<4xi32>
  %r = memref.get_global @r : memref<4x3xi32>
  func.call @depthwise(%above, %below, %w, %b, %r, %output) : (memref<1x6x4xi8>, memref<1x6x4xi8>, memref<2x3x4xi8>, memref<4xi32>, memref<4x3xi32>, memref<6x4xi8>) -> ()
  func.return
}
