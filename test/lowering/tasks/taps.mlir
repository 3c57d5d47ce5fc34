// RUN: stillpool-opt %s -p scale-sums,lower-tasks | filecheck %s
// RUN: stillpool-opt %s -p scale-sums,lower-tasks,emit-c -t c | filecheck %s --check-prefix C

// One stream: where sums start, with the zero point folded in; the pair of taps 0 and 1, tap 2 alone; the records. What
// is shifted by is the same for all channels, which makes starts and weights 32 * 2 times as large (of 7, 12 - 7 more).
// CHECK-NOT: sym_name = "b
// CHECK: sym_name = "w_stream", type = memref<20xi32>, initial_value = dense<[6016, 12160, 18176, 24960, 8388672, 16777344, -8388544, -12517440, 320, 384, 33554432, 62914560, 1073741824, 2064, 1073741825, 2064, 1073741826, 2064, 1073741827, 2064]>
"memref.global"() <{sym_name = "w", type = memref<3x4xi8>, initial_value = dense<[[1, 2, 1, -1], [2, 4, -2, -3], [5, 6, 8, 15]]> : tensor<3x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<4xi32>, initial_value = dense<[110, 214, 298, 412]> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "r", type = memref<4x3xi32>, initial_value = dense<[[1073741824, 64, 7], [1073741825, 64, 7], [1073741826, 64, 7], [1073741827, 64, 7]]> : tensor<4x3xi32>, sym_visibility = "private", constant}> : () -> ()

// A window is one operation where it is known what is clipped; with borders of all dimensions that is everywhere. Its
// place is that of the first tap inside.
// CHECK-LABEL: func.func private @depthwise(
// CHECK-SAME:  %input: memref<6x4xi8>, %filter: memref<20xi32>, %output: memref<6x4xi8>
// CHECK:         scf.if
// CHECK:           %[[SUMS:.*]] = memref.alloca() : memref<4xi32>
// CHECK-NEXT:      simd.sum_taps %input[%x0, %{{.*}}] [0, 4, 8] 2 [3, 4], %filter[%[[FIRST:.*]]], %[[SUMS]]
// CHECK:           simd.scale_bytes floor shift 12 %[[SUMS]], %filter[%[[FIRST]]] 12, %output[%ox, %{{.*}}]
// CHECK:         } else {
// CHECK:           simd.sum_taps %input[%{{.*}}] [-1, 0, 4] 2 [2, 4]
// CHECK:         } else {
// CHECK-NOT:       scf.if
// CHECK:           simd.sum_taps %input[%{{.*}}] [0, 4, -1] 2 [2, 4]
// CHECK-NOT:     simd.dual_multiply_add
// CHECK:         func.return

// C: /* Tile: 4 channels of 1 point; 3 taps, none of them clipped.
// C: STILLPOOL_TAPS void simd_sum_taps_3_[[ALL:[0-9]+]](const int8_t *bytes, const int32_t *words, int32_t *sums) {
// C: "ldr %[t0],[%[bytes]]\n"
// C-NEXT: "ldr %[t1],[%[bytes],#4]\n"
// C-NEXT: "ldrd %[t2],%[t3],[%[words],#16]\n"
// C: "ldr %[t0],[%[bytes],#8]\n"
// C-NEXT: "ldrd %[t1],%[t2],[%[words],#32]\n"
// C: static const int32_t places[3] = {0, 4, 8};
// C-NEXT: simd_sum_taps_in_c(bytes, places, 3, 2, words, sums);
// C: "mov.w %[t0],#0x02020202\n"
// C-NEXT: "ldr %[t1],[%[bytes]]\n"
// C-LABEL: static void depthwise(
// C: simd_sum_taps_3_[[ALL]](
// C-NEXT: simd_scale_bytes_12_floor_12(
func.func private @depthwise(%input: memref<6x4xi8>, %filter: memref<3x4xi8>, %bias: memref<4xi32>, %rescale: memref<4x3xi32>, %output: memref<6x4xi8>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 6, oc = 4) fold(kx = 3) where(x0 = ox - 1, ix = x0 + kx)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ix, oc] : memref<6x4xi8>, %weight = %filter[kx, oc] : memref<3x4xi8>) into (%acc_1: i32) {
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

func.func @main(%input: memref<6x4xi8>, %output: memref<6x4xi8>) {
  %w = memref.get_global @w : memref<3x4xi8>
  %b = memref.get_global @b : memref<4xi32>
  %r = memref.get_global @r : memref<4x3xi32>
  func.call @depthwise(%input, %w, %b, %r, %output) : (memref<6x4xi8>, memref<3x4xi8>, memref<4xi32>, memref<4x3xi32>, memref<6x4xi8>) -> ()
  func.return
}
