// RUN: stillpool-opt -p 'nn-split-bands{columns="0-1:2"}' --split-input-file %s | filecheck %s

// Each half takes what its windows reach of the operand, once with the pad of the left edge, once with that of the right.

// CHECK-LABEL: @windows
// CHECK:         %[[L:.*]] = nn.slice %a begin [0, 0, 0, 0] step [1, 1, 1, 1] {nn.band = {{[01]}} : i64} : (tensor<1x2x8x1xf32>) -> tensor<1x2x6x1xf32>
// CHECK-NEXT:    %[[LP:.*]] = nn.max_pool2d %[[L]] kernel [1, 3] strides [1, 1] pads [0, 0, 1, 0] {nn.band = {{[01]}} : i64} : (tensor<1x2x6x1xf32>) -> tensor<1x2x5x1xf32>
// CHECK-NEXT:    %[[LQ:.*]] = nn.max_pool2d %[[LP]] kernel [1, 3] strides [1, 1] pads [0, 0, 1, 0] {nn.band = {{[01]}} : i64} : (tensor<1x2x5x1xf32>) -> tensor<1x2x4x1xf32>
// CHECK-NEXT:    %[[R:.*]] = nn.slice %a begin [0, 0, 2, 0] step [1, 1, 1, 1] {nn.band = {{[01]}} : i64} : (tensor<1x2x8x1xf32>) -> tensor<1x2x6x1xf32>
// CHECK-NEXT:    %[[RP:.*]] = nn.max_pool2d %[[R]] kernel [1, 3] strides [1, 1] pads [0, 0, 0, 1] {nn.band = {{[01]}} : i64} : (tensor<1x2x6x1xf32>) -> tensor<1x2x5x1xf32>
// CHECK-NEXT:    %[[RQ:.*]] = nn.max_pool2d %[[RP]] kernel [1, 3] strides [1, 1] pads [0, 0, 0, 1] {nn.band = {{[01]}} : i64} : (tensor<1x2x5x1xf32>) -> tensor<1x2x4x1xf32>
// CHECK-NEXT:    %[[W:.*]] = nn.concat %[[LQ]], %[[RQ]] axis 2 : (tensor<1x2x4x1xf32>, tensor<1x2x4x1xf32>) -> tensor<1x2x8x1xf32>
// CHECK-NEXT:    func.return %[[W]] : tensor<1x2x8x1xf32>
func.func @windows(%a: tensor<1x2x8x1xf32>) -> tensor<1x2x8x1xf32> {
  %p = nn.max_pool2d %a kernel [1, 3] strides [1, 1] pads [0, 0, 1, 1] : (tensor<1x2x8x1xf32>) -> tensor<1x2x8x1xf32>
  %q = nn.max_pool2d %p kernel [1, 3] strides [1, 1] pads [0, 0, 1, 1] : (tensor<1x2x8x1xf32>) -> tensor<1x2x8x1xf32>
  func.return %q : tensor<1x2x8x1xf32>
}

// -----

// A sum with what came before takes the columns of the sum alone.

// CHECK-LABEL: @residual
// CHECK:         %[[L:.*]] = nn.slice %a begin [0, 0, 0, 0] step [1, 1, 1, 1] {nn.band = {{[01]}} : i64} : (tensor<1x2x6x1xf32>) -> tensor<1x2x4x1xf32>
// CHECK-NEXT:    %[[LP:.*]] = nn.max_pool2d %[[L]] kernel [1, 3] strides [1, 1] pads [0, 0, 1, 0] {nn.band = {{[01]}} : i64} : (tensor<1x2x4x1xf32>) -> tensor<1x2x3x1xf32>
// CHECK-NEXT:    %[[LA:.*]] = nn.slice %a begin [0, 0, 0, 0] step [1, 1, 1, 1] {nn.band = {{[01]}} : i64} : (tensor<1x2x6x1xf32>) -> tensor<1x2x3x1xf32>
// CHECK-NEXT:    nn.binary maximum %[[LA]], %[[LP]]
func.func @residual(%a: tensor<1x2x6x1xf32>) -> tensor<1x2x6x1xf32> {
  %p = nn.max_pool2d %a kernel [1, 3] strides [1, 1] pads [0, 0, 1, 1] : (tensor<1x2x6x1xf32>) -> tensor<1x2x6x1xf32>
  %s = nn.binary maximum %a, %p : (tensor<1x2x6x1xf32>, tensor<1x2x6x1xf32>) -> tensor<1x2x6x1xf32>
  func.return %s : tensor<1x2x6x1xf32>
}
