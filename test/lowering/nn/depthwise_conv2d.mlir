// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// One output channel per input channel: one channel loop outside the taps.

// CHECK-LABEL: func.func private @depthwise_conv2d_0
// CHECK-SAME:    nn.comment = "DEPTHWISE_CONV_2D 1: 1x4x4x3 * 1x3x2x3 -> 1x2x3x3, 108 MACs"
// CHECK:        scf.for %oy = %c0 to %c2 step %c1 {
// CHECK-NEXT:     scf.for %ox = %c0 to %c3 step %c1 {
// CHECK-NEXT:       scf.for %oc = %c0 to %c3 step %c1 {
// CHECK-NEXT:         %[[SUM:.*]] = scf.for %ky = %c0 to %c3 step %c1 iter_args(%[[ROW_ACC:.*]] = %c0_i32) -> (i32) {
// CHECK-NEXT:           %iy = arith.addi %oy, %ky : index
// CHECK-NEXT:           %{{.*}} = scf.for %kx = %c0 to %c2 step %c1 iter_args(%{{.*}} = %[[ROW_ACC]]) -> (i32) {
// CHECK-NEXT:             %ix = arith.addi %ox, %kx : index
// CHECK-NEXT:             %value = memref.load %input[%c0, %iy, %ix, %oc] : memref<1x4x4x3xi8>
// CHECK-NEXT:             %weight = memref.load %filter[%c0, %ky, %kx, %oc] : memref<1x3x2x3xi8>
// CHECK:              fx.rescale %[[SUM]], %c1200000000_i32, %c-7_i32 right_only
// CHECK:              memref.store %{{[0-9]+}}, %output[%c0, %oy, %ox, %oc] : memref<1x2x3x3xi8>
func.func @valid(%x: tensor<1x4x4x3xi8>) -> tensor<1x2x3x3xi8> {
  %w = nn.constant dense<1> : tensor<1x3x2x3xi8>
  %y = nn.depthwise_conv2d %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1200000000], [-7]> clamp <-128, 127> {nn.origin = #nn.origin<1, "DEPTHWISE_CONV_2D", "out">} : (tensor<1x4x4x3xi8>, tensor<1x3x2x3xi8>) -> tensor<1x2x3x3xi8>
  func.return %y : tensor<1x2x3x3xi8>
}

// -----

// Two output channels per input channel.

// CHECK-LABEL: func.func private @depthwise_conv2d_0
// CHECK:        scf.for %ic = %c0 to %c3 step %c1 {
// CHECK-NEXT:     %oc0 = arith.muli %ic, %c2 : index
// CHECK-NEXT:     scf.for %m = %c0 to %c2 step %c1 {
// CHECK-NEXT:       %oc = arith.addi %oc0, %m : index
// CHECK:              memref.load %input[%c0, %iy, %ix, %ic] : memref<1x4x4x3xf32>
// CHECK-NEXT:         memref.load %filter[%c0, %ky, %kx, %oc] : memref<1x3x2x6xf32>
// CHECK:            memref.store %{{.*}}, %output[%c0, %oy, %ox, %oc] : memref<1x2x3x6xf32>
func.func @multiplied(%x: tensor<1x4x4x3xf32>) -> tensor<1x2x3x6xf32> {
  %w = nn.constant dense<1.0> : tensor<1x3x2x6xf32>
  %y = nn.depthwise_conv2d %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x4x4x3xf32>, tensor<1x3x2x6xf32>) -> tensor<1x2x3x6xf32>
  func.return %y : tensor<1x2x3x6xf32>
}
