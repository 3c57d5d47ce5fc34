// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s --print-op-generic | stillpool-opt | filecheck %s

// Quantised operators carry zero points, fixed-point factors and a clamp; float ones at most a clamp.

// CHECK-LABEL: func.func @conv2d
func.func @conv2d(%x: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  // CHECK-NEXT: %{{.*}} = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [-128, 0, 5] rescale <[1073741824, 1518500250, 2147483647], [-7, 0, 3]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  %y = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [-128, 0, 5] rescale <[1073741824, 1518500250, 2147483647], [-7, 0, 3]> clamp <-128, 127> : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// Two groups of two input channels, no bias, strides and dilations of its own in each direction.
// CHECK-LABEL: func.func @conv2d_grouped_float
func.func @conv2d_grouped_float(%x: tensor<2x7x9x4xf32>, %w: tensor<6x3x2x2xf32>) -> tensor<2x4x3x6xf32> {
  // CHECK-NEXT: %{{.*}} = nn.conv2d %x, %w strides [2, 3] pads [1, 2, 0, 1] dilations [1, 2] : (tensor<2x7x9x4xf32>, tensor<6x3x2x2xf32>) -> tensor<2x4x3x6xf32>
  %y = nn.conv2d %x, %w strides [2, 3] pads [1, 2, 0, 1] dilations [1, 2] : (tensor<2x7x9x4xf32>, tensor<6x3x2x2xf32>) -> tensor<2x4x3x6xf32>
  func.return %y : tensor<2x4x3x6xf32>
}

// CHECK-LABEL: func.func @depthwise_conv2d
func.func @depthwise_conv2d(%x: tensor<1x5x5x2xi8>, %w: tensor<1x3x3x4xi8>, %b: tensor<4xi32>) -> tensor<1x5x5x4xi8> {
  // CHECK-NEXT: %{{.*}} = nn.depthwise_conv2d %x, %w, %b strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] zero_points [0, 0, 0] rescale <[1073741824], [-5]> clamp <0, 100> : (tensor<1x5x5x2xi8>, tensor<1x3x3x4xi8>, tensor<4xi32>) -> tensor<1x5x5x4xi8>
  %y = nn.depthwise_conv2d %x, %w, %b strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] zero_points [0, 0, 0] rescale <[1073741824], [-5]> clamp <0, 100> : (tensor<1x5x5x2xi8>, tensor<1x3x3x4xi8>, tensor<4xi32>) -> tensor<1x5x5x4xi8>
  func.return %y : tensor<1x5x5x4xi8>
}

// CHECK-LABEL: func.func @depthwise_conv2d_float
func.func @depthwise_conv2d_float(%x: tensor<1x5x5x2xf32>, %w: tensor<1x3x3x2xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
  // CHECK-NEXT: %{{.*}} = nn.depthwise_conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] clamp <0.0, inf> : (tensor<1x5x5x2xf32>, tensor<1x3x3x2xf32>, tensor<2xf32>) -> tensor<1x3x3x2xf32>
  %y = nn.depthwise_conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] clamp <0.0, inf> : (tensor<1x5x5x2xf32>, tensor<1x3x3x2xf32>, tensor<2xf32>) -> tensor<1x3x3x2xf32>
  func.return %y : tensor<1x3x3x2xf32>
}

// CHECK-LABEL: func.func @fully_connected
func.func @fully_connected(%x: tensor<2x8xi8>, %w: tensor<3x8xi8>) -> tensor<2x3xi8> {
  // CHECK-NEXT: %{{.*}} = nn.fully_connected %x, %w zero_points [1, 2, 3] rescale <[0], [0]> clamp <-128, 127> : (tensor<2x8xi8>, tensor<3x8xi8>) -> tensor<2x3xi8>
  %y = nn.fully_connected %x, %w zero_points [1, 2, 3] rescale <[0], [0]> clamp <-128, 127> : (tensor<2x8xi8>, tensor<3x8xi8>) -> tensor<2x3xi8>
  func.return %y : tensor<2x3xi8>
}

