// RUN: xdsl-opt %s | xdsl-opt | filecheck %s
// RUN: xdsl-opt %s --print-op-generic | xdsl-opt | filecheck %s

// CHECK-LABEL: func.func @tensors
func.func @tensors(%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  // CHECK-NEXT: external.operator "my_relu" "relu" ["input", "output"] {limit = 6 : i32}(%x) : (tensor<4xi8>) -> tensor<4xi8>
  %y = external.operator "my_relu" "relu" ["input", "output"] {limit = 6 : i32}(%x) : (tensor<4xi8>) -> tensor<4xi8>
  // CHECK-NEXT: external.operator "my_sort" "sort" ["a", "b"] {}(%y) scratch 64 : i64 align 32 : i64 pools ["sram"] device "npu" asynchronous : (tensor<4xi8>) -> tensor<4xi8>
  %z = external.operator "my_sort" "sort" ["a", "b"] {}(%y) scratch 64 : i64 align 32 : i64 pools ["sram"] device "npu" asynchronous : (tensor<4xi8>) -> tensor<4xi8>
  func.return %y, %z : tensor<4xi8>, tensor<4xi8>
}

// CHECK-LABEL: func.func @buffers
func.func @buffers(%x: memref<4xi8>, %y: memref<4xi8>, %s: memref<64xi8>, %run: !external.run) {
  // CHECK-NEXT: external.activate "npu" by "npu_activate", %run
  external.activate "npu" by "npu_activate", %run
  // CHECK-NEXT: "external.call"(%x, %y) <{
  "external.call"(%x, %y) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> ()
  // CHECK-NEXT: [[TOKEN:%.*]] = "external.launch"(%x, %y, %s) <{
  %t = "external.launch"(%x, %y, %s) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, scratch_bytes = 64 : i64, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (memref<4xi8>, memref<4xi8>, memref<64xi8>) -> !external.token
  // CHECK-NEXT: "external.wait"([[TOKEN]], %x, %y, %s) <{
  "external.wait"(%t, %x, %y, %s) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, scratch_bytes = 64 : i64, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (!external.token, memref<4xi8>, memref<4xi8>, memref<64xi8>) -> ()
  // CHECK-NEXT: external.deactivate "npu" by "npu_deactivate", %run
  external.deactivate "npu" by "npu_deactivate", %run
  func.return
}
