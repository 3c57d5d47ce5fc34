// RUN: stillpool-opt %s -p "lower-nn,prepare-tasks{cpu=cortex-m4 optimize=size},schedule{cpu=cortex-m4}" | filecheck %s

// The first channel has no weights, and a bias whose double is no i32: all its results are -122. With a factor of an
// eighth and a bias of 48 it has the short form, as the second has.
// CHECK-DAG: initial_value = dense<[48, 100]> : tensor<2xi32>
// CHECK-DAG: initial_value = dense<1073741824> : tensor<2xi32>
// CHECK-DAG: initial_value = dense<[1, 6]> : tensor<2xi8>
// CHECK: simd.multiply_high_add
// CHECK-NOT: fx.rescale
func.func @main(%x: tensor<4x8xi8>) -> tensor<4x2xi8> {
  %w = nn.constant dense<[[0, 0, 0, 0, 0, 0, 0, 0], [1, -2, 3, 4, 5, 6, 7, 8]]> : tensor<2x8xi8>
  %b = nn.constant dense<[1073741824, 100]> : tensor<2xi32>
  %y = nn.fully_connected %x, %w, %b zero_points [-128, 0, -128] rescale <[1610612736, 1073741824], [-27, -7]> clamp <-128, 127> : (tensor<4x8xi8>, tensor<2x8xi8>, tensor<2xi32>) -> tensor<4x2xi8>
  func.return %y : tensor<4x2xi8>
}
