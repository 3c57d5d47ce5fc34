// RUN: stillpool-opt -p nn-ranges --split-input-file %s | filecheck %s

// Sums from -2 * 128 + 5 to 2 * 127 + 5 are halved, 1 is added. The clamp ends what saturates.

// CHECK-LABEL: @product
// CHECK: nn.fully_connected {{.*}} {nn.least = array<i64: -124, 1, -128>, nn.most = array<i64: 127, 1, 127>}
func.func @product(%x: tensor<1x1xi8>) -> tensor<1x3xi8> {
  %w = nn.constant dense<[[2], [0], [-9]]> : tensor<3x1xi8>
  %b = nn.constant dense<[5, 0, 0]> : tensor<3xi32>
  %h = nn.fully_connected %x, %w, %b zero_points [0, 0, 1] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x1xi8>, tensor<3x1xi8>, tensor<3xi32>) -> tensor<1x3xi8>
  func.return %h : tensor<1x3xi8>
}

// -----

// A tap that never lies inside adds nothing, one that may lie outside 0 or its products.

// CHECK-LABEL: @taps
// CHECK: nn.conv2d {{.*}} {nn.least = array<i64: 0>, nn.most = array<i64: 80>}
func.func @taps(%x: tensor<1x1x1x1xi8>) -> tensor<1x1x2x1xi8> {
  %c = nn.clamp %x clamp <10, 20> : (tensor<1x1x1x1xi8>) -> tensor<1x1x1x1xi8>
  %w = nn.constant dense<[[[[9], [1], [3]], [[9], [9], [9]]]]> : tensor<1x2x3x1xi8>
  %h = nn.conv2d %c, %w strides [2, 1] pads [0, 2, 2, 1] dilations [2, 1] zero_points [0, 0, 0] rescale <[1073741824], [1]> clamp <-128, 127> : (tensor<1x1x1x1xi8>, tensor<1x2x3x1xi8>) -> tensor<1x1x2x1xi8>
  func.return %h : tensor<1x1x2x1xi8>
}

// -----

// The three roundings of 10 / 4 and of -10 / 4.

// CHECK-LABEL: @roundings
// CHECK: nn.rescale {{.*}} {nn.least = array<i64: -3>, nn.most = array<i64: 3>}
// CHECK: nn.rescale {{.*}} {nn.least = array<i64: -2>, nn.most = array<i64: 3>}
// CHECK: nn.rescale {{.*}} {nn.least = array<i64: -2>, nn.most = array<i64: 2>}
func.func @roundings(%x: tensor<4x1xi8>) -> (tensor<4x1xi8>, tensor<4x1xi8>, tensor<4x1xi8>) {
  %c = nn.clamp %x clamp <-10, 10> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %a = nn.rescale %c zero_points [0, 0] rescale <[1073741824], [-1]> clamp <-128, 127> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %b = nn.rescale %c zero_points [0, 0] rescale <[1073741824], [-1], single> clamp <-128, 127> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %d = nn.rescale %c zero_points [0, 0] rescale <[1073741824], [-1], real> clamp <-128, 127> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  func.return %a, %b, %d : tensor<4x1xi8>, tensor<4x1xi8>, tensor<4x1xi8>
}

// -----

// A left shift that leaves int32 wraps: nothing but the clamp is known.

// CHECK-LABEL: @wraps
// CHECK: nn.fully_connected {{.*}} {nn.least = array<i64: -100, 3>, nn.most = array<i64: 100, 3>}
func.func @wraps(%x: tensor<1x1xi8>) -> tensor<1x2xi8> {
  %w = nn.constant dense<[[127], [0]]> : tensor<2x1xi8>
  %b = nn.constant dense<[0, 3]> : tensor<2xi32>
  %h = nn.fully_connected %x, %w, %b zero_points [0, 0, 0] rescale <[1073741824, 1073741824], [20, 1]> clamp <-100, 100> : (tensor<1x1xi8>, tensor<2x1xi8>, tensor<2xi32>) -> tensor<1x2xi8>
  func.return %h : tensor<1x2xi8>
}

// -----

// Margins, parts and other shapes move ranges along.

// CHECK-LABEL: @moved
// CHECK: nn.pad {{.*}} {nn.least = array<i64: 0, -7, 0>, nn.most = array<i64: 20, 0, 0>}
// CHECK: nn.reshape {{.*}} {nn.least = array<i64: 0, -7, 0, 0, -7, 0>, nn.most = array<i64: 20, 0, 0, 20, 0, 0>}
// CHECK: nn.split {{.*}} {nn.least = array<i64: 0, -7, 0, 0, -7, 0>, nn.most = array<i64: 20, 0, 0, 20, 0, 0>}
func.func @moved(%x: tensor<1x1xi8>) -> (tensor<1x2xi8>, tensor<1x4xi8>) {
  %a = nn.clamp %x clamp <10, 20> : (tensor<1x1xi8>) -> tensor<1x1xi8>
  %b = nn.clamp %x clamp <-7, -5> : (tensor<1x1xi8>) -> tensor<1x1xi8>
  %c = nn.concat %a, %b axis 1 : (tensor<1x1xi8>, tensor<1x1xi8>) -> tensor<1x2xi8>
  %p = nn.pad %c before [1, 0] after [0, 1] value 0 : i8 : (tensor<1x2xi8>) -> tensor<2x3xi8>
  %r = nn.reshape %p : (tensor<2x3xi8>) -> tensor<1x6xi8>
  %s, %t = nn.split %r axis 1 : (tensor<1x6xi8>) -> (tensor<1x2xi8>, tensor<1x4xi8>)
  func.return %s, %t : tensor<1x2xi8>, tensor<1x4xi8>
}

