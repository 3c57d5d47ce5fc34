// RUN: stillpool-opt -p lower-nn %s | filecheck %s
// RUN: stillpool-opt -p "lower-nn,prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4}" %s | filecheck %s --check-prefix M4
// RUN: stillpool-opt -p "lower-nn,prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4},lower-tasks" %s | filecheck %s --check-prefix LOOPS

// Every step copies its row; every gate is two tasks, of which the second adds to what the first has left.
// CHECK-LABEL: func.func private @lstm_0(
// CHECK: %row = memref.alloc() {{.*}} : memref<1x8xi8>
// CHECK: scf.for %t =
// CHECK:   memref.load %input[%c0, %t, %i]
// CHECK:   task.nest space(n = 1, unit = 4) fold(i = 8)
// CHECK:     start (%acc = %input_bias[unit]
// CHECK:     step (%value = %row[n, i] : memref<1x8xi8>, %weight = %input_weights[unit, i]
// CHECK:     writes (%input_sum[n, unit] : memref<1x4xi16>)
// CHECK:   task.nest space(n = 1, unit = 4) fold(i = 4)
// CHECK:     finish (%sum = %input_sum[n, unit] : memref<1x4xi16>) of
// CHECK:     writes (%input_sum[n, unit] : memref<1x4xi16>)
// CHECK-COUNT-6: task.nest space(n = 1, unit = 4) fold
// CHECK:   task.nest space(n = 1, unit = 4){{$}}
// CHECK:     writes (%cell[n, unit] : memref<1x4xi16>, %hidden[n, unit] : memref<1x4xi8>)
// CHECK:   memref.store %{{.*}}, %output[%c0, %t, %unit]

// One step alone reads the input itself.
// CHECK-LABEL: func.func private @lstm_1(
// CHECK-NOT: scf.for
// CHECK: step (%value{{.*}} = %input{{.*}}[n, 0, i] : memref<1x1x8xi8>

// M4-COUNT-4: schedule <order (n, unit, i), jam unit, dual 1 4>

// Words of lanes live as long as the loop over steps.
// LOOPS-LABEL: func.func private @lstm_0(
// LOOPS-COUNT-8: %lanes{{[_0-9]*}} = memref.alloc()
// LOOPS: scf.for %t =
// LOOPS-NOT: memref.alloc(
// LOOPS: func.return
func.func @main(%x: tensor<1x3x8xi8>, %z: tensor<1x1x8xi8>) -> (tensor<1x3x4xi8>, tensor<1x1x4xi8>) {
  %w = nn.constant dense<1> : tensor<4x8xi8>
  %r = nn.constant dense<2> : tensor<4x4xi8>
  %b = nn.constant dense<3> : tensor<4xi32>
  %h = nn.variable "hidden" initial dense<0> : tensor<1x4xi8>
  %c = nn.variable "cell" initial dense<0> : tensor<1x4xi16>
  %y = nn.lstm %x, input_weights (%w, %w, %w, %w), recurrent_weights (%r, %r, %r, %r), biases (%b, %b, %b, %b),
    hidden %h, cell %c zero_points [-128, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    input_rescale <[1239940864, 2042355328, 1292446464, 1625049984], [-2, -3, -2, -2]>
    recurrent_rescale <[1276881792, 1590606080, 1360030464, 1131361536], [-1, -2, -2, -1]>
    state_rescale <[1073741824, 1073741824, 2146304392], [-14, -17, -23]> cell_exponent -12 clip 32767 : i32
    : tensor<1x3x8xi8>, (tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>),
      (tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi8>),
      (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>),
      !nn.variable<tensor<1x4xi8>>, !nn.variable<tensor<1x4xi16>> -> tensor<1x3x4xi8>
  %one = nn.lstm %z, input_weights (%w, %w, %w, %w), recurrent_weights (%r, %r, %r, %r), biases (%b, %b, %b, %b),
    hidden %h, cell %c zero_points [-128, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    input_rescale <[1239940864, 2042355328, 1292446464, 1625049984], [-2, -3, -2, -2]>
    recurrent_rescale <[1276881792, 1590606080, 1360030464, 1131361536], [-1, -2, -2, -1]>
    state_rescale <[1073741824, 1073741824, 2146304392], [-14, -17, -23]> cell_exponent -12
    : tensor<1x1x8xi8>, (tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>, tensor<4x8xi8>),
      (tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi8>),
      (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>),
      !nn.variable<tensor<1x4xi8>>, !nn.variable<tensor<1x4xi16>> -> tensor<1x1x4xi8>
  func.return %y, %one : tensor<1x3x4xi8>, tensor<1x1x4xi8>
}
