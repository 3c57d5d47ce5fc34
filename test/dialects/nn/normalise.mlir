// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s --print-op-generic | stillpool-opt | filecheck %s

// CHECK-LABEL: func.func @log_softmax
func.func @log_softmax(%x: tensor<2x10xi8>, %f: tensor<3xf32>) -> (tensor<2x10xi8>, tensor<3xf32>) {
  // CHECK-NEXT: %{{.*}} = nn.log_softmax %x rescale <[1717986918, 1342177280], [22, -21]> diff_min -496 : (tensor<2x10xi8>) -> tensor<2x10xi8>
  %y = nn.log_softmax %x rescale <[1717986918, 1342177280], [22, -21]> diff_min -496 : (tensor<2x10xi8>) -> tensor<2x10xi8>
  // CHECK-NEXT: %{{.*}} = nn.log_softmax %f : (tensor<3xf32>) -> tensor<3xf32>
  %g = nn.log_softmax %f : (tensor<3xf32>) -> tensor<3xf32>
  func.return %y, %g : tensor<2x10xi8>, tensor<3xf32>
}

// CHECK-LABEL: func.func @l2_normalize
func.func @l2_normalize(%x: tensor<2x10xui8>, %f: tensor<3xf32>) -> (tensor<2x10xui8>, tensor<3xf32>) {
  // CHECK-NEXT: %{{.*}} = nn.l2_normalize %x zero_point 127 : (tensor<2x10xui8>) -> tensor<2x10xui8>
  %y = nn.l2_normalize %x zero_point 127 : (tensor<2x10xui8>) -> tensor<2x10xui8>
  // CHECK-NEXT: %{{.*}} = nn.l2_normalize %f : (tensor<3xf32>) -> tensor<3xf32>
  %g = nn.l2_normalize %f : (tensor<3xf32>) -> tensor<3xf32>
  func.return %y, %g : tensor<2x10xui8>, tensor<3xf32>
}
