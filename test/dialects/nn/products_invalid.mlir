// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: 'nn.transpose_conv2d' op filter has depth 3, the input 4
func.func @f(%x: tensor<1x2x3x4xf32>, %w: tensor<5x3x2x3xf32>) -> tensor<1x5x6x5xf32> {
  %y = nn.transpose_conv2d %x, %w strides [2, 2] crops [0, 0, 0, 0] : (tensor<1x2x3x4xf32>, tensor<5x3x2x3xf32>) -> tensor<1x5x6x5xf32>
  func.return %y : tensor<1x5x6x5xf32>
}

// -----

// CHECK: 'nn.transpose_conv2d' op extents and strides must be at least 1, crops at the top and left at least 0
func.func @f(%x: tensor<1x2x3x4xf32>, %w: tensor<5x3x2x4xf32>) -> tensor<1x5x6x5xf32> {
  %y = nn.transpose_conv2d %x, %w strides [2, 2] crops [-1, 0, 0, 0] : (tensor<1x2x3x4xf32>, tensor<5x3x2x4xf32>) -> tensor<1x5x6x5xf32>
  func.return %y : tensor<1x5x6x5xf32>
}

// -----

// CHECK: 'nn.transpose_conv2d' op crops [3, 2, 0, 0] leave nothing
func.func @f(%x: tensor<1x2x3x4xf32>, %w: tensor<5x3x2x4xf32>) -> tensor<1x0x6x5xf32> {
  %y = nn.transpose_conv2d %x, %w strides [2, 2] crops [3, 2, 0, 0] : (tensor<1x2x3x4xf32>, tensor<5x3x2x4xf32>) -> tensor<1x0x6x5xf32>
  func.return %y : tensor<1x0x6x5xf32>
}

// -----

// CHECK: 'nn.batch_matmul' op leading extents [2] and [3] do not broadcast
func.func @f(%x: tensor<2x3x4xf32>, %w: tensor<3x4x6xf32>) -> tensor<2x3x6xf32> {
  %y = nn.batch_matmul %x, %w : (tensor<2x3x4xf32>, tensor<3x4x6xf32>) -> tensor<2x3x6xf32>
  func.return %y : tensor<2x3x6xf32>
}

// -----

// CHECK: 'nn.batch_matmul' op filter has depth 6, the input 4
func.func @f(%x: tensor<3x4xf32>, %w: tensor<4x6xf32>) -> tensor<3x4xf32> {
  %y = nn.batch_matmul %x, %w adjoint_filter : (tensor<3x4xf32>, tensor<4x6xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}

// -----

// CHECK: 'nn.batch_matmul' op filter must be at least a matrix, got shape [4]
func.func @f(%x: tensor<3x4xf32>, %w: tensor<4xf32>) -> tensor<3xf32> {
  %y = nn.batch_matmul %x, %w : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
