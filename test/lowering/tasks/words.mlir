// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// For each block of channels: the pairs of taps 0 and 1, then tap 2 alone, of the second two channels in the high half.
// The zero point 2 is in the bias.
// CHECK: sym_name = "w_packed", type = memref<10xi32>, initial_value = dense<[131073, 262147, -131071, -196609, 5, 6, 524288, 983040, 65535, 65527]>
// CHECK: sym_name = "b_packed", type = memref<5xi32>, initial_value = dense<[84, 174, 286, 380, 520]>
"memref.global"() <{sym_name = "w", type = memref<3x5xi8>, initial_value = dense<[[1, 3, 1, -1, -1], [2, 4, -2, -4, 0], [5, 6, 8, 15, -9]]> : tensor<3x5xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<5xi32>, initial_value = dense<[100, 200, 300, 400, 500]> : tensor<5xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "w_1", type = memref<3x4xi8>, initial_value = dense<1> : tensor<3x4xi8>, sym_visibility = "private", constant}> : () -> ()

// CHECK-LABEL: func.func private @depthwise(
// CHECK:         scf.if
// Nothing is clipped: a word for each tap, four products of pairs from two of them, and four from the last.
// CHECK-NOT:       scf.if
// CHECK:           %[[A:.*]] = simd.load_bytes %input[%x0, %c0
// CHECK-NEXT:      %[[B:.*]] = simd.load_bytes %input[
// CHECK-NEXT:      %[[P:.*]] = simd.pack %[[A]], %[[B]]
// CHECK-NEXT:      simd.unpack_even %[[P]]
// CHECK:           simd.dual_multiply_add
// CHECK-NEXT:      simd.unpack_odd %[[P]]
// CHECK:           simd.dual_multiply_add
// CHECK-NEXT:      %[[Q:.*]] = simd.pack_high %[[A]], %[[B]]
// CHECK-NEXT:      simd.unpack_even %[[Q]]
// CHECK:           simd.dual_multiply_add
// CHECK-NEXT:      simd.unpack_odd %[[Q]]
// CHECK:           simd.dual_multiply_add
// CHECK:           %[[C:.*]] = simd.load_bytes
// CHECK-NEXT:      %[[EVEN:.*]] = simd.unpack_even %[[C]]
// CHECK-NEXT:      %[[ODD:.*]] = simd.unpack_odd %[[C]]
// CHECK:           simd.dual_multiply_add %[[EVEN]]
// CHECK:           simd.dual_multiply_add %[[ODD]]
// CHECK:           simd.dual_multiply_add %[[EVEN]]
// CHECK:           simd.dual_multiply_add %[[ODD]]
// The channel that is left over is read by itself.
// CHECK-COUNT-2:   arith.extsi
// CHECK:           simd.pack
// CHECK:           simd.dual_multiply_add
// CHECK:           arith.extsi
// CHECK:           simd.dual_multiply_add
// CHECK:         } else {
// What is clipped is a word of zero points, 0x02020202.
// CHECK:           scf.if
// CHECK-NEXT:        simd.load_bytes
// CHECK-NEXT:        scf.yield
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %c33686018
func.func private @depthwise(%input: memref<6x5xi8>, %filter: memref<3x5xi8>, %bias: memref<5xi32>, %more: memref<6x5xi32>, %output: memref<6x5xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 6, oc = 5) fold(kx = 3) where(x0 = ox - 1, ix = x0 + kx)
    start (%acc = %bias[oc] : memref<5xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ix, oc] : memref<6x5xi8>, %weight = %filter[kx, oc] : memref<3x5xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %c2 overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish (%own = %more[ox, oc] : memref<6x5xi32>) of (%acc_3: i32) {
      %added = arith.addi %acc_3, %own : i32
      task.yield %added : i32
    }
    writes (%output[ox, oc] : memref<6x5xi32>)
    schedule <split oc 4, order (ox, oc_o, oc_i, kx), jam oc_i, words>
  func.return
}

// A border of its own: that tap 0 is clipped at the first point is known.
// CHECK-LABEL: func.func private @borders(
// CHECK:         scf.if
// CHECK:         } else {
// CHECK-NEXT:      %[[FIRST:.*]] = arith.cmpi slt, %ox, %c1
// CHECK-NEXT:      scf.if %[[FIRST]] {
// CHECK-NEXT:        memref.load
// CHECK-NOT:         scf.if
// CHECK:             simd.pack %c33686018
// CHECK-NOT:         scf.if
// What is left is the other border.
// CHECK:           } else {
// CHECK-NEXT:        memref.load
// CHECK-NOT:         scf.if
// CHECK:             simd.unpack_even %c33686018
// CHECK-NOT:         scf.if
// CHECK:             func.return
func.func private @borders(%input: memref<6x4xi8>, %filter: memref<3x4xi8>, %output: memref<6x4xi32>) {
  %c2 = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  task.nest space(ox = 6, oc = 4) fold(kx = 3) where(x0 = ox - 1, ix = x0 + kx)
    start () {
      task.yield %zero : i32
    }
    step (%value = clip %input[ix, oc] : memref<6x4xi8>, %weight = %filter[kx, oc] : memref<3x4xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %c2 overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<6x4xi32>)
    schedule <jam oc, words ox>
  func.return
}

func.func @main(%input: memref<6x5xi8>, %four: memref<6x4xi8>, %more: memref<6x5xi32>, %output: memref<6x5xi32>, %second: memref<6x4xi32>) {
  %w = memref.get_global @w : memref<3x5xi8>
  %b = memref.get_global @b : memref<5xi32>
  %w_1 = memref.get_global @w_1 : memref<3x4xi8>
  func.call @borders(%four, %w_1, %second) : (memref<6x4xi8>, memref<3x4xi8>, memref<6x4xi32>) -> ()
  func.call @depthwise(%input, %w, %b, %more, %output) : (memref<6x5xi8>, memref<3x5xi8>, memref<5xi32>, memref<6x5xi32>, memref<6x5xi32>) -> ()
  func.return
}
