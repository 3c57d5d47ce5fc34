// RUN: stillpool-opt -p nn-channels --split-input-file %s | filecheck %s
// RUN: stillpool-opt -p "nn-channels{multiple=4}" --split-input-file %s | filecheck %s --check-prefix=FOUR
// RUN: stillpool-opt -p "nn-channels{reasons=unused}" --split-input-file %s | filecheck %s --check-prefix=UNUSED

// Channel 1 has no weights: it is the bias, halved to 40. The bias of the second product takes 3 * 40.

// CHECK-LABEL: @constant
// CHECK-NEXT:    nn.constant {{.*}}[1, 1], [2, 2]]> : tensor<2x2xi8>
// CHECK-NEXT:    nn.constant dense<0> : tensor<2xi32>
// CHECK-NEXT:    nn.fully_connected {{.*}} {nn.macs_without = 6 : i64, nn.weights_without = 6 : i64, nn.removed = [#nn.removed<3, [1 in 40 to 40]>]} {{.*}} -> tensor<1x2xi8>
// CHECK-NEXT:    nn.constant {{.*}}[1, 2]]> : tensor<1x2xi8>
// CHECK-NEXT:    nn.constant dense<120> : tensor<1xi32>
// CHECK-NEXT:    nn.fully_connected {{.*}} -> tensor<1x1xi8>
// FOUR-LABEL: @constant
// FOUR:         nn.fully_connected {{.*}} -> tensor<1x3xi8>
// UNUSED-LABEL: @constant
// UNUSED:         nn.fully_connected {{.*}} -> tensor<1x3xi8>
func.func @constant(%x: tensor<1x2xi8>) -> tensor<1x1xi8> {
  %w = nn.constant dense<[[1, 1], [0, 0], [2, 2]]> : tensor<3x2xi8>
  %b = nn.constant dense<[0, 80, 0]> : tensor<3xi32>
  %h = nn.fully_connected %x, %w, %b zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x2xi8>, tensor<3x2xi8>, tensor<3xi32>) -> tensor<1x3xi8>
  %v = nn.constant dense<[[1, 3, 2]]> : tensor<1x3xi8>
  %r = nn.fully_connected %h, %v zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x3xi8>, tensor<1x3xi8>) -> tensor<1x1xi8>
  func.return %r : tensor<1x1xi8>
}

// -----

// Saturated: at least 500 from the bias, at most 127 after the clamp.

// CHECK-LABEL: @saturated
// CHECK:         nn.fully_connected {{.*}} -> tensor<1x1xi8>
// CHECK:         nn.constant dense<-254> : tensor<1xi32>
func.func @saturated(%x: tensor<1x1xi8>) -> tensor<1x1xi8> {
  %w = nn.constant dense<[[1], [1]]> : tensor<2x1xi8>
  %b = nn.constant dense<[0, 628]> : tensor<2xi32>
  %h = nn.fully_connected %x, %w, %b zero_points [0, 0, 0] rescale <[1073741824], [1]> clamp <-128, 127> : (tensor<1x1xi8>, tensor<2x1xi8>, tensor<2xi32>) -> tensor<1x2xi8>
  %v = nn.constant dense<[[1, -2]]> : tensor<1x2xi8>
  %r = nn.fully_connected %h, %v zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x2xi8>, tensor<1x2xi8>) -> tensor<1x1xi8>
  func.return %r : tensor<1x1xi8>
}

// -----

// Under padding a channel of 7 is not what lies outside; one of the zero point is, and goes. The depthwise operator
// loses the channel with it.

// CHECK-LABEL: @padded
// CHECK:         nn.conv2d {{.*}} -> tensor<1x4x4x2xi8>
// CHECK:         nn.depthwise_conv2d {{.*}} -> tensor<1x4x4x2xi8>
// CHECK:         nn.conv2d {{.*}} -> tensor<1x4x4x1xi8>
// FOUR-LABEL: @padded
// FOUR:         nn.conv2d {{.*}} -> tensor<1x4x4x3xi8>
// UNUSED-LABEL: @padded
// UNUSED:         nn.conv2d {{.*}} -> tensor<1x4x4x3xi8>
func.func @padded(%x: tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi8> {
  %w = nn.constant dense<[[[[1]]], [[[0]]], [[[0]]]]> : tensor<3x1x1x1xi8>
  %b = nn.constant dense<[0, 7, 3]> : tensor<3xi32>
  %h = nn.conv2d %x, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[1073741824], [1]> clamp <-128, 127> : (tensor<1x4x4x1xi8>, tensor<3x1x1x1xi8>, tensor<3xi32>) -> tensor<1x4x4x3xi8>
  %d = nn.constant dense<[[[[1, 1, 1], [2, 2, 0]]]]> : tensor<1x1x2x3xi8>
  %g = nn.depthwise_conv2d %h, %d strides [1, 1] pads [0, 0, 0, 1] dilations [1, 1] zero_points [0, 0, 3] rescale <[1073741824], [1]> clamp <-128, 127> : (tensor<1x4x4x3xi8>, tensor<1x1x2x3xi8>) -> tensor<1x4x4x3xi8>
  %v = nn.constant dense<[[[[1, 2, 3], [4, 5, 6]]]]> : tensor<1x1x2x3xi8>
  %r = nn.conv2d %g, %v strides [1, 1] pads [0, 0, 0, 1] dilations [1, 1] zero_points [6, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x4x4x3xi8>, tensor<1x1x2x3xi8>) -> tensor<1x4x4x1xi8>
  func.return %r : tensor<1x4x4x1xi8>
}

// -----

// Nobody reads channel 0 of the concatenation, nor what the slice leaves out.

// CHECK-LABEL: @unused
// CHECK:         nn.fully_connected {{.*}} -> tensor<1x1xi8>
// CHECK:         nn.concat {{.*}} -> tensor<1x2xi8>
// CHECK:         nn.slice {{.*}} begin [0, 1] {{.*}} -> tensor<1x1xi8>
// UNUSED-LABEL: @unused
// UNUSED:         nn.concat {{.*}} -> tensor<1x2xi8>
func.func @unused(%x: tensor<1x1xi8>) -> tensor<1x1xi8> {
  %w = nn.constant dense<[[1], [2]]> : tensor<2x1xi8>
  %h = nn.fully_connected %x, %w zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x1xi8>, tensor<2x1xi8>) -> tensor<1x2xi8>
  %k = nn.concat %h, %x axis 1 : (tensor<1x2xi8>, tensor<1x1xi8>) -> tensor<1x3xi8>
  %s = nn.slice %k begin [0, 1] step [1, 1] : (tensor<1x3xi8>) -> tensor<1x2xi8>
  %v = nn.constant dense<[[0, 3]]> : tensor<1x2xi8>
  %r = nn.fully_connected %s, %v zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x2xi8>, tensor<1x2xi8>) -> tensor<1x1xi8>
  func.return %r : tensor<1x1xi8>
}

