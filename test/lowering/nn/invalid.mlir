// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file --verify-diagnostics %s | filecheck %s

// CHECK: 'test.op' op has no lowering to loops
func.func @unknown(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = "test.op"(%x) : (tensor<4xi8>) -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}

// -----

// CHECK: 'nn.average_pool2d' op has no lowering for elements of type i64
func.func @elements(%x: tensor<1x4x4x1xi64>) -> tensor<1x4x4x1xi64> {
  %y = nn.average_pool2d %x kernel [1, 1] strides [1, 1] pads [0, 0, 0, 0] clamp <-9, 9> : (tensor<1x4x4x1xi64>) -> tensor<1x4x4x1xi64>
  func.return %y : tensor<1x4x4x1xi64>
}

// -----

// Functions that do not compute with tensors stay.

// CHECK:      func.func @scalars(%x: i32) -> i32 {
// CHECK-NEXT:   func.return %x : i32
func.func @scalars(%x: i32) -> i32 {
  func.return %x : i32
}
