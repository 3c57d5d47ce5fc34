// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s --print-op-generic | stillpool-opt | filecheck %s

// CHECK-LABEL: func.func @transpose_conv2d
func.func @transpose_conv2d(%x: tensor<1x2x3x4xi16>, %w: tensor<5x3x2x4xi8>, %b: tensor<5xi64>) -> tensor<1x4x7x5xi16> {
  // CHECK-NEXT: %{{.*}} = nn.transpose_conv2d %x, %w, %b strides [2, 2] crops [1, 0, 0, -1] zero_points [0, 0, 0] rescale <[1073741824], [-7]> acc_type i64 clamp <-32768, 32767> : (tensor<1x2x3x4xi16>, tensor<5x3x2x4xi8>, tensor<5xi64>) -> tensor<1x4x7x5xi16>
  %y = nn.transpose_conv2d %x, %w, %b strides [2, 2] crops [1, 0, 0, -1] zero_points [0, 0, 0] rescale <[1073741824], [-7]> acc_type i64 clamp <-32768, 32767> : (tensor<1x2x3x4xi16>, tensor<5x3x2x4xi8>, tensor<5xi64>) -> tensor<1x4x7x5xi16>
  func.return %y : tensor<1x4x7x5xi16>
}

// CHECK-LABEL: func.func @batch_matmul
func.func @batch_matmul(%x: tensor<2x1x3x4xf32>, %w: tensor<5x6x4xf32>) -> tensor<2x5x3x6xf32> {
  // CHECK-NEXT: %{{.*}} = nn.batch_matmul %x, %w adjoint_filter : (tensor<2x1x3x4xf32>, tensor<5x6x4xf32>) -> tensor<2x5x3x6xf32>
  %y = nn.batch_matmul %x, %w adjoint_filter : (tensor<2x1x3x4xf32>, tensor<5x6x4xf32>) -> tensor<2x5x3x6xf32>
  func.return %y : tensor<2x5x3x6xf32>
}
