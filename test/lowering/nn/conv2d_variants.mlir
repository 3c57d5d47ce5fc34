// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// A 1x1 convolution has no loops over taps, and nothing to clip; a bias or a sum that may overflow wraps.

// CHECK-LABEL: func.func private @conv2d_0
// CHECK:        scf.for %oy = %c0 to %c4 step %c1 {
// CHECK-NEXT:     scf.for %ox = %c0 to %c5 step %c1 {
// CHECK-NEXT:       scf.for %oc = %c0 to %c3 step %c1 {
// CHECK-NEXT:         %acc = memref.load %bias[%oc] : memref<3xi32>
// CHECK-NEXT:         scf.for %ic = %c0 to %c2
// CHECK-NEXT:           %value = memref.load %input[%c0, %oy, %ox, %ic] : memref<1x4x5x2xi8>
// CHECK-NEXT:           %weight = memref.load %filter[%oc, %c0, %c0, %ic] : memref<3x1x1x2xi8>
// CHECK:                arith.muli {{.*}} overflow<nsw> : i32
// CHECK-NEXT:           arith.addi %{{[^ ]*}}, %{{[^ ]*}} : i32
func.func @pointwise(%x: tensor<1x4x5x2xi8>) -> tensor<1x4x5x3xi8> {
  %w = nn.constant dense<1> : tensor<3x1x1x2xi8>
  %b = nn.constant dense<[2147483647, 0, 0]> : tensor<3xi32>
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1200000000], [-7]> clamp <-128, 127> : (tensor<1x4x5x2xi8>, tensor<3x1x1x2xi8>, tensor<3xi32>) -> tensor<1x4x5x3xi8>
  func.return %y : tensor<1x4x5x3xi8>
}

// -----

// Groups of two input and two output channels; several images; dilated rows; a left shift may overflow the sum's scale.

// CHECK-LABEL: func.func private @conv2d_0
// CHECK:        scf.for %n = %c0 to %c2 step %c1 {
// CHECK-NEXT:     scf.for %oy = %c0 to %c4 step %c1 {
// CHECK-NEXT:       %y0 = arith.subi %oy, %c2 : index
// CHECK-NEXT:       %[[ABOVE:[0-9]+]] = arith.subi %c0, %y0 : index
// CHECK-NEXT:       %[[ROUND_UP:[0-9]+]] = arith.addi %[[ABOVE]], %c1 : index
// CHECK-NEXT:       %[[TAPS:[0-9]+]] = arith.divsi %[[ROUND_UP]], %c2 : index
// CHECK-NEXT:       %ky_begin = arith.maxsi %[[TAPS]], %c0 : index
// CHECK:            scf.for %group = %c0 to %c2 step %c1 {
// CHECK-NEXT:         %ic0 = arith.muli %group, %c2 : index
// CHECK-NEXT:         %oc0 = arith.muli %group, %c2 : index
// CHECK-NEXT:         scf.for %o = %c0 to %c2 step %c1 {
// CHECK-NEXT:           %oc = arith.addi %oc0, %o : index
// CHECK:                    %[[DOWN:[0-9]+]] = arith.muli %ky, %c2 : index
// CHECK-NEXT:               %iy = arith.addi %y0, %[[DOWN]] : index
// CHECK:                    scf.for %ic = %c0 to %c2
// CHECK-NEXT:                 %[[CHANNEL:[0-9]+]] = arith.addi %ic0, %ic : index
// CHECK-NEXT:                 memref.load %input[%n, %iy, %{{[^,]*}}, %[[CHANNEL]]] : memref<2x4x4x4xi8>
// CHECK-NEXT:                 memref.load %filter[%oc, %ky, %c0, %ic] : memref<4x3x1x2xi8>
// The filter has a zero point.
// CHECK:                      arith.subi %{{[0-9]+}}, %c2_i32 overflow<nsw> : i32
// CHECK:                %[[SCALED:[0-9]+]] = fx.rescale %{{[^,]*}}, %c1200000000_i32, %c20_i32{{$}}
// CHECK-NEXT:           arith.addi %[[SCALED]], %c1_i32 : i32
func.func @grouped(%x: tensor<2x4x4x4xi8>) -> tensor<2x4x4x4xi8> {
  %w = nn.constant dense<1> : tensor<4x3x1x2xi8>
  %y = nn.conv2d %x, %w strides [1, 1] pads [2, 2, 0, 0] dilations [2, 1] zero_points [0, 2, 1] rescale <[1200000000], [20]> clamp <-128, 127> : (tensor<2x4x4x4xi8>, tensor<4x3x1x2xi8>) -> tensor<2x4x4x4xi8>
  func.return %y : tensor<2x4x4x4xi8>
}

// -----

// Floats: from 0, the bias last, and only the finite bound of the activation.

// CHECK-LABEL: func.func private @conv2d_0
// CHECK:         %cst = arith.constant 0.000000e+00 : f32
// CHECK:         scf.for %ky = %c0 to %c2 step %c1 iter_args(%[[ACC:.*]] = %cst) -> (f32) {
// CHECK:           %value = memref.load %input
// CHECK-NEXT:      %weight = memref.load %filter
// CHECK-NEXT:      %[[PRODUCT:[0-9]+]] = arith.mulf %value, %weight : f32
// CHECK-NEXT:      arith.addf %{{[^,]*}}, %[[PRODUCT]] : f32
// CHECK:         %[[BIAS:[0-9]+]] = memref.load %bias[%oc] : memref<3xf32>
// CHECK-NEXT:    %[[SUM:[0-9]+]] = arith.addf %{{[^,]*}}, %[[BIAS]] : f32
// CHECK-NEXT:    %[[BELOW:[0-9]+]] = arith.cmpf olt, %[[SUM]], %cst : f32
// CHECK-NEXT:    %[[RESULT:[0-9]+]] = arith.select %[[BELOW]], %cst, %[[SUM]] : f32
// CHECK-NEXT:    memref.store %[[RESULT]], %output
func.func @float(%x: tensor<1x4x5x2xf32>) -> tensor<1x3x4x3xf32> {
  %w = nn.constant dense<1.0> : tensor<3x2x2x2xf32>
  %b = nn.constant dense<1.0> : tensor<3xf32>
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] clamp <0.0, inf> : (tensor<1x4x5x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>) -> tensor<1x3x4x3xf32>
  func.return %y : tensor<1x3x4x3xf32>
}
