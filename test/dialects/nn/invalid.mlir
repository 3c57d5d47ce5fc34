// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: 'nn.conv2d' op result must have shape [1, 3, 3, 3], got [1, 3, 3, 4]
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x4xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x4xi8>
  func.return %y : tensor<1x3x3x4xi8>
}

// -----

// CHECK: 'nn.conv2d' op input must have rank 4, got shape [4, 4, 2]
func.func @f(%x: tensor<4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op strides must have 2 entries, got 1
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op kernel, strides and dilations must be at least 1
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [0, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op pads must not be negative
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, -1, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op window [2, 2] does not fit the input [4, 4] padded by [0, 0, 0, 0]
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [4, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op filter has 3 input channels and 3 output channels, which do not divide the input's 2 channels into groups
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x3xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x3xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op bias must have shape [3], got [4]
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<4xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<4xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op bias elements must be i32, got i8
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi8>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi8>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op needs zero points for the quantised type i8
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op zero_points must have 3 entries, got 2
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op needs a rescale for the quantised type i8
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op rescale must have 1 or 3 multipliers, got 2
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1, 1], [0, 0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: nn.rescale needs as many multipliers as shifts, got 2 and 1
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1, 1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: nn.rescale multipliers must not be negative
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[-1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: nn.rescale shifts must lie in [-31, 30]
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [31]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op needs a clamp for the quantised result type i8
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: op clamp #nn.clamp<-129, 127> leaves the range of i8
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-129, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: does not fit result elements of type i8
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <0.0, 6.0> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: nn.clamp lower bound 5 exceeds upper bound 4
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <5, 4> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: nn.clamp bounds must be both integers or both floats
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <0, 6.0> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op input, filter and result elements i8, f32, i8 do not go together
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xf32>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xf32>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op accumulator of i8 elements cannot be i16
func.func @f(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>) -> tensor<1x3x3x3xi8> {
  %y = nn.conv2d %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> acc_type i16 clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// -----

// CHECK: 'nn.conv2d' op bias elements must be i64, got i32
func.func @f(%x: tensor<1x4x4x2xi16>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi16> {
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1], [0]> acc_type i64 clamp <-128, 127> : (tensor<1x4x4x2xi16>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi16>
  func.return %y : tensor<1x3x3x3xi16>
}

// -----

// CHECK: 'nn.fully_connected' op factor of 2**15 is too large for the accumulator i64
func.func @f(%x: tensor<1x4xi16>, %w: tensor<2x4xi8>) -> tensor<1x2xi16> {
  %y = nn.fully_connected %x, %w zero_points [0, 0, 0] rescale <[1073741824], [15]> acc_type i64 clamp <-9, 9> : (tensor<1x4xi16>, tensor<2x4xi8>) -> tensor<1x2xi16>
  func.return %y : tensor<1x2xi16>
}

// -----

// CHECK: 'nn.conv2d' op cannot have zero points for elements of type f32
func.func @f(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x3x3x3xf32> {
  %y = nn.conv2d %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>) -> tensor<1x3x3x3xf32>
  func.return %y : tensor<1x3x3x3xf32>
}

// -----

// CHECK: 'nn.conv2d' op cannot have a rescale for elements of type f32
func.func @f(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x3x3x3xf32> {
  %y = nn.conv2d %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] rescale <[1], [0]> : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>) -> tensor<1x3x3x3xf32>
  func.return %y : tensor<1x3x3x3xf32>
}

// -----

// CHECK: 'nn.depthwise_conv2d' op filter must have shape [1, H, W, k * 2], got [1, 2, 2, 3]
func.func @f(%x: tensor<1x4x4x2xf32>, %w: tensor<1x2x2x3xf32>) -> tensor<1x3x3x3xf32> {
  %y = nn.depthwise_conv2d %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x4x4x2xf32>, tensor<1x2x2x3xf32>) -> tensor<1x3x3x3xf32>
  func.return %y : tensor<1x3x3x3xf32>
}

// -----

// CHECK: 'nn.fully_connected' op filter has depth 7, the input 8
func.func @f(%x: tensor<2x8xf32>, %w: tensor<3x7xf32>) -> tensor<2x3xf32> {
  %y = nn.fully_connected %x, %w : (tensor<2x8xf32>, tensor<3x7xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// CHECK: 'nn.average_pool2d' op kernel must have 2 entries, got 1
func.func @f(%x: tensor<1x4x4x2xf32>) -> tensor<1x3x3x2xf32> {
  %y = nn.average_pool2d %x kernel [2] strides [1, 1] pads [0, 0, 0, 0] : (tensor<1x4x4x2xf32>) -> tensor<1x3x3x2xf32>
  func.return %y : tensor<1x3x3x2xf32>
}

// -----

// A window that sees no element has neither mean nor maximum.
// CHECK: 'nn.max_pool2d' op pads [2, 0, 0, 0] leave windows [2, 2] without any input
func.func @f(%x: tensor<1x4x4x2xf32>) -> tensor<1x5x3x2xf32> {
  %y = nn.max_pool2d %x kernel [2, 2] strides [1, 1] pads [2, 0, 0, 0] : (tensor<1x4x4x2xf32>) -> tensor<1x5x3x2xf32>
  func.return %y : tensor<1x5x3x2xf32>
}

// -----

// CHECK: 'nn.max_pool2d' op input and result must have the same element type
func.func @f(%x: tensor<1x4x4x2xf32>) -> tensor<1x3x3x2xi8> {
  %y = nn.max_pool2d %x kernel [2, 2] strides [1, 1] pads [0, 0, 0, 0] : (tensor<1x4x4x2xf32>) -> tensor<1x3x3x2xi8>
  func.return %y : tensor<1x3x3x2xi8>
}

// -----

// CHECK: 'nn.add' op shapes [2, 3] and [2] do not broadcast
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2xf32>) -> tensor<2x3xf32> {
  %y = nn.add %a, %b : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// CHECK: 'nn.add' op operands must have the same element type
func.func @f(%a: tensor<3xf32>, %b: tensor<3xi8>) -> tensor<3xf32> {
  %y = nn.add %a, %b : (tensor<3xf32>, tensor<3xi8>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// CHECK: 'nn.add' op operands and result must have the same element type
func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xi8> {
  %y = nn.add %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// -----

// CHECK: 'nn.add' op needs zero_points, left_shift and rescale exactly when elements are quantised
func.func @f(%a: tensor<3xi8>, %b: tensor<3xi8>) -> tensor<3xi8> {
  %y = nn.add %a, %b zero_points [0, 0, 0] rescale <[1, 1, 1], [0, 0, 0]> clamp <-128, 127> : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// -----

// CHECK: 'nn.add' op rescale must have 3 entries, got 1
func.func @f(%a: tensor<3xi8>, %b: tensor<3xi8>) -> tensor<3xi8> {
  %y = nn.add %a, %b zero_points [0, 0, 0] left_shift 20 rescale <[1], [0]> clamp <-128, 127> : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// -----

// CHECK: 'nn.reshape' op cannot reshape [2, 3] to [5]: the numbers of elements differ
func.func @f(%x: tensor<2x3xf32>) -> tensor<5xf32> {
  %y = nn.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  func.return %y : tensor<5xf32>
}

// -----

// CHECK: 'nn.reshape' op input and result must have the same element type
func.func @f(%x: tensor<2x3xf32>) -> tensor<6xi8> {
  %y = nn.reshape %x : (tensor<2x3xf32>) -> tensor<6xi8>
  func.return %y : tensor<6xi8>
}

// -----

// CHECK: 'nn.softmax' op input must have at least one dimension
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %y = nn.softmax %x beta 1.0 : (tensor<f32>) -> tensor<f32>
  func.return %y : tensor<f32>
}

// -----

// CHECK: 'nn.softmax' op needs beta, and no more, for f32 elements
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = nn.softmax %x : (tensor<3xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// CHECK: 'nn.softmax' op needs diff_min and rescale, and no more, for i8 elements
func.func @f(%x: tensor<3xi8>) -> tensor<3xi8> {
  %y = nn.softmax %x rescale <[1], [0]> : (tensor<3xi8>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// -----

// CHECK: 'nn.softmax' op needs rescale, and no more, for i16 elements
func.func @f(%x: tensor<3xi16>) -> tensor<3xi16> {
  %y = nn.softmax %x rescale <[1], [0]> diff_min -1 : (tensor<3xi16>) -> tensor<3xi16>
  func.return %y : tensor<3xi16>
}

// -----

// CHECK: 'nn.l2_pool2d' op elements must be floats
func.func @f(%x: tensor<1x5x6x3xi8>) -> tensor<1x5x6x3xi8> {
  %y = nn.l2_pool2d %x kernel [1, 1] strides [1, 1] pads [0, 0, 0, 0] clamp <-128, 127> : (tensor<1x5x6x3xi8>) -> tensor<1x5x6x3xi8>
  func.return %y : tensor<1x5x6x3xi8>
}

// -----

// CHECK: 'nn.softmax' op elements i8 and f32 do not go together
func.func @f(%x: tensor<3xi8>) -> tensor<3xf32> {
  %y = nn.softmax %x rescale <[1], [0]> diff_min -1 : (tensor<3xi8>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// CHECK: 'nn.quantize' op real side must be f32, got i8
func.func @f(%x: tensor<3xi8>) -> tensor<3xi8> {
  %y = nn.quantize %x scale 0.5 zero_point 0 : (tensor<3xi8>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// -----

// CHECK: 'nn.dequantize' op quantised side must be integers, got f32
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = nn.dequantize %x scale 0.5 zero_point 0 : (tensor<3xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// CHECK: 'nn.quantize' op scale must be positive
func.func @f(%x: tensor<3xf32>) -> tensor<3xi8> {
  %y = nn.quantize %x scale 0.0 zero_point 0 : (tensor<3xf32>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// -----

// CHECK: 'nn.quantize' op result must have shape [3], got [4]
func.func @f(%x: tensor<3xf32>) -> tensor<4xi8> {
  %y = nn.quantize %x scale 0.5 zero_point 0 : (tensor<3xf32>) -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}

// -----

// CHECK: 'nn.rescale' op zero_points must have 2 entries, got 1
func.func @f(%x: tensor<3xi8>) -> tensor<3xi8> {
  %y = nn.rescale %x zero_points [0] rescale <[1], [0]> clamp <-128, 127> : (tensor<3xi8>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// -----

// CHECK: 'nn.rescale' op elements must be integers, got f32
func.func @f(%x: tensor<3xi8>) -> tensor<3xf32> {
  %y = nn.rescale %x zero_points [0, 0] rescale <[1], [0]> clamp <-128, 127> : (tensor<3xi8>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// -----

// The generic form can pair a value with a result of another type.
// CHECK: 'nn.constant' op value of type tensor<2xi8> for result tensor<3xi8>
%c = "nn.constant"() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<3xi8>