// -----

// Tensors without dimensions have one channel.

// CHECK-LABEL: @scalars
// CHECK: nn.reduce_sum {{.*}} {nn.least = array<i64: -2147483648>, nn.most = array<i64: 2147483647>}
// CHECK: nn.add {{.*}} {nn.least = array<i64: -2147483648>, nn.most = array<i64: 2147483647>}
// CHECK: nn.reshape {{.*}} {nn.least = array<i64: -2147483648>, nn.most = array<i64: 2147483647>}
func.func @scalars(%x: tensor<i32>) -> tensor<1xi32> {
  %s = nn.reduce_sum %x axes [] : (tensor<i32>) -> tensor<i32>
  %a = nn.add %s, %x : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %r = nn.reshape %a : (tensor<i32>) -> tensor<1xi32>
  func.return %r : tensor<1xi32>
}

// -----

// Of -10 to 20: negative ones are halved by a slope, or doubled by another operand; magnitudes; the larger of two.

// CHECK-LABEL: @signs
// CHECK: nn.leaky_relu {{.*}} {nn.least = array<i64: -5>, nn.most = array<i64: 20>}
// CHECK: nn.prelu {{.*}} {nn.least = array<i64: -20>, nn.most = array<i64: 20>}
// CHECK: nn.abs {{.*}} {nn.least = array<i64: 0>, nn.most = array<i64: 20>}
// CHECK: nn.binary maximum {{.*}} {nn.least = array<i64: 0>, nn.most = array<i64: 20>}
// CHECK: nn.binary minimum {{.*}} {nn.least = array<i64: -20>, nn.most = array<i64: 20>}
// CHECK: nn.squared_difference {{.*}} {nn.least = array<i64: 0>, nn.most = array<i64: 100>}
func.func @signs(%x: tensor<4x1xi8>) -> tensor<4x1xi8> {
  %c = nn.clamp %x clamp <-10, 20> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %l = nn.leaky_relu %c zero_points [0, 0] rescale <[1073741824, 1073741824], [1, 0]> clamp <-128, 127> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %s = nn.constant dense<[[1], [2], [1], [0]]> : tensor<4x1xi8>
  %p = nn.prelu %c, %s zero_points [0, 0, 0] rescale <[1073741824, 1073741824], [1, 1]> clamp <-128, 127> : (tensor<4x1xi8>, tensor<4x1xi8>) -> tensor<4x1xi8>
  %a = nn.abs %c zero_points [0, 0] rescale <[1073741824], [1]> clamp <-128, 127> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %m = nn.binary maximum %a, %p : (tensor<4x1xi8>, tensor<4x1xi8>) -> tensor<4x1xi8>
  %n = nn.binary minimum %m, %p : (tensor<4x1xi8>, tensor<4x1xi8>) -> tensor<4x1xi8>
  %z = nn.constant dense<10> : tensor<4x1xi8>
  %q = nn.squared_difference %m, %z zero_points [0, 0, 0] left_shift 0 rescale <[1073741824, 1073741824, 1073741824], [1, 1, 1]> clamp <-128, 127> : (tensor<4x1xi8>, tensor<4x1xi8>) -> tensor<4x1xi8>
  func.return %q : tensor<4x1xi8>
}

// -----

// What is chosen or converted keeps its range; zeros are the zero point.

// CHECK-LABEL: @choices
// CHECK: nn.cast {{.*}} {nn.least = array<i64: -10>, nn.most = array<i64: 20>}
// CHECK: nn.resize_bilinear {{.*}} {nn.least = array<i64: -10>, nn.most = array<i64: 20>}
// CHECK: nn.reduce_max {{.*}} {nn.least = array<i64: -10>, nn.most = array<i64: 20>}
// CHECK: nn.dequantize
// CHECK: nn.quantize {{.*}} {nn.least = array<i64: 3>, nn.most = array<i64: 3>}
func.func @choices(%x: tensor<1x2x2x1xi8>) -> (tensor<1x1x1x1xi16>, tensor<1x2x2x1xi8>) {
  %c = nn.clamp %x clamp <-10, 20> : (tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi8>
  %w = nn.cast %c : (tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi16>
  %r = nn.resize_bilinear %w half_pixel_centers : (tensor<1x2x2x1xi16>) -> tensor<1x4x4x1xi16>
  %m = nn.reduce_max %r axes [1, 2] : (tensor<1x4x4x1xi16>) -> tensor<1x1x1x1xi16>
  %z = nn.clamp %x clamp <5, 5> : (tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi8>
  %d = nn.dequantize %z scale 0.5 zero_point 5 : (tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xf32>
  %q = nn.quantize %d scale 0.25 zero_point 3 : (tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xi8>
  func.return %m, %q : tensor<1x1x1x1xi16>, tensor<1x2x2x1xi8>
}

// Of billions of channels none is looked at.
// CHECK-LABEL: @wide
// CHECK: %y = nn.clamp %x clamp <0, 9> : (tensor<2147483647xi8>) -> tensor<2147483647xi8>
func.func @wide(%x: tensor<2147483647xi8>) -> tensor<2147483647xi8> {
  %y = nn.clamp %x clamp <0, 9> : (tensor<2147483647xi8>) -> tensor<2147483647xi8>
  func.return %y : tensor<2147483647xi8>
}
