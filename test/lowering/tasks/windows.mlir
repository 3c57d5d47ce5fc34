// RUN: stillpool-opt %s -p scale-sums,apply-steps | filecheck %s
// RUN: stillpool-opt %s -p scale-sums,lower-tasks,emit-c -t c | filecheck %s --check-prefix C

// The loop over blocks of channels is one kernel with its window and its end, at the borders and between them.
// CHECK:      simd.windows %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:        %[[SUMS:.*]] = memref.alloca() : memref<4xi32>
// CHECK-NEXT:   simd.sum_taps %input[%x0, %{{.*}}] [0, 8, 16] 2 [3, 4], %filter[%[[WORDS:.*]]], %[[SUMS]] :
// CHECK-NEXT:   simd.scale_bytes floor shift 12 %[[SUMS]], %filter[%[[WORDS]]] 12, %output[%ox, %{{.*}}]
// CHECK-NEXT: }
// CHECK-COUNT-2: simd.windows
// CHECK-NOT: simd.windows
// C-COUNT-3: simd_windows_3_{{[0-9]+}}_floor_12(input{{.*}}, filter, 2, output{{.*}});
"memref.global"() <{sym_name = "w", type = memref<3x8xi8>, initial_value = dense<[[1, 2, 1, -1, 3, 1, 4, 1], [2, 4, -2, -3, 5, 9, 2, 6], [5, 6, 8, 15, 5, 3, 5, 8]]> : tensor<3x8xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<8xi32>, initial_value = dense<[110, 111, 112, 113, 114, 115, 116, 117]> : tensor<8xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "r", type = memref<8x3xi32>, initial_value = dense<[[1073741824, 64, 7], [1073741825, 64, 7], [1073741826, 64, 7], [1073741827, 64, 7], [1073741828, 64, 7], [1073741829, 64, 7], [1073741830, 64, 7], [1073741831, 64, 7]]> : tensor<8x3xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @depthwise(%input: memref<6x8xi8>, %filter: memref<3x8xi8>, %bias: memref<8xi32>, %rescale: memref<8x3xi32>, %output: memref<6x8xi8>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 6, oc = 8) fold(kx = 3) where(x0 = ox - 1, ix = x0 + kx)
    start (%acc = %bias[oc] : memref<8xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ix, oc] : memref<6x8xi8>, %weight = %filter[kx, oc] : memref<3x8xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %c2 overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish (%multiplier = %rescale[oc, 0] : memref<8x3xi32>, %nudge = %rescale[oc, 1] : memref<8x3xi32>, %right = %rescale[oc, 2] : memref<8x3xi32>) of (%sum: i32) {
      %doubled = arith.muli %sum, %c2 overflow<nsw> : i32
      %high = simd.multiply_high_add %doubled, %multiplier, %nudge
      %shifted = arith.shrsi %high, %right : i32
      %byte = simd.saturate %shifted 8
      %narrow = arith.trunci %byte : i32 to i8
      task.yield %narrow : i8
    }
    writes (%output[ox, oc] : memref<6x8xi8>)
    schedule <split oc 4, order (ox, oc_o, oc_i, kx), jam oc_i, words ox>
  func.return
}

func.func @main(%input: memref<6x8xi8>, %output: memref<6x8xi8>) {
  %w = memref.get_global @w : memref<3x8xi8>
  %b = memref.get_global @b : memref<8xi32>
  %r = memref.get_global @r : memref<8x3xi32>
  func.call @depthwise(%input, %w, %b, %r, %output) : (memref<6x8xi8>, memref<3x8xi8>, memref<8xi32>, memref<8x3xi32>, memref<6x8xi8>) -> ()
  func.return
}
