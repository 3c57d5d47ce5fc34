// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// A variable is a buffer of its own at the start of the function, reading and assigning are copies.

// CHECK:      func.func @variables(%x: memref<2xi16> {pool.io = "input"}, %y: memref<2xi16> {pool.io = "output"}) {
// CHECK-NEXT:   %s = memref.alloc() {pool.name = "counter", pool.kind = #pool.kind<state>, pool.initial = dense<[1, 2]> : tensor<2xi16>} : memref<2xi16>
// CHECK-NEXT:   "memref.copy"(%s, %y)
// CHECK-NEXT:   "memref.copy"(%x, %s)
// CHECK-NEXT:   func.return
func.func @variables(%x: tensor<2xi16>) -> tensor<2xi16> {
  %s = nn.variable "counter" initial dense<[1, 2]> : tensor<2xi16>
  %y = nn.read_variable %s : (!nn.variable<tensor<2xi16>>) -> tensor<2xi16>
  nn.assign_variable %s, %x : !nn.variable<tensor<2xi16>>, tensor<2xi16>
  func.return %y : tensor<2xi16>
}

// -----

// The state of all filters moves on, the product with the features is the newest entry of each; floats are summed over
// the time of a filter first.

// CHECK:      func.func private @svdf_0(%state: memref<1x2x4xf32>, %input: memref<1x3xf32>, %features: memref<4x3xf32>, %time: memref<2x2x2xf32>, %output: memref<1x2xf32>)
// CHECK:        scf.for %unit = %c0 to %c2 step %c1 {
// CHECK-NEXT:     scf.for %m = %c0 to %c3 step %c1 {
// CHECK:            %[[OLD:[0-9]+]] = memref.load %state[%c0, %unit, %{{.*}}] : memref<1x2x4xf32>
// CHECK-NEXT:       memref.store %[[OLD]], %state[%c0, %unit, %m] : memref<1x2x4xf32>
// CHECK:            %acc = scf.for %i = %c0 to %c3
// CHECK:            memref.store %acc, %state[%c0, %{{.*}}, %{{.*}}] : memref<1x2x4xf32>
// CHECK:            %acc{{.*}} = scf.for %m{{.*}} = %c0 to %c2
// CHECK:            memref.store %{{.*}}, %sums[
// CHECK:            %total = scf.for %r
// CHECK:            memref.store %total, %output[
func.func @svdf(%x: tensor<1x3xf32>, %f: tensor<4x3xf32>, %t: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %s = nn.variable "state" initial dense<0.0> : tensor<1x8xf32>
  %y = nn.svdf %x, %f, %t state %s
    : (tensor<1x3xf32>, tensor<4x3xf32>, tensor<4x2xf32>, !nn.variable<tensor<1x8xf32>>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// -----

// A sum of integers runs over the filters of a unit as they lie, and bytes move on in words.

// CHECK:      func.func private @svdf_0(
// CHECK:        simd.slide_bytes %state : memref<1x2x8xi8>
// CHECK:        memref.store %{{.*}}, %state[%c0, %{{.*}}, %{{.*}}] : memref<1x2x8xi8>
// CHECK:        scf.for %m = %c0 to %c8
// CHECK-NOT:    scf.for
// CHECK:        memref.store %{{.*}}, %output[
func.func @svdf(%x: tensor<1x3xi8>, %f: tensor<4x3xi8>, %t: tensor<4x4xi8>) -> tensor<1x2xi8> {
  %s = nn.variable "state" initial dense<0> : tensor<1x16xi8>
  %y = nn.svdf %x, %f, %t state %s zero_points [0, 3, 0] rescale <[1073741824, 1073741824], [-1, -1]> clamp <-128, 127>
    : (tensor<1x3xi8>, tensor<4x3xi8>, tensor<4x4xi8>, !nn.variable<tensor<1x16xi8>>) -> tensor<1x2xi8>
  func.return %y : tensor<1x2xi8>
}

// -----

// Time is the outer loop; the hidden state changes when the gates of a step are summed.

// CHECK:      func.func private @lstm_0(
// CHECK:        scf.for %t = %c0 to %c4 step %c1 {
// CHECK:          memref.store %{{.*}}, %row[%c0, %i]
// CHECK:          scf.for %unit = %c0 to %c2 step %c1 {
// CHECK-NEXT:       %acc = scf.for
// CHECK:            %[[BIAS:.*]] = memref.load %input_bias[%unit]
// CHECK:            memref.store %{{.*}}, %input_sum[%c0, %unit]
// CHECK:            memref.load %hidden[
// CHECK:            memref.store %{{.*}}, %input_sum[
// CHECK-NOT:        memref.store %{{.*}}, %hidden
// CHECK:            memref.store %{{.*}}, %output_sum[
// CHECK:            memref.store %{{.*}}, %output_sum[
// CHECK:            memref.store %{{.*}}, %cell[%c0, %{{.*}}] : memref<1x2xf32>
// CHECK-NEXT:       memref.store %{{.*}}, %hidden[%c0, %{{.*}}] : memref<1x2xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %[[UNIT:.*]] = %c0 to %c2 step %c1 {
// CHECK-NEXT:       %[[NEW:[0-9]+]] = memref.load %hidden[%c0, %[[UNIT]]] : memref<1x2xf32>
// CHECK-NEXT:       memref.store %[[NEW]], %output[%t, %c0, %[[UNIT]]] : memref<4x1x2xf32>
func.func @lstm(%x: tensor<4x1x3xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>) -> tensor<4x1x2xf32> {
  %h = nn.variable "hidden" initial dense<0.0> : tensor<1x2xf32>
  %c = nn.variable "cell" initial dense<0.0> : tensor<1x2xf32>
  %y = nn.lstm %x, input_weights (%w, %w, %w, %w), recurrent_weights (%r, %r, %r, %r), biases (%b, %b, %b, %b),
    hidden %h, cell %c time_major
    : tensor<4x1x3xf32>, (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>),
      (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>),
      (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>),
      !nn.variable<tensor<1x2xf32>>, !nn.variable<tensor<1x2xf32>> -> tensor<4x1x2xf32>
  func.return %y : tensor<4x1x2xf32>
}

// -----

// What computes reads a variable where it lies, and writes it there, as long as nothing needs what it held.

// CHECK:      func.func @in_place(
// CHECK-NEXT:   %[[S:[a-z]+]] = memref.alloc() {pool.name = "last"
// CHECK-NEXT:   func.call @add_0(%[[S]], %x, %y)
// CHECK-NEXT:   func.call @mul_0(%x, %x, %[[S]])
// CHECK-NEXT:   func.call @mul_0(%[[S]], %y, %z)
// CHECK-NEXT:   func.return
// CHECK:      func.func @stale(
// CHECK-NEXT:   %[[S:[a-z]+]] = memref.alloc() {pool.name = "last"
// CHECK-NEXT:   %[[OLD:[a-z]+]] = memref.alloc()
// CHECK-NEXT:   "memref.copy"(%[[S]], %[[OLD]])
// CHECK-NEXT:   func.call @mul_0(%x, %x, %[[S]])
// CHECK-NEXT:   func.call @add_0(%[[OLD]], %[[S]], %y)
// CHECK-NEXT:   func.return
func.func @in_place(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %s = nn.variable "last" initial dense<0.0> : tensor<2xf32>
  %old = nn.read_variable %s : (!nn.variable<tensor<2xf32>>) -> tensor<2xf32>
  %y = nn.add %old, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %new = nn.mul %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nn.mul %new, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  nn.assign_variable %s, %new : !nn.variable<tensor<2xf32>>, tensor<2xf32>
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}
func.func @stale(%x: tensor<2xf32>) -> tensor<2xf32> {
  %s = nn.variable "last" initial dense<0.0> : tensor<2xf32>
  %old = nn.read_variable %s : (!nn.variable<tensor<2xf32>>) -> tensor<2xf32>
  %new = nn.mul %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  nn.assign_variable %s, %new : !nn.variable<tensor<2xf32>>, tensor<2xf32>
  %y = nn.add %old, %new : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// -----

// What only moves elements gets a copy, which is made when it is needed; what it moves is written as soon as it may be.

// CHECK:      func.func @moved(
// CHECK:        func.call @mul_0(%x, %x, %[[Z:[a-z]+]]) {
// CHECK:        "memref.copy"(%[[S:[a-z]+]], %[[OLD:[a-z]+]])
// CHECK-NEXT:   %[[WINDOW:[a-z]+]] = memref.alloc()
// CHECK-NEXT:   func.call @concat_0(%[[OLD]], %x, %[[WINDOW]])
// CHECK-NEXT:   %[[NEW:[a-z]+]] = memref.alloc()
// CHECK-NEXT:   func.call @slice_0(%[[WINDOW]], %[[NEW]])
// CHECK-NEXT:   "memref.copy"(%[[NEW]], %[[S]])
// CHECK-NEXT:   func.call @add_0(%[[Z]], %x, %z)
func.func @moved(%x: tensor<2xf32>) -> tensor<2xf32> {
  %s = nn.variable "last" initial dense<0.0> : tensor<2xf32>
  %old = nn.read_variable %s : (!nn.variable<tensor<2xf32>>) -> tensor<2xf32>
  %a = nn.mul %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %window = nn.concat %old, %x axis 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %new = nn.slice %window begin [2] step [1] : (tensor<4xf32>) -> tensor<2xf32>
  %z = nn.add %a, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  nn.assign_variable %s, %new : !nn.variable<tensor<2xf32>>, tensor<2xf32>
  func.return %z : tensor<2xf32>
}
