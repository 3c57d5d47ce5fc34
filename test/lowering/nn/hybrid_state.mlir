// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// Each row of the input is quantised once, into a buffer for the time of the call, and multiplied with all filters.

// CHECK:      func.func private @svdf_0(%state: memref<2x2x4xf32>, %input: memref<2x3xf32>, %features: memref<2x2x3xi8>, %time: memref<2x2x2xi8>, %output: memref<2x2xf32>)
// CHECK:        %quantised = memref.alloc() {pool.name = "quantised", pool.kind = #pool.kind<scratch>} : memref<2x3xi8>
// CHECK:        scf.for %n = %c0 to %c2 step %c1 {
// CHECK:          %scale = arith.select
// CHECK:          memref.store %scale, %quantised_scale[%n] : memref<2xf32>
// CHECK:          memref.store %{{.*}}, %quantised[%n, %{{.*}}] : memref<2x3xi8>
// CHECK:          scf.for %unit
// CHECK:            memref.load %quantised[
// CHECK:            memref.load %quantised_scale[
// CHECK:            memref.store %{{.*}}, %state[
// CHECK:            %[[TIME:.*]] = memref.load %time
// CHECK-NEXT:       arith.sitofp %[[TIME]] : i8 to f32
func.func @svdf(%x: tensor<2x3xf32>, %f: tensor<4x3xi8>, %t: tensor<4x2xi8>) -> tensor<2x2xf32> {
  %s = nn.variable "state" initial dense<0.0> : tensor<2x8xf32>
  %y = nn.svdf %x, %f, %t state %s scales [0.5, 0.25]
    : (tensor<2x3xf32>, tensor<4x3xi8>, tensor<4x2xi8>, !nn.variable<tensor<2x8xf32>>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// -----

// What a zero point of a row adds to the sums goes by the sums of constant weights, so that products need none.

// CHECK:      sym_name = "y_sums", type = memref<2x1xi32>, initial_value = dense<{{\[\[6\], \[-6\]\]}}>
// CHECK:        %acc = scf.for %i
// CHECK:          %[[VALUE:.*]] = arith.extsi %value
// CHECK:          %[[WEIGHT:.*]] = arith.extsi %weight
// CHECK-NEXT:     arith.muli %[[VALUE]], %[[WEIGHT]]
// CHECK:        memref.load %quantised_zero_point[
// CHECK:        arith.subi %acc
func.func @svdf(%x: tensor<1x3xf32>, %t: tensor<2x2xi8>) -> tensor<1x2xf32> {
  %f = nn.constant dense<[[1, 2, 3], [-1, -2, -3]]> : tensor<2x3xi8>
  %s = nn.variable "state" initial dense<0.0> : tensor<1x4xf32>
  %y = nn.svdf %x, %f, %t state %s scales [0.5, 0.25] asymmetric
    : (tensor<1x3xf32>, tensor<2x3xi8>, tensor<2x2xi8>, !nn.variable<tensor<1x4xf32>>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// -----

// Input and hidden state are quantised at the start of every step.

// CHECK:      func.func private @lstm_0(
// CHECK-DAG:    memref.alloc() {pool.name = "quantised_input", pool.kind = #pool.kind<scratch>} : memref<1x3xi8>
// CHECK-DAG:    memref.alloc() {pool.name = "quantised_hidden", pool.kind = #pool.kind<scratch>} : memref<1x2xi8>
// CHECK:        scf.for %t = %c0 to %c4 step %c1 {
// CHECK:          memref.store %{{.*}}, %quantised_input[
// CHECK:          memref.store %{{.*}}, %quantised_hidden[
// CHECK:          scf.for %unit = %c0 to %c2 step %c1 {
// CHECK-NOT:        memref.load %input[
// CHECK:            memref.store %{{.*}}, %input_sum[
// CHECK:            memref.store %{{.*}}, %output_sum[
// CHECK:            memref.store %{{.*}}, %hidden[
// CHECK:            memref.store %{{.*}}, %output[%c0, %t, %{{.*}}]
func.func @lstm(%x: tensor<1x4x3xf32>, %w: tensor<2x3xi8>, %r: tensor<2x2xi8>, %b: tensor<2xf32>) -> tensor<1x4x2xf32> {
  %h = nn.variable "hidden" initial dense<0.0> : tensor<1x2xf32>
  %c = nn.variable "cell" initial dense<0.0> : tensor<1x2xf32>
  %y = nn.lstm %x, input_weights (%w, %w, %w, %w), recurrent_weights (%r, %r, %r, %r), biases (%b, %b, %b, %b),
    hidden %h, cell %c weight_scales [0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25] asymmetric
    : tensor<1x4x3xf32>, (tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x3xi8>),
      (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>),
      (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>),
      !nn.variable<tensor<1x2xf32>>, !nn.variable<tensor<1x2xf32>> -> tensor<1x4x2xf32>
  func.return %y : tensor<1x4x2xf32>
}
