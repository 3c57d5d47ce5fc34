// RUN: stillpool-opt -p lower-nn,lower-tasks %s | filecheck %s

// A padded convolution: the taps outside the input are clipped, rows once per output row, columns once per pixel.

func.func @padded(%x: tensor<1x4x5x2xi8>) -> tensor<1x2x5x3xi8> {
  %w = nn.constant {nn.name = "weights"} dense<1> : tensor<3x3x3x2xi8>
  %b = nn.constant {nn.name = "bias"} dense<7> : tensor<3xi32>
  %y = nn.conv2d %x, %w, %b strides [2, 1] pads [0, 1, 1, 1] dilations [1, 1] zero_points [5, 0, -3] rescale <[1200000000, 1300000000, 1400000000], [-7, -8, -9]> clamp <-128, 127> {nn.origin = #nn.origin<3, "CONV_2D", "conv/out">} : (tensor<1x4x5x2xi8>, tensor<3x3x3x2xi8>, tensor<3xi32>) -> tensor<1x2x5x3xi8>
  func.return %y : tensor<1x2x5x3xi8>
}

// Weights, bias, and the factors of the channels are constants.
// CHECK:      "memref.global"() <{sym_name = "weights", type = memref<3x3x3x2xi8>, initial_value = dense<1> : tensor<3x3x3x2xi8>, sym_visibility = "private", constant}> {nn.name = "weights"}
// CHECK-NEXT: "memref.global"() <{sym_name = "bias", type = memref<3xi32>
// CHECK-NEXT: "memref.global"() <{sym_name = "conv_out_multiplier", type = memref<3xi32>, initial_value = dense<[1200000000, 1300000000, 1400000000]> : tensor<3xi32>
// CHECK-NEXT: "memref.global"() <{sym_name = "conv_out_shift", type = memref<3xi8>, initial_value = dense<[-7, -8, -9]> : tensor<3xi8>

// CHECK-NEXT: func.func private @conv2d_0(%input: memref<1x4x5x2xi8>, %filter: memref<3x3x3x2xi8>, %bias: memref<3xi32>, %multiplier: memref<3xi32>, %shift: memref<3xi8>, %output: memref<1x2x5x3xi8>) attributes {nn.comment = "CONV_2D 3: 1x4x5x2 * 3x3x3x2 -> 1x2x5x3, 540 MACs"} {
// CHECK:        scf.for %oy = %c0 to %c2 step %c1 {
// No padding above: the first row of a window is always inside.
// CHECK-NEXT:     %y0 = arith.muli %oy, %c2 : index
// CHECK-NEXT:     %[[BELOW:[0-9]+]] = arith.subi %c4, %y0 : index
// CHECK-NEXT:     %ky_end = arith.minsi %[[BELOW]], %c3 : index
// CHECK-NEXT:     scf.for %ox = %c0 to %c5 step %c1 {
// CHECK-NEXT:       %x0 = arith.subi %ox, %c1 : index
// CHECK-NEXT:       %[[LEFT:[0-9]+]] = arith.subi %c0, %x0 : index
// CHECK-NEXT:       %kx_begin = arith.maxsi %[[LEFT]], %c0 : index
// CHECK-NEXT:       %[[RIGHT:[0-9]+]] = arith.subi %c5, %x0 : index
// CHECK-NEXT:       %kx_end = arith.minsi %[[RIGHT]], %c3 : index
// CHECK-NEXT:       scf.for %oc = %c0 to %c3 step %c1 {
// CHECK-NEXT:         %acc = memref.load %bias[%oc] : memref<3xi32>
// CHECK-NEXT:         %[[SUM:.*]] = scf.for %ky = %c0 to %ky_end step %c1 iter_args(%[[ROW_ACC:.*]] = %acc) -> (i32) {
// CHECK-NEXT:           %iy = arith.addi %y0, %ky : index
// CHECK-NEXT:           %[[ROW:.*]] = scf.for %kx = %kx_begin to %kx_end step %c1 iter_args(%[[TAP_ACC:.*]] = %[[ROW_ACC]]) -> (i32) {
// CHECK-NEXT:             %ix = arith.addi %x0, %kx : index
// CHECK-NEXT:             %[[TAP:.*]] = scf.for %ic = %c0 to %c2 step %c1 iter_args(%[[ACC:.*]] = %[[TAP_ACC]]) -> (i32) {
// CHECK-NEXT:               %value = memref.load %input[%c0, %iy, %ix, %ic] : memref<1x4x5x2xi8>
// CHECK-NEXT:               %weight = memref.load %filter[%oc, %ky, %kx, %ic] : memref<3x3x3x2xi8>
// CHECK-NEXT:               %[[WIDE:[0-9]+]] = arith.extsi %value : i8 to i32
// CHECK-NEXT:               %[[CENTRED:[0-9]+]] = arith.subi %[[WIDE]], %c5_i32 overflow<nsw> : i32
// CHECK-NEXT:               %[[WEIGHT:[0-9]+]] = arith.extsi %weight : i8 to i32
// CHECK-NEXT:               %[[PRODUCT:[0-9]+]] = arith.muli %[[CENTRED]], %[[WEIGHT]] overflow<nsw> : i32
// CHECK-NEXT:               %[[NEXT:.*]] = arith.addi %[[ACC]], %[[PRODUCT]] overflow<nsw> : i32
// CHECK-NEXT:               scf.yield %[[NEXT]] : i32
// CHECK-NEXT:             }
// CHECK-NEXT:             scf.yield %[[TAP]] : i32
// CHECK-NEXT:           }
// CHECK-NEXT:           scf.yield %[[ROW]] : i32
// CHECK-NEXT:         }
// CHECK-NEXT:         %[[MULTIPLIER:[0-9]+]] = memref.load %multiplier[%oc] : memref<3xi32>
// CHECK-NEXT:         %[[SHIFT:[0-9]+]] = memref.load %shift[%oc] : memref<3xi8>
// CHECK-NEXT:         %[[WIDE_SHIFT:[0-9]+]] = arith.extsi %[[SHIFT]] : i8 to i32
// CHECK-NEXT:         %[[SCALED:[0-9]+]] = fx.rescale %[[SUM]], %[[MULTIPLIER]], %[[WIDE_SHIFT]] right_only
// CHECK-NEXT:         %[[SHIFTED:[0-9]+]] = arith.subi %[[SCALED]], %c3_i32 overflow<nsw> : i32
// CHECK-NEXT:         %[[LOW:[0-9]+]] = arith.maxsi %[[SHIFTED]], %c-128_i32 : i32
// CHECK-NEXT:         %[[HIGH:[0-9]+]] = arith.minsi %[[LOW]], %c127_i32 : i32
// CHECK-NEXT:         %[[RESULT:[0-9]+]] = arith.trunci %[[HIGH]] : i32 to i8
// CHECK-NEXT:         memref.store %[[RESULT]], %output[%c0, %oy, %ox, %oc] : memref<1x2x5x3xi8>

// CHECK:      func.func @padded(%x: memref<1x4x5x2xi8> {pool.io = "input"}, %y: memref<1x2x5x3xi8> {pool.io = "output"}) {
// CHECK-NEXT:   %weights = memref.get_global @weights : memref<3x3x3x2xi8>
// CHECK-NEXT:   %bias = memref.get_global @bias : memref<3xi32>
// CHECK-NEXT:   %conv_out_multiplier = memref.get_global @conv_out_multiplier : memref<3xi32>
// CHECK-NEXT:   %conv_out_shift = memref.get_global @conv_out_shift : memref<3xi8>
// CHECK-NEXT:   func.call @conv2d_0(%x, %weights, %bias, %conv_out_multiplier, %conv_out_shift, %y) {nn.origin = #nn.origin<3, "CONV_2D", "conv/out">, nn.macs = 540 : i64}
// CHECK-NEXT:   func.return
