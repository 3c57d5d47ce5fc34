// RUN: stillpool-opt -p lower-nn --split-input-file --verify-diagnostics %s | filecheck %s

// CHECK: 'test.op' op has no lowering to loops
func.func @unknown(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = "test.op"(%x) : (tensor<4xi8>) -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}

// -----

// CHECK: 'nn.fully_connected' op has no lowering for elements of type i16
func.func @elements(%x: tensor<1x4xi16>, %w: tensor<2x4xi8>) -> tensor<1x2xi16> {
  %y = nn.fully_connected %x, %w zero_points [0, 0, 0] rescale <[1073741824], [0]> clamp <-9, 9> : (tensor<1x4xi16>, tensor<2x4xi8>) -> tensor<1x2xi16>
  func.return %y : tensor<1x2xi16>
}

// -----

// Functions that do not compute with tensors stay.

// CHECK:      func.func @scalars(%x: i32) -> i32 {
// CHECK-NEXT:   func.return %x : i32
func.func @scalars(%x: i32) -> i32 {
  func.return %x : i32
}