// CHECK-LABEL: func.func @fully_connected_float
func.func @fully_connected_float(%x: tensor<2x8xf32>, %w: tensor<3x8xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: %{{.*}} = nn.fully_connected %x, %w, %b clamp <ninf, 6.000000000e+00> : (tensor<2x8xf32>, tensor<3x8xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %y = nn.fully_connected %x, %w, %b clamp <ninf, 6.0> : (tensor<2x8xf32>, tensor<3x8xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @average_pool2d
func.func @average_pool2d(%x: tensor<1x5x6x3xi8>) -> tensor<1x3x3x3xi8> {
  // CHECK-NEXT: %{{.*}} = nn.average_pool2d %x kernel [2, 2] strides [2, 2] pads [0, 1, 0, 0] clamp <-128, 127> : (tensor<1x5x6x3xi8>) -> tensor<1x3x3x3xi8>
  %y = nn.average_pool2d %x kernel [2, 2] strides [2, 2] pads [0, 1, 0, 0] clamp <-128, 127> : (tensor<1x5x6x3xi8>) -> tensor<1x3x3x3xi8>
  func.return %y : tensor<1x3x3x3xi8>
}

// CHECK-LABEL: func.func @max_pool2d_float
func.func @max_pool2d_float(%x: tensor<1x5x6x3xf32>) -> tensor<1x2x3x3xf32> {
  // CHECK-NEXT: %{{.*}} = nn.max_pool2d %x kernel [2, 2] strides [2, 2] pads [0, 0, 0, 0] : (tensor<1x5x6x3xf32>) -> tensor<1x2x3x3xf32>
  %y = nn.max_pool2d %x kernel [2, 2] strides [2, 2] pads [0, 0, 0, 0] : (tensor<1x5x6x3xf32>) -> tensor<1x2x3x3xf32>
  func.return %y : tensor<1x2x3x3xf32>
}

// Three factors: of both operands and of the sum.
// CHECK-LABEL: func.func @add
func.func @add(%a: tensor<2x1x3xi8>, %b: tensor<4x1xi8>) -> tensor<2x4x3xi8> {
  // CHECK-NEXT: %{{.*}} = nn.add %a, %b zero_points [-1, 2, -3] left_shift 20 rescale <[1073741824, 1073741824, 1518500250], [0, -1, -18]> clamp <-128, 127> : (tensor<2x1x3xi8>, tensor<4x1xi8>) -> tensor<2x4x3xi8>
  %y = nn.add %a, %b zero_points [-1, 2, -3] left_shift 20 rescale <[1073741824, 1073741824, 1518500250], [0, -1, -18]> clamp <-128, 127> : (tensor<2x1x3xi8>, tensor<4x1xi8>) -> tensor<2x4x3xi8>
  func.return %y : tensor<2x4x3xi8>
}

// A scalar broadcasts to every shape.
// CHECK-LABEL: func.func @add_float
func.func @add_float(%a: tensor<2x3xf32>, %b: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: %{{.*}} = nn.add %a, %b clamp <-1.000000000e+00, 1.000000000e+00> : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %y = nn.add %a, %b clamp <-1.0, 1.0> : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @reshape
func.func @reshape(%x: tensor<2x6xi8>) -> tensor<1x3x4xi8> {
  // CHECK-NEXT: %{{.*}} = nn.reshape %x : (tensor<2x6xi8>) -> tensor<1x3x4xi8>
  %y = nn.reshape %x : (tensor<2x6xi8>) -> tensor<1x3x4xi8>
  func.return %y : tensor<1x3x4xi8>
}

// CHECK-LABEL: func.func @softmax
func.func @softmax(%x: tensor<2x10xi8>) -> tensor<2x10xi8> {
  // CHECK-NEXT: %{{.*}} = nn.softmax %x rescale <[1717986918], [22]> diff_min -496 : (tensor<2x10xi8>) -> tensor<2x10xi8>
  %y = nn.softmax %x rescale <[1717986918], [22]> diff_min -496 : (tensor<2x10xi8>) -> tensor<2x10xi8>
  func.return %y : tensor<2x10xi8>
}

// CHECK-LABEL: func.func @softmax_float
func.func @softmax_float(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {
  // CHECK-NEXT: %{{.*}} = nn.softmax %x beta 1.000000e+00 : (tensor<2x10xf32>) -> tensor<2x10xf32>
  %y = nn.softmax %x beta 1.0 : (tensor<2x10xf32>) -> tensor<2x10xf32>
  func.return %y : tensor<2x10xf32>
}

// CHECK-LABEL: func.func @quantize
func.func @quantize(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: %q = nn.quantize %x scale 5.000000e-01 zero_point -7 : (tensor<3xf32>) -> tensor<3xi8>
  %q = nn.quantize %x scale 0.5 zero_point -7 : (tensor<3xf32>) -> tensor<3xi8>
  // CHECK-NEXT: %r = nn.rescale %q zero_points [-7, 1] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<3xi8>) -> tensor<3xi8>
  %r = nn.rescale %q zero_points [-7, 1] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<3xi8>) -> tensor<3xi8>
  // CHECK-NEXT: %y = nn.dequantize %r scale 2.500000e-01 zero_point 1 : (tensor<3xi8>) -> tensor<3xf32>
  %y = nn.dequantize %r scale 0.25 zero_point 1 : (tensor<3xi8>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// CHECK-LABEL: func.func @constant
func.func @constant() -> (tensor<2x2xi8>, tensor<2xf32>) {
  // CHECK-NEXT: %{{.*}} = nn.constant {nn.name = "weights"} dense<{{\[\[}}1, -2], [3, -4]]> : tensor<2x2xi8>
  %a = nn.constant {nn.name = "weights"} dense<[[1, -2], [3, -4]]> : tensor<2x2xi8>
  // CHECK-NEXT: %{{.*}} = nn.constant dense<[1.000000e+00, -2.500000e-01]> : tensor<2xf32>
  %b = nn.constant dense<[1.0, -0.25]> : tensor<2xf32>
  func.return %a, %b : tensor<2x2xi8>, tensor<2xf32>
}

// Every operation may say which operator of the imported model it stands for.
// CHECK-LABEL: func.func @origin
func.func @origin(%x: tensor<4xi8>) -> tensor<2x2xi8> {
  // CHECK-NEXT: %{{.*}} = nn.reshape %x {nn.origin = #nn.origin<3, "RESHAPE", "model/flat \22ten\22;or">} : (tensor<4xi8>) -> tensor<2x2xi8>
  %y = nn.reshape %x {nn.origin = #nn.origin<3, "RESHAPE", "model/flat \22ten\22;or">} : (tensor<4xi8>) -> tensor<2x2xi8>
  func.return %y : tensor<2x2xi8>
}
