// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: 'nn.fully_connected' op needs row_scales and filter_scales for a quantised input and a float result only
func.func @f(%x: tensor<2x4xi8>, %w: tensor<3x4xi8>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %y = nn.fully_connected %x, %w, %b filter_scales [0.5] : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// CHECK: 'nn.fully_connected' op row_scales must have shape [2], got [3]
func.func @f(%x: tensor<2x4xi8>, %w: tensor<3x4xi8>, %b: tensor<3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
  %y = nn.fully_connected %x, %w, %b, %s filter_scales [0.5] : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// CHECK: 'nn.fully_connected' op row_zero_points must be i32 and go with a hybrid operator
func.func @f(%x: tensor<2x4xi8>, %w: tensor<3x4xi8>, %b: tensor<3xf32>, %s: tensor<2xf32>) -> tensor<2x3xf32> {
  %y = nn.fully_connected %x, %w, %b, %s, %s filter_scales [0.5] : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// CHECK: 'nn.fully_connected' op filter_scales must have 1 or 3 entries
func.func @f(%x: tensor<2x4xi8>, %w: tensor<3x4xi8>, %b: tensor<3xf32>, %s: tensor<2xf32>) -> tensor<2x3xf32> {
  %y = nn.fully_connected %x, %w, %b, %s filter_scales [0.5, 0.5] : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// CHECK: 'nn.fully_connected' op has 6 operands, expected at most 5
func.func @f(%x: tensor<2x4xf32>, %w: tensor<3x4xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %y = nn.fully_connected %x, %w, %b, %b, %b, %b : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// CHECK: 'nn.dynamic_range' op elements f32, f32, i32 do not go together
func.func @f(%x: tensor<2x4xf32>) -> tensor<2xf32> {
  %s, %i = nn.dynamic_range %x : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  func.return %s : tensor<2xf32>
}

// -----

// CHECK: 'nn.dynamic_quantize' op parameters must have shape [2], got [4]
func.func @f(%x: tensor<2x4xf32>, %i: tensor<4xf32>) -> tensor<2x4xi8> {
  %q = nn.dynamic_quantize %x, %i : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi8>
  func.return %q : tensor<2x4xi8>
}

// -----

// CHECK: 'nn.fully_connected' op factor stands for the rescale of quantised elements only
func.func @f(%x: tensor<2x4xui8>, %w: tensor<3x4xui8>) -> tensor<2x3xui8> {
  %y = nn.fully_connected %x, %w zero_points [0, 0, 0] rescale <[1], [0]> factor 0.5 clamp <0, 255> : (tensor<2x4xui8>, tensor<3x4xui8>) -> tensor<2x3xui8>
  func.return %y : tensor<2x3xui8>
}

// -----

// CHECK: 'nn.dynamic_quantize' op result must be of i8, got i16
func.func @f(%x: tensor<2x4xf32>, %i: tensor<2xf32>) -> tensor<2x4xi16> {
  %q = nn.dynamic_quantize %x, %i : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xi16>
  func.return %q : tensor<2x4xi16>
}
