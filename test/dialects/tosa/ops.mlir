// What `mlir-opt` prints of operations that xDSL's `tosa` lacks, or reads wrongly.
// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt %s --print-op-generic | xdsl-opt | filecheck %s

tosa.variable @state = dense<0> : tensor<1x8xi32>
tosa.variable @open : tensor<1x8xi32>
// CHECK:      tosa.variable @state = dense<0> : tensor<1x8xi32>
// CHECK-NEXT: tosa.variable @open : tensor<1x8xi32>

func.func @words(%x: tensor<1x8xi8>) -> tensor<1xi32> {
  %c = tosa.clamp %x {max_val = 100 : i8, min_val = -128 : i8, nan_mode = IGNORE} : (tensor<1x8xi8>) -> tensor<1x8xi8>
  %a = tosa.argmax %c {axis = 1 : i32, nan_mode = PROPAGATE} : (tensor<1x8xi8>) -> tensor<1xi32>
  return %a : tensor<1xi32>
}
// CHECK:      %c = tosa.clamp %x {max_val = 100 : i8, min_val = -128 : i8, nan_mode = IGNORE} : (tensor<1x8xi8>) -> tensor<1x8xi8>
// CHECK-NEXT: %a = tosa.argmax %c {axis = 1 : i32, nan_mode = PROPAGATE} : (tensor<1x8xi8>) -> tensor<1xi32>

func.func @shapes(%x: tensor<2x4xf32>) -> tensor<1x4x4x1xf32> {
  %s = tosa.const_shape  {values = dense<[1, 2, 4, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %r = tosa.reshape %x, %s : (tensor<2x4xf32>, !tosa.shape<4>) -> tensor<1x2x4x1xf32>
  %k = tosa.const_shape {values = dense<[2, 1, 2, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = tosa.resize %r, %k, %o, %o {mode = NEAREST_NEIGHBOR} : (tensor<1x2x4x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x4x1xf32>
  return %z : tensor<1x4x4x1xf32>
}
// CHECK:      %s = tosa.const_shape {values = dense<[1, 2, 4, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
// CHECK-NEXT: %r = tosa.reshape %x, %s : (tensor<2x4xf32>, !tosa.shape<4>) -> tensor<1x2x4x1xf32>
// CHECK:      %z = tosa.resize %r, %k, %o, %o {mode = NEAREST_NEIGHBOR} :

func.func @control(%x: tensor<1x8xi32>, %p: tensor<i1>) -> tensor<1x8xi32> {
  %r = tosa.variable_read @state : tensor<1x8xi32>
  tosa.variable_write @state, %x : tensor<1x8xi32>
  %q = tosa.cond_if %p (%in = %x) : tensor<i1> (tensor<1x8xi32>) -> tensor<1x8xi32> {
  ^bb0(%in: tensor<1x8xi32>):
    tosa.yield %in : tensor<1x8xi32>
  } else {
  ^bb0(%in: tensor<1x8xi32>):
    tosa.yield %in : tensor<1x8xi32>
  }
  %s = tosa.cond_if %p : tensor<i1> -> tensor<1x8xi32> {
    tosa.yield %q : tensor<1x8xi32>
  } else {
    tosa.yield %r : tensor<1x8xi32>
  }
  %w = tosa.while_loop (%a = %s) : (tensor<1x8xi32>) -> tensor<1x8xi32> {
    tosa.yield %p : tensor<i1>
  } do {
  ^bb0(%b: tensor<1x8xi32>):
    %n = tosa.bitwise_not %b : (tensor<1x8xi32>) -> tensor<1x8xi32>
    tosa.yield %n : tensor<1x8xi32>
  }
  return %w : tensor<1x8xi32>
}
// CHECK:      %r = tosa.variable_read @state : tensor<1x8xi32>
// CHECK-NEXT: tosa.variable_write @state, %x : tensor<1x8xi32>
// CHECK-NEXT: %q = tosa.cond_if %p ([[A:%[a-z_0-9]+]] = %x) : tensor<i1> (tensor<1x8xi32>) -> tensor<1x8xi32> {
// CHECK-NEXT: ^bb0([[A]]: tensor<1x8xi32>):
// CHECK-NEXT:   tosa.yield [[A]] : tensor<1x8xi32>
// CHECK:      %s = tosa.cond_if %p : tensor<i1> -> tensor<1x8xi32> {
// CHECK-NEXT:   tosa.yield %q : tensor<1x8xi32>
// CHECK-NEXT: } else {
// CHECK:      %w = tosa.while_loop ({{%[a-z_0-9]+}} = %s) : (tensor<1x8xi32>) -> tensor<1x8xi32> {
// CHECK-NEXT:   tosa.yield %p : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%b: tensor<1x8xi32>):
// CHECK-NEXT:   %n = tosa.bitwise_not %b : (tensor<1x8xi32>) -> tensor<1x8xi32>

func.func @sums(%a: tensor<2x3x4xi8>, %b: tensor<2x4x5xi8>) -> tensor<2x3x5xi32> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %m = tosa.matmul %a, %b, %z, %z : (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
  return %m : tensor<2x3x5xi32>
}
// CHECK:      %m = tosa.matmul %a, %b, %z, %z : (tensor<2x3x4xi8>, tensor<2x4x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x5xi32>
