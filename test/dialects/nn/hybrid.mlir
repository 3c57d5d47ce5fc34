// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s --print-op-generic | stillpool-opt | filecheck %s

// CHECK-LABEL: func.func @symmetric
func.func @symmetric(%x: tensor<2x4xf32>, %w: tensor<3x4xi8>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: %s, %i = nn.dynamic_range %x : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %s, %i = nn.dynamic_range %x : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %q = nn.dynamic_quantize %x, %i : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xi8>
  %q = nn.dynamic_quantize %x, %i : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xi8>
  // CHECK-NEXT: %{{.*}} = nn.fully_connected %q, %w, %b, %s filter_scales [5.000000e-01] clamp <0.0, inf> : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  %y = nn.fully_connected %q, %w, %b, %s filter_scales [0.5] clamp <0.0, inf> : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @asymmetric
func.func @asymmetric(%x: tensor<2x4xf32>, %w: tensor<3x4xi8>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: %s, %i, %z = nn.dynamic_range %x : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>)
  %s, %i, %z = nn.dynamic_range %x : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>)
  // CHECK-NEXT: %q = nn.dynamic_quantize %x, %i, %z : (tensor<2x4xf32>, tensor<2xf32>, tensor<2xi32>) -> tensor<2x4xi8>
  %q = nn.dynamic_quantize %x, %i, %z : (tensor<2x4xf32>, tensor<2xf32>, tensor<2xi32>) -> tensor<2x4xi8>
  // CHECK-NEXT: %{{.*}} = nn.fully_connected %q, %w, %b, %s, %z filter_scales
  %y = nn.fully_connected %q, %w, %b, %s, %z filter_scales [0.5, 0.25, 1.0] : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<3xf32>, tensor<2xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
