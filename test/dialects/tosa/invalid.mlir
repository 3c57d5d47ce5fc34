// RUN: xdsl-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%x: tensor<1x8xi8>) {
  %a = tosa.argmax %x {axis = 1 : i32, nan_mode = SOMETIMES} : (tensor<1x8xi8>) -> tensor<1xi32>
// CHECK: nan_mode must be PROPAGATE, IGNORE, got SOMETIMES
  return
}

// -----
func.func @f(%x: tensor<1x8xi8>) {
  %a = tosa.argmax %x {axis = 1 : i32, axis = 2 : i32} : (tensor<1x8xi8>) -> tensor<1xi32>
// CHECK: 'axis' stands twice
  return
}

// -----
func.func @f(%x: tensor<1x8xi8>) {
  %a = tosa.abs %x : tensor<1x8xi8>
// CHECK: expected the type of a function
  return
}

// -----
tosa.variable @v : i32
// CHECK: a variable holds a tensor

// -----
func.func @f(%x: tensor<i1>) {
  %w = tosa.while_loop (%a = %x) : () -> tensor<i1> {
// CHECK: 1 values are carried, 0 have types
    tosa.yield %a : tensor<i1>
  } do {
    tosa.yield %x : tensor<i1>
  }
  return
}
