// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: 'nn.read_variable' op variable holds tensor<2xi16>, not tensor<2xi8>
func.func @f() -> tensor<2xi8> {
  %s = nn.variable "counter" initial dense<0> : tensor<2xi16>
  %y = nn.read_variable %s : (!nn.variable<tensor<2xi16>>) -> tensor<2xi8>
  func.return %y : tensor<2xi8>
}

// -----

// CHECK: 'nn.svdf' op input 1x3, features 4x3, time 4x2 and result 1x3 do not go together
func.func @f(%x: tensor<1x3xf32>, %f: tensor<4x3xf32>, %t: tensor<4x2xf32>) -> tensor<1x3xf32> {
  %s = nn.variable "state" initial dense<0.0> : tensor<1x8xf32>
  %y = nn.svdf %x, %f, %t state %s : (tensor<1x3xf32>, tensor<4x3xf32>, tensor<4x2xf32>, !nn.variable<tensor<1x8xf32>>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

// -----

// CHECK: 'nn.svdf' op state must have shape [1, 8], got [1, 4]
func.func @f(%x: tensor<1x3xf32>, %f: tensor<4x3xf32>, %t: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %s = nn.variable "state" initial dense<0.0> : tensor<1x4xf32>
  %y = nn.svdf %x, %f, %t state %s : (tensor<1x3xf32>, tensor<4x3xf32>, tensor<4x2xf32>, !nn.variable<tensor<1x4xf32>>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// -----

// CHECK: 'nn.lstm' op hidden state must have shape [1, 2], got [2, 2]
func.func @f(%x: tensor<1x4x3xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>) -> tensor<1x4x2xf32> {
  %h = nn.variable "hidden" initial dense<0.0> : tensor<2x2xf32>
  %y = nn.lstm %x, input_weights (%w, %w, %w, %w), recurrent_weights (%r, %r, %r, %r), biases (%b, %b, %b, %b), hidden %h, cell %h
    : tensor<1x4x3xf32>, (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>),
      (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>),
      (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>), !nn.variable<tensor<2x2xf32>>, !nn.variable<tensor<2x2xf32>> -> tensor<1x4x2xf32>
  func.return %y : tensor<1x4x2xf32>
}

// -----

// CHECK: 'nn.svdf' op scales must have 2 entries, got 1
func.func @f(%x: tensor<1x3xf32>, %f: tensor<4x3xi8>, %t: tensor<4x2xi8>) -> tensor<1x2xf32> {
  %s = nn.variable "state" initial dense<0.0> : tensor<1x8xf32>
  %y = nn.svdf %x, %f, %t state %s scales [0.5]
    : (tensor<1x3xf32>, tensor<4x3xi8>, tensor<4x2xi8>, !nn.variable<tensor<1x8xf32>>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// -----

// CHECK: 'nn.svdf' op has scales and asymmetric for floats and int8 weights only
func.func @f(%x: tensor<1x3xf32>, %f: tensor<4x3xf32>, %t: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %s = nn.variable "state" initial dense<0.0> : tensor<1x8xf32>
  %y = nn.svdf %x, %f, %t state %s asymmetric
    : (tensor<1x3xf32>, tensor<4x3xf32>, tensor<4x2xf32>, !nn.variable<tensor<1x8xf32>>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
