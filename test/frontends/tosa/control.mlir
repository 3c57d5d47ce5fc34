// Variables, branches and loops. Of a constant condition the branch alone remains.
// RUN: xdsl-opt -p import-tosa %s --split-input-file | filecheck %s

// CHECK-LABEL: @branches
// CHECK-NEXT:    [[V:%[0-9a-z_]+]] = nn.variable "state" initial dense<3> : tensor<1x4xi32>
// CHECK-NEXT:    %r = nn.read_variable [[V]]
// CHECK-NEXT:    nn.assign_variable [[V]], %x
// CHECK-NEXT:    %q = nn.cond_if %p then {
// CHECK-NEXT:      %s = nn.add %x, %r
// CHECK-NEXT:      nn.yield %s
// CHECK-NEXT:    } else {
// CHECK-NEXT:      nn.yield %r
// CHECK:         %w = nn.while_loop %q condition {
// CHECK-NEXT:    ^bb0(%i: tensor<1x4xi32>):
// CHECK-NEXT:      nn.yield %p
// CHECK-NEXT:    } body {
// CHECK-NEXT:    ^bb0(%j: tensor<1x4xi32>):
// CHECK-NEXT:      %n = nn.sub %j, %r
// CHECK-NEXT:      nn.yield %n
// CHECK:         %m = nn.unary neg %w
// CHECK-NEXT:    func.return %m
tosa.variable @state = dense<3> : tensor<1x4xi32>
func.func @branches(%x: tensor<1x4xi32>, %p: tensor<i1>) -> tensor<1x4xi32> {
  %r = tosa.variable_read @state : tensor<1x4xi32>
  tosa.variable_write @state, %x : tensor<1x4xi32>
  %q = tosa.cond_if %p (%a = %x, %b = %r) : tensor<i1> (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32> {
  ^bb0(%a: tensor<1x4xi32>, %b: tensor<1x4xi32>):
    %s = tosa.add %a, %b : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    tosa.yield %s : tensor<1x4xi32>
  } else {
  ^bb0(%a: tensor<1x4xi32>, %b: tensor<1x4xi32>):
    tosa.yield %b : tensor<1x4xi32>
  }
  %w = tosa.while_loop (%i = %q) : (tensor<1x4xi32>) -> tensor<1x4xi32> {
    tosa.yield %p : tensor<i1>
  } do {
  ^bb0(%j: tensor<1x4xi32>):
    %n = tosa.sub %j, %r : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    tosa.yield %n : tensor<1x4xi32>
  }
  %t = "tosa.const"() <{values = dense<true> : tensor<i1>}> : () -> tensor<i1>
  %u = tosa.cond_if %t : tensor<i1> -> tensor<1x4xi32> {
    %zero = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %m = tosa.negate %w, %zero, %zero : (tensor<1x4xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4xi32>
    tosa.yield %m : tensor<1x4xi32>
  } else {
    tosa.yield %w : tensor<1x4xi32>
  }
  return %u : tensor<1x4xi32>
}
