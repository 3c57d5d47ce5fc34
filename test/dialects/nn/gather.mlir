// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%x: tensor<2x3x4xi8>, %i: tensor<2x5xi32>, %n: tensor<5x2xi64>, %b: tensor<3x1xi1>) {
  %g = nn.gather %x, %i axis 2 batch_dims 1 : (tensor<2x3x4xi8>, tensor<2x5xi32>) -> tensor<2x3x5xi8>
  %d = nn.gather_nd %x, %n : (tensor<2x3x4xi8>, tensor<5x2xi64>) -> tensor<5x4xi8>
  %s = nn.select %b, %x, %x : (tensor<3x1xi1>, tensor<2x3x4xi8>, tensor<2x3x4xi8>) -> tensor<2x3x4xi8>
  func.return
}
// CHECK: nn.gather %x, %i axis 2 batch_dims 1
// CHECK: nn.gather_nd %x, %n
// CHECK: nn.select %b, %x, %x

// -----

// CHECK: 'nn.gather' op 1 batch dimensions do not fit shapes [2, 3] and [3, 5]
func.func @f(%x: tensor<2x3xi8>, %i: tensor<3x5xi32>) {
  %g = nn.gather %x, %i axis 1 batch_dims 1 : (tensor<2x3xi8>, tensor<3x5xi32>) -> tensor<2x5xi8>
  func.return
}

// -----

// CHECK: 'nn.gather' op indices must be i32 or i64, got i8
func.func @f(%x: tensor<2x3xi8>, %i: tensor<5xi8>) {
  %g = nn.gather %x, %i axis 1 batch_dims 0 : (tensor<2x3xi8>, tensor<5xi8>) -> tensor<2x5xi8>
  func.return
}

// -----

// CHECK: 'nn.gather_nd' op indices of shape [5, 3] do not fit [2, 3]
func.func @f(%x: tensor<2x3xi8>, %i: tensor<5x3xi32>) {
  %g = nn.gather_nd %x, %i : (tensor<2x3xi8>, tensor<5x3xi32>) -> tensor<5xi8>
  func.return
}

// -----

// CHECK: 'nn.select' op condition must be i1, got i8
func.func @f(%x: tensor<2x3xi8>) {
  %g = nn.select %x, %x, %x : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x3xi8>
  func.return
}
