// RUN: stillpool-opt %s | stillpool-opt | filecheck %s

func.func @variables(%x: tensor<2xi16>) -> tensor<2xi16> {
  // CHECK: %s = nn.variable "counter" initial dense<[1, 2]> : tensor<2xi16>
  %s = nn.variable "counter" initial dense<[1, 2]> : tensor<2xi16>
  // CHECK-NEXT: %y = nn.read_variable %s : (!nn.variable<tensor<2xi16>>) -> tensor<2xi16>
  %y = nn.read_variable %s : (!nn.variable<tensor<2xi16>>) -> tensor<2xi16>
  // CHECK-NEXT: nn.assign_variable %s, %x : !nn.variable<tensor<2xi16>>, tensor<2xi16>
  nn.assign_variable %s, %x : !nn.variable<tensor<2xi16>>, tensor<2xi16>
  func.return %y : tensor<2xi16>
}

func.func @svdf(%x: tensor<1x3xf32>, %f: tensor<4x3xf32>, %t: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %s = nn.variable "state" initial dense<0.0> : tensor<1x8xf32>
  // CHECK: nn.svdf %x, %f, %t state %{{.*}} clamp <0.0, inf> : (tensor<1x3xf32>, tensor<4x3xf32>, tensor<4x2xf32>, !nn.variable<tensor<1x8xf32>>) -> tensor<1x2xf32>
  %y = nn.svdf %x, %f, %t state %s clamp <0.0, inf>
    : (tensor<1x3xf32>, tensor<4x3xf32>, tensor<4x2xf32>, !nn.variable<tensor<1x8xf32>>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

func.func @lstm(%x: tensor<4x1x3xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>) -> tensor<4x1x2xf32> {
  %h = nn.variable "hidden" initial dense<0.0> : tensor<1x2xf32>
  %c = nn.variable "cell" initial dense<0.0> : tensor<1x2xf32>
  // CHECK: nn.lstm %x, input_weights(%w, %w, %w, %w), recurrent_weights(%r, %r, %r, %r), biases(%b, %b, %b, %b), hidden %h, cell %c time_major clip 1.000000e+01 : f32
  %y = nn.lstm %x, input_weights (%w, %w, %w, %w), recurrent_weights (%r, %r, %r, %r), biases (%b, %b, %b, %b),
    hidden %h, cell %c time_major clip 10.0 : f32
    : tensor<4x1x3xf32>, (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>),
      (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>),
      (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>),
      !nn.variable<tensor<1x2xf32>>, !nn.variable<tensor<1x2xf32>> -> tensor<4x1x2xf32>
  func.return %y : tensor<4x1x2xf32>
}

func.func @hybrid_svdf(%x: tensor<1x3xf32>, %f: tensor<4x3xi8>, %t: tensor<4x2xi8>) -> tensor<1x2xf32> {
  %s = nn.variable "state" initial dense<0.0> : tensor<1x8xf32>
  // CHECK: nn.svdf %x, %f, %t state %{{.*}} scales [5.000000e-01, 2.500000e-01] asymmetric : (tensor<1x3xf32>, tensor<4x3xi8>, tensor<4x2xi8>, !nn.variable<tensor<1x8xf32>>) -> tensor<1x2xf32>
  %y = nn.svdf %x, %f, %t state %s scales [0.5, 0.25] asymmetric
    : (tensor<1x3xf32>, tensor<4x3xi8>, tensor<4x2xi8>, !nn.variable<tensor<1x8xf32>>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

func.func @hybrid_lstm(%x: tensor<1x4x3xf32>, %w: tensor<2x3xi8>, %r: tensor<2x2xi8>, %b: tensor<2xf32>) -> tensor<1x4x2xf32> {
  %h = nn.variable "hidden" initial dense<0.0> : tensor<1x2xf32>
  %c = nn.variable "cell" initial dense<0.0> : tensor<1x2xf32>
  // CHECK: nn.lstm %{{.*}} weight_scales [5.000000e-01, 5.000000e-01, 5.000000e-01, 5.000000e-01, 2.500000e-01, 2.500000e-01, 2.500000e-01, 2.500000e-01] :
  %y = nn.lstm %x, input_weights (%w, %w, %w, %w), recurrent_weights (%r, %r, %r, %r), biases (%b, %b, %b, %b),
    hidden %h, cell %c weight_scales [0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25]
    : tensor<1x4x3xf32>, (tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>),
      (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>),
      (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>),
      !nn.variable<tensor<1x2xf32>>, !nn.variable<tensor<1x2xf32>> -> tensor<1x4x2xf32>
  func.return %y : tensor<1x4x2xf32>
}
