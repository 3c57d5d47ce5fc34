// RUN: stillpool-opt %s -p split-phases | filecheck %s
// RUN: stillpool-opt %s -p 'split-phases,schedule{cpu=cortex-m4}' | filecheck %s --check-prefixes CHECK,STEPS
// RUN: stillpool-opt %s -p 'choose-forms{cpu=cortex-m4 optimize=size},split-phases' | filecheck %s --check-prefix SMALL

// A transposed convolution with stride 2: results at even places meet taps 0 and 2, those at odd places tap 1. Each
// kind is a convolution with taps and biases of its own, in which zero points are.

// CHECK: sym_name = "w_phase_1", type = memref<2x1x4xi8>, initial_value = dense<{{\[\[\[}}5, 6, 7, 8]], {{\[\[}}-5, -6, -7, -8]]]>
// CHECK: sym_name = "w_phase_0", type = memref<2x2x4xi8>, initial_value = dense<{{\[\[\[}}9, 10, 11, 12], [1, 2, 3, 4]], {{\[\[}}-9, -10, -11, -12], [-1, -2, -3, -4]]]>
// CHECK-LABEL: @odd
// CHECK: task.nest space(ox = 4, oc = 2) fold(ix_tap = 2, ic = 4) where(ix = ox + ix_tap - 1)
// CHECK: step (%value = clip %input[ix, ic] : memref<4x4xi8>, %weight = %filter[oc, ix_tap, ic] : memref<2x2x4xi8>)
// CHECK: writes (%output[2 * ox, oc] : memref<8x2xi32>)
// STEPS: schedule <split ox 2, order (ox_o, ox_i, oc, ix_tap, ic), jam ox_i, jam oc, dual 1 4>
// CHECK: task.nest space(ox = 4, oc = 2) fold(ix_tap = 1, ic = 4) where(ix = ox + ix_tap)
// CHECK: step (%value_1 = %input[ix, ic] : memref<4x4xi8>, %weight_1 = %filter_1[oc, ix_tap, ic] : memref<2x1x4xi8>)
// CHECK: writes (%output[2 * ox + 1, oc] : memref<8x2xi32>)

// Two taps and stride 2: both kinds meet one tap, at the same place of the input, so that they are one dimension more.
// CHECK-LABEL: @even
// CHECK: task.nest space(ox = 4, ox_phase = 2, oc = 2) fold(ix_tap = 1, ic = 4) where(ix = ox + ix_tap)
// CHECK: start (%acc = %bias[2 * ox_phase + oc] : memref<4xi32>)
// CHECK: %filter[oc, ix_tap + ox_phase, ic] : memref<2x2x4xi8>)
// CHECK: writes (%output[2 * ox + ox_phase, oc] : memref<8x2xi32>)

// The shortest code has one nest: where several would take its place it stays.
// SMALL-LABEL: @odd
// SMALL: task.nest space(ox = 8, oc = 2) fold(ix = 4, ic = 4)
"memref.global"() <{sym_name = "w", type = memref<2x3x4xi8>, initial_value = dense<[[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], [[-1, -2, -3, -4], [-5, -6, -7, -8], [-9, -10, -11, -12]]]> : tensor<2x3x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "v", type = memref<2x2x4xi8>, initial_value = dense<[[[1, 2, 3, 4], [5, 6, 7, 8]], [[-1, -2, -3, -4], [-5, -6, -7, -8]]]> : tensor<2x2x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<2xi32>, initial_value = dense<[100, 200]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @odd(%input: memref<4x4xi8>, %filter: memref<2x3x4xi8>, %bias: memref<2xi32>, %output: memref<8x2xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 8, oc = 2) fold(ix = 4, ic = 4) where(kx = ox - 2 * ix)
    start (%acc = %bias[oc] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ix, ic] : memref<4x4xi8>, %weight = clip %filter[oc, kx, ic] : memref<2x3x4xi8>) into (%acc_1: i32) {
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
    writes (%output[ox, oc] : memref<8x2xi32>)
  func.return
}

func.func private @even(%input: memref<4x4xi8>, %filter: memref<2x2x4xi8>, %bias: memref<2xi32>, %output: memref<8x2xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 8, oc = 2) fold(ix = 4, ic = 4) where(kx = ox - 2 * ix)
    start (%acc = %bias[oc] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ix, ic] : memref<4x4xi8>, %weight = clip %filter[oc, kx, ic] : memref<2x2x4xi8>) into (%acc_1: i32) {
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
    writes (%output[ox, oc] : memref<8x2xi32>)
  func.return
}

func.func @main(%input: memref<4x4xi8>, %output: memref<8x2xi32>) {
  %w = memref.get_global @w : memref<2x3x4xi8>
  %v = memref.get_global @v : memref<2x2x4xi8>
  %b = memref.get_global @b : memref<2xi32>
  func.call @odd(%input, %w, %b, %output) : (memref<4x4xi8>, memref<2x3x4xi8>, memref<2xi32>, memref<8x2xi32>) -> ()
  func.call @even(%input, %v, %b, %output) : (memref<4x4xi8>, memref<2x2x4xi8>, memref<2xi32>, memref<8x2xi32>) -> ()
  func.return
}
