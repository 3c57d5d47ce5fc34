// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// Symmetric: the largest magnitude of a slice becomes 127. The sum of products is an integer until the scales come in.

// CHECK:      func.func private @dynamic_range_0(%input: memref<2x4xf32>, %scales: memref<2xf32>, %inverses: memref<2xf32>)
// CHECK:        %scale = arith.select %{{[0-9]+}}, %{{.*}}, %{{[0-9]+}} : f32
// CHECK:      func.func private @dynamic_quantize_0(%input: memref<2x4xf32>, %inverses: memref<2xf32>, %output: memref<2x4xi8>)
// CHECK:        math.round
// CHECK:        arith.fptosi %{{[0-9]+}} : f32 to i32
// CHECK:      func.func private @fully_connected_0(%input: memref<2x4xi8>, %row_scales: memref<2xf32>, %filter: memref<3x4xi8>, %bias: memref<3xf32>, %output: memref<2x3xf32>)
// CHECK:        %[[ROW:[0-9]+]] = memref.load %row_scales[%n] : memref<2xf32>
// CHECK-NEXT:   %[[BIAS:[0-9]+]] = memref.load %bias[%oc] : memref<3xf32>
// CHECK-NEXT:   %scale = arith.mulf %[[ROW]], %cst : f32
// CHECK-NEXT:   %[[SUM:[0-9]+]] = arith.sitofp %acc : i32 to f32
// CHECK-NEXT:   %[[PRODUCT:[0-9]+]] = arith.mulf %[[SUM]], %scale : f32
// CHECK-NEXT:   arith.addf %[[PRODUCT]], %[[BIAS]] : f32
func.func @symmetric(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %w = nn.constant dense<1> : tensor<3x4xi8>
  %b = nn.constant dense<1.0> : tensor<3xf32>
  %s, %i = nn.dynamic_range %x : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %q = nn.dynamic_quantize %x, %i : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xi8>
  %y = nn.fully_connected %q, %w, %b, %s filter_scales [0.5] : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// Asymmetric: a zero point for each slice, and here a scale for each channel.

// CHECK:      func.func private @dynamic_range_0(%input: memref<2x4xf32>, %scales: memref<2xf32>, %inverses: memref<2xf32>, %zero_points: memref<2xi32>)
// CHECK:      func.func private @dynamic_quantize_0(%input: memref<2x4xf32>, %inverses: memref<2xf32>, %zero_points: memref<2xi32>, %output: memref<2x4xi8>)
// CHECK:      func.func private @fully_connected_0(%input: memref<2x4xi8>, %row_scales: memref<2xf32>, %row_zero_points: memref<2xi32>, %filter: memref<3x4xi8>, %bias: memref<3xf32>, %scale: memref<3xf32>, %output: memref<2x3xf32>)
// CHECK:        %zero_point = memref.load %row_zero_points[%n] : memref<2xi32>
func.func @asymmetric(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %w = nn.constant dense<1> : tensor<3x4xi8>
  %b = nn.constant dense<1.0> : tensor<3xf32>
  %s, %i, %z = nn.dynamic_range %x : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>)
  %q = nn.dynamic_quantize %x, %i, %z : (tensor<2x4xf32>, tensor<2xf32>, tensor<2xi32>) -> tensor<2x4xi8>
  %y = nn.fully_connected %q, %w, %b, %s, %z filter_scales [0.5, 0.25, 1.0] : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<3xf32>, tensor<2xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
