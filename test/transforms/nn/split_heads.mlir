// RUN: stillpool-opt -p nn-split-heads --split-input-file %s | filecheck %s

// Two heads go through a softmax, a change of shape and one to reals, each by itself.

// CHECK-LABEL: @heads
// CHECK-NEXT:    %{{.*}} = nn.softmax %a rescale <[1073741824], [23]> diff_min -31 : (tensor<1x6x2xi8>) -> tensor<1x6x2xi8>
// CHECK-NEXT:    %{{.*}} = nn.softmax %b rescale <[1073741824], [23]> diff_min -31 : (tensor<1x2x2xi8>) -> tensor<1x2x2xi8>
// CHECK-NEXT:    %[[A:.*]] = nn.reshape %{{.*}} : (tensor<1x6x2xi8>) -> tensor<3x4xi8>
// CHECK-NEXT:    %[[B:.*]] = nn.reshape %{{.*}} : (tensor<1x2x2xi8>) -> tensor<1x4xi8>
// CHECK-NEXT:    %[[C:.*]] = nn.dequantize %[[A]] scale 3.906250e-03 zero_point -128 : (tensor<3x4xi8>) -> tensor<3x4xf32>
// CHECK-NEXT:    %[[D:.*]] = nn.dequantize %[[B]] scale 3.906250e-03 zero_point -128 : (tensor<1x4xi8>) -> tensor<1x4xf32>
// CHECK-NEXT:    %[[R:.*]] = nn.concat %[[C]], %[[D]] axis 0 : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    func.return %[[R]] : tensor<4x4xf32>
func.func @heads(%a: tensor<1x6x2xi8>, %b: tensor<1x2x2xi8>) -> tensor<4x4xf32> {
  %c = nn.concat %a, %b axis 1 : (tensor<1x6x2xi8>, tensor<1x2x2xi8>) -> tensor<1x8x2xi8>
  %s = nn.softmax %c rescale <[1073741824], [23]> diff_min -31 : (tensor<1x8x2xi8>) -> tensor<1x8x2xi8>
  %r = nn.reshape %s : (tensor<1x8x2xi8>) -> tensor<4x4xi8>
  %d = nn.dequantize %r scale 0.00390625 zero_point -128 : (tensor<4x4xi8>) -> tensor<4x4xf32>
  func.return %d : tensor<4x4xf32>
}

// -----

// What needs all of a vector stays behind pieces of vectors; so does a shape that cuts through a piece.

// CHECK-LABEL: @vectors
// CHECK-NEXT:    nn.concat
// CHECK-NEXT:    nn.softmax
// CHECK-NEXT:    nn.concat
// CHECK-NEXT:    nn.reshape
// CHECK-NEXT:    func.return
func.func @vectors(%a: tensor<1x6xf32>, %b: tensor<1x3xf32>) -> (tensor<1x9xf32>, tensor<2x9xf32>) {
  %c = nn.concat %a, %b axis 1 : (tensor<1x6xf32>, tensor<1x3xf32>) -> tensor<1x9xf32>
  %s = nn.softmax %c beta 1.0 : (tensor<1x9xf32>) -> tensor<1x9xf32>
  %e = nn.concat %a, %a, %a axis 1 : (tensor<1x6xf32>, tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x18xf32>
  %r = nn.reshape %e : (tensor<1x18xf32>) -> tensor<2x9xf32>
  func.return %s, %r : tensor<1x9xf32>, tensor<2x9xf32>
}

// -----

// What somebody else reads stays; so do pieces that lie among each other, as channels do.

// CHECK-LABEL: @stays
// CHECK-NEXT:    nn.concat
// CHECK-NEXT:    nn.dequantize
// CHECK-NEXT:    nn.concat
// CHECK-NEXT:    nn.dequantize
// CHECK-NEXT:    func.return
func.func @stays(%a: tensor<2x2xi8>, %b: tensor<2x1xi8>) -> (tensor<4x2xi8>, tensor<4x2xf32>, tensor<2x3xf32>) {
  %c = nn.concat %a, %a axis 0 : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<4x2xi8>
  %d = nn.dequantize %c scale 0.5 zero_point 0 : (tensor<4x2xi8>) -> tensor<4x2xf32>
  %e = nn.concat %a, %b axis 1 : (tensor<2x2xi8>, tensor<2x1xi8>) -> tensor<2x3xi8>
  %f = nn.dequantize %e scale 0.5 zero_point 0 : (tensor<2x3xi8>) -> tensor<2x3xf32>
  func.return %c, %d, %f : tensor<4x2xi8>, tensor<4x2xf32>, tensor<2x3xf32>
}