// -----

// Channels 0 and 2 are twins: one stays where the sum of their weights fits int8.

// CHECK-LABEL: @twins
// CHECK:         nn.fully_connected {{.*}} nn.removed = [#nn.removed<3, [2 in -64 to 64 as 0]>]} {{.*}} -> tensor<1x2xi8>
// CHECK:         nn.constant {{.*}}[104, 20]]> : tensor<1x2xi8>
// UNUSED-LABEL: @twins
// UNUSED:         nn.fully_connected {{.*}} -> tensor<1x3xi8>
func.func @twins(%x: tensor<1x1xi8>) -> tensor<1x1xi8> {
  %w = nn.constant dense<[[1], [2], [1]]> : tensor<3x1xi8>
  %h = nn.fully_connected %x, %w zero_points [0, 0, 0] rescale <[1073741824, 1073741824, 1073741824], [0, 0, 0]> clamp <-128, 127> : (tensor<1x1xi8>, tensor<3x1xi8>) -> tensor<1x3xi8>
  %v = nn.constant dense<[[100, 20, 4]]> : tensor<1x3xi8>
  %r = nn.fully_connected %h, %v zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x3xi8>, tensor<1x3xi8>) -> tensor<1x1xi8>
  func.return %r : tensor<1x1xi8>
}

// -----

// CHECK-LABEL: @twins_that_do_not_fit
// CHECK:         nn.fully_connected {{.*}} -> tensor<1x3xi8>
func.func @twins_that_do_not_fit(%x: tensor<1x1xi8>) -> tensor<1x1xi8> {
  %w = nn.constant dense<[[1], [2], [1]]> : tensor<3x1xi8>
  %h = nn.fully_connected %x, %w zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x1xi8>, tensor<3x1xi8>) -> tensor<1x3xi8>
  %v = nn.constant dense<[[100, 20, 40]]> : tensor<1x3xi8>
  %r = nn.fully_connected %h, %v zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x3xi8>, tensor<1x3xi8>) -> tensor<1x1xi8>
  func.return %r : tensor<1x1xi8>
}

// -----

// A sum needs both of a channel while one of them changes; what is returned stays whole.

// CHECK-LABEL: @tied
// CHECK:         nn.fully_connected {{.*}} -> tensor<1x3xi8>
// CHECK:         nn.fully_connected {{.*}} -> tensor<1x3xi8>
// CHECK:         nn.fully_connected {{.*}} -> tensor<1x4xi8>
func.func @tied(%x: tensor<1x1xi8>) -> (tensor<1x1xi8>, tensor<1x4xi8>) {
  %w = nn.constant dense<[[0], [2], [1], [0]]> : tensor<4x1xi8>
  %a = nn.fully_connected %x, %w zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x1xi8>, tensor<4x1xi8>) -> tensor<1x4xi8>
  %u = nn.constant dense<[[0], [0], [1], [2]]> : tensor<4x1xi8>
  %b = nn.fully_connected %x, %u zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x1xi8>, tensor<4x1xi8>) -> tensor<1x4xi8>
  %s = nn.add %a, %b zero_points [0, 0, 0] left_shift 20 rescale <[1073741824, 1073741824, 1073741824], [0, 0, -19]> clamp <-128, 127> : (tensor<1x4xi8>, tensor<1x4xi8>) -> tensor<1x4xi8>
  %v = nn.constant dense<[[1, 2, 3, 4]]> : tensor<1x4xi8>
  %r = nn.fully_connected %s, %v zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-128, 127> : (tensor<1x4xi8>, tensor<1x4xi8>) -> tensor<1x1xi8>
  %c = nn.fully_connected %x, %w zero_points [0, 0, 0] rescale <[1073741824], [1]> clamp <-128, 127> : (tensor<1x1xi8>, tensor<4x1xi8>) -> tensor<1x4xi8>
  func.return %r, %c : tensor<1x1xi8>, tensor<1x4xi8>
}
