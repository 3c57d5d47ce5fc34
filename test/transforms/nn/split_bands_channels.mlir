// RUN: stillpool-opt -p 'nn-split-bands{channels="0-1:2"}' %s | filecheck %s
// RUN: not stillpool-opt -p 'nn-split-bands{channels="0-0:2"}' %s 2>&1 | filecheck %s --check-prefix=ALONE
// RUN: not stillpool-opt -p 'nn-split-bands{channels="0-1:5"}' %s 2>&1 | filecheck %s --check-prefix=MANY

// Two channels of a product and their means, then the other two: each with its own weights and bias. What follows of
// all channels is not changed, and constants that nothing needs go.

// CHECK-LABEL: @mean_of_product
// CHECK-NOT:     tensor<4x1x1x1xf32>
// CHECK:         %[[C:.*]] = nn.conv2d %a, {{.*}} {nn.band = 0 : i64} : (tensor<1x2x3x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT:    %[[M:.*]] = nn.mean %[[C]] axes [1, 2] {nn.band = 0 : i64} : (tensor<1x2x3x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK:         nn.constant dense<{{.*}}3.000000e+00{{.*}}4.000000e+00{{.*}}> : tensor<2x1x1x1xf32>
// CHECK:         nn.constant dense<[7.000000e+00, 8.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    %[[D:.*]] = nn.conv2d %a, {{.*}} {nn.band = 1 : i64}
// CHECK-NEXT:    %[[N:.*]] = nn.mean %[[D]] axes [1, 2] {nn.band = 1 : i64} : (tensor<1x2x3x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT:    %[[W:.*]] = nn.concat %[[M]], %[[N]] axis 3 : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT:    func.return %[[W]]

// ALONE: operators 0 to 0 cannot run in bands of channels
// MANY: there are no 5 bands of 4 channels
func.func @mean_of_product(%a: tensor<1x2x3x1xf32>) -> tensor<1x1x1x4xf32> {
  %w = nn.constant dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>
  %b = nn.constant dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %c = nn.conv2d %a, %w, %b strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x2x3x1xf32>, tensor<4x1x1x1xf32>, tensor<4xf32>) -> tensor<1x2x3x4xf32>
  %m = nn.mean %c axes [1, 2] : (tensor<1x2x3x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %m : tensor<1x1x1x4xf32>
}
