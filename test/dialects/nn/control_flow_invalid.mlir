// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: 'nn.cond_if' op condition must be one i1, got tensor<2xi1>
func.func @branch(%c: tensor<2xi1>, %a: tensor<2xf32>) -> tensor<2xf32> {
  %y = nn.cond_if %c then {
    nn.yield %a : tensor<2xf32>
  } else {
    nn.yield %a : tensor<2xf32>
  } : (tensor<2xi1>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// -----

// CHECK: 'nn.cond_if' op the else region yields tensor<i1>, expected tensor<2xf32>
func.func @branch(%c: tensor<i1>, %a: tensor<2xf32>) -> tensor<2xf32> {
  %y = nn.cond_if %c then {
    nn.yield %a : tensor<2xf32>
  } else {
    nn.yield %c : tensor<i1>
  } : (tensor<i1>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// -----

// CHECK: 'nn.while_loop' op the condition must take the carried values
func.func @loop(%c: tensor<1xi1>) -> tensor<1xi1> {
  %d = nn.while_loop %c condition {
    nn.yield %c : tensor<1xi1>
  } body {
  ^bb0(%go: tensor<1xi1>):
    nn.yield %go : tensor<1xi1>
  } : (tensor<1xi1>) -> tensor<1xi1>
  func.return %d : tensor<1xi1>
}

// -----

// CHECK: 'nn.scan' op further results must be stacks of what the body yields
func.func @scan(%h: tensor<2xf32>, %x: tensor<9x2xf32>) -> tensor<9x3xf32> {
  %last, %all = nn.scan initial(%h) over(%x) body {
  ^bb0(%s: tensor<2xf32>, %r: tensor<2xf32>):
    nn.yield %r, %s : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2xf32>), (tensor<9x2xf32>) -> (tensor<2xf32>, tensor<9x3xf32>)
  func.return %all : tensor<9x3xf32>
}

// -----

// CHECK: 'nn.scan' op the body must take the states, then a slice of each sequence
func.func @scan(%h: tensor<2xf32>, %x: tensor<9x2xf32>) -> tensor<2xf32> {
  %last = nn.scan initial(%h) over(%x) body {
  ^bb0(%s: tensor<2xf32>, %r: tensor<9x2xf32>):
    nn.yield %s : tensor<2xf32>
  } : (tensor<2xf32>), (tensor<9x2xf32>) -> (tensor<2xf32>)
  func.return %last : tensor<2xf32>
}
