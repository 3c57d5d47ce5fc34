// RUN: stillpool-opt -p 'nn-split-bands{columns="0-0:2+1-1:4"}' %s | filecheck %s

// The second half of the first part is computed when the second part needs it, and is used up in its last band.

// CHECK:      %[[L:.*]] = nn.max_pool2d %{{.*}} pads [0, 0, 1, 0] {nn.band = 1 : i64} : (tensor<1x2x5x1xf32>) -> tensor<1x2x4x1xf32>
// CHECK-NEXT: %[[A:.*]] = nn.slice %[[L]] begin [0, 0, 0, 0]
// CHECK-NEXT: %[[P:.*]] = nn.max_pool2d %[[A]] {{.*}} pads [0, 0, 1, 0] {nn.band = 0 : i64} : (tensor<1x2x3x1xf32>) -> tensor<1x2x2x1xf32>
// CHECK:      %[[R:.*]] = nn.max_pool2d %{{.*}} pads [0, 0, 0, 1] {nn.band = 3 : i64} : (tensor<1x2x5x1xf32>) -> tensor<1x2x4x1xf32>
// CHECK-NEXT: %[[B:.*]] = nn.slice %[[L]] begin [0, 0, 1, 0]
// CHECK-NEXT: %[[C:.*]] = nn.slice %[[R]] begin [0, 0, 0, 0]
// CHECK-NEXT: %[[D:.*]] = nn.concat %[[B]], %[[C]] axis 2 {nn.band = 2 : i64} : (tensor<1x2x3x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x1xf32>
// CHECK-NEXT: %[[Q:.*]] = nn.max_pool2d %[[D]] {{.*}} pads [0, 0, 0, 0] {nn.band = 2 : i64} : (tensor<1x2x4x1xf32>) -> tensor<1x2x2x1xf32>
// CHECK:      nn.concat %[[P]], %[[Q]], %{{.*}}, %{{.*}} axis 2
func.func @chain(%a: tensor<1x2x8x1xf32>) -> tensor<1x2x8x1xf32> {
  %p = nn.max_pool2d %a kernel [1, 3] strides [1, 1] pads [0, 0, 1, 1] : (tensor<1x2x8x1xf32>) -> tensor<1x2x8x1xf32>
  %q = nn.max_pool2d %p kernel [1, 3] strides [1, 1] pads [0, 0, 1, 1] : (tensor<1x2x8x1xf32>) -> tensor<1x2x8x1xf32>
  func.return %q : tensor<1x2x8x1xf32>
}
