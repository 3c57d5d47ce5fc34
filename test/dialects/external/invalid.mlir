// RUN: xdsl-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @name(%x: tensor<4xi8>) {
  // CHECK: 'external.operator' op 'my relu' is no name in C
  %y = external.operator "my relu" "relu" ["input", "output"] {}(%x) : (tensor<4xi8>) -> tensor<4xi8>
  func.return
}

// -----

func.func @names(%x: tensor<4xi8>) {
  // CHECK: 'external.operator' op has 2 tensors and 1 names for them
  %y = external.operator "f" "relu" ["input"] {}(%x) : (tensor<4xi8>) -> tensor<4xi8>
  func.return
}

// -----

func.func @parameter(%x: tensor<4xi8>) {
  // CHECK: 'external.operator' op parameter 'limit' is 6 : i64, which C functions are not told
  %y = external.operator "f" "relu" ["input", "output"] {limit = 6 : i64}(%x) : (tensor<4xi8>) -> tensor<4xi8>
  func.return
}

// -----

func.func @alignment(%x: tensor<4xi8>) {
  // CHECK: 'external.operator' op alignment 24 is no power of two
  %y = external.operator "f" "relu" ["input", "output"] {}(%x) align 24 : i64 : (tensor<4xi8>) -> tensor<4xi8>
  func.return
}

// -----

func.func @scratch(%x: memref<4xi8>, %y: memref<4xi8>) {
  // CHECK: 'external.call' op has scratch, or asks for it, but not both
  "external.call"(%x, %y) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, scratch_bytes = 64 : i64, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}

// -----

func.func @no_wait(%x: memref<4xi8>, %y: memref<4xi8>) {
  // CHECK: 'external.launch' op must be waited for once, in the block that it stands in
  %t = "external.launch"(%x, %y) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> !external.token
  func.return
}

// -----

func.func @other_buffers(%x: memref<4xi8>, %y: memref<4xi8>) {
  %t = "external.launch"(%x, %y) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> !external.token
  // CHECK: 'external.wait' op must be given what its launch is given
  "external.wait"(%t, %y, %y) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!external.token, memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
