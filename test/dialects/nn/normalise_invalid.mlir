// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: 'nn.log_softmax' op elements i16 and i16 do not go together
func.func @f(%x: tensor<3xi16>) -> tensor<3xi16> {
  %y = nn.log_softmax %x : (tensor<3xi16>) -> tensor<3xi16>
  func.return %y : tensor<3xi16>
}

// -----

// CHECK: 'nn.log_softmax' op needs rescale and diff_min for quantised elements, neither for floats
func.func @f(%x: tensor<3xi8>) -> tensor<3xi8> {
  %y = nn.log_softmax %x : (tensor<3xi8>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// -----

// CHECK: 'nn.log_softmax' op rescale must have 2 entries, got 1
func.func @f(%x: tensor<3xi8>) -> tensor<3xi8> {
  %y = nn.log_softmax %x rescale <[1], [0]> diff_min -1 : (tensor<3xi8>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// -----

// CHECK: 'nn.l2_normalize' op needs a zero_point for quantised elements, none for floats
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = nn.l2_normalize %x zero_point 1 : (tensor<3xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// CHECK: 'nn.l2_normalize' op rows of 33026 elements are too long: their squares overflow i32
func.func @f(%x: tensor<33026xi8>) -> tensor<33026xi8> {
  %y = nn.l2_normalize %x zero_point 1 : (tensor<33026xi8>) -> tensor<33026xi8>
  func.return %y : tensor<33026xi8>
}

// -----

// CHECK: 'nn.l2_normalize' op input must have at least one dimension
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %y = nn.l2_normalize %x : (tensor<f32>) -> tensor<f32>
  func.return %y : tensor<f32>
}
