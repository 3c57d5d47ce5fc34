// Functions of single elements: where `nn` has no form for a type, the next wider one is taken.
// RUN: xdsl-opt -p import-tosa %s --split-input-file | filecheck %s

// CHECK-LABEL: @reals
// CHECK-NEXT:    %a = nn.unary exp %x
// CHECK-NEXT:    [[ONE:%[0-9a-z_]+]] = nn.constant
// CHECK-NEXT:    %b = nn.div [[ONE]], %a
// CHECK-NEXT:    %c = nn.clamp %b clamp <0.0, 6.000000000e+00>
// CHECK-NEXT:    [[R:%[0-9a-z_]+]] = nn.unary round_even %c
// CHECK-NEXT:    {{%d[_0-9]*}} = nn.cast [[R]]
func.func @reals(%x: tensor<1x4xf32>) -> tensor<1x4xi8> {
  %a = tosa.exp %x : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %b = tosa.reciprocal %a : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %c = tosa.clamp %b {max_val = 6.0 : f32, min_val = 0.0 : f32} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %d = tosa.cast %c : (tensor<1x4xf32>) -> tensor<1x4xi8>
  return %d : tensor<1x4xi8>
}

// -----

// A product with a shift has 64 bits on the way.
// CHECK-LABEL: @words
// CHECK:         nn.cast %x {{.*}} (tensor<1x4xi32>) -> tensor<1x4xi64>
// CHECK:         nn.mul
// CHECK:         nn.binary rounding_shift_right
// CHECK:         [[P:%[0-9a-z_]+]] = nn.cast {{.*}} (tensor<1x4xi64>) -> tensor<1x4xi32>
// CHECK-NEXT:    %z = nn.unary clz [[P]]
// CHECK-NEXT:    %l = nn.binary shift_left %x, %z
// CHECK-NEXT:    %r = nn.binary shift_right %l, %z
// CHECK-NEXT:    %u = nn.binary shift_right_unsigned %r, %z
// CHECK-NEXT:    %g = nn.compare greater %u, %x
// CHECK-NEXT:    %s = nn.select %g, %u, %x
func.func @words(%x: tensor<1x4xi32>) -> tensor<1x4xi32> {
  %k = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.mul %x, %x, %k : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1xi8>) -> tensor<1x4xi32>
  %z = tosa.clz %p : (tensor<1x4xi32>) -> tensor<1x4xi32>
  %l = tosa.logical_left_shift %x, %z : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %r = tosa.arithmetic_right_shift %l, %z {round = false} : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %u = tosa.logical_right_shift %r, %z : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %g = tosa.greater %u, %x : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi1>
  %s = tosa.select %g, %u, %x : (tensor<1x4xi1>, tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  return %s : tensor<1x4xi32>
}

// -----

// Bounds that are the range of the type are none; the other sign is a table.
// CHECK-LABEL: @bytes
// CHECK-NEXT:    %n = nn.table %x values [127, 127, 127, 126,
// CHECK-NEXT:    func.return %n
func.func @bytes(%x: tensor<1x4xi8>) -> tensor<1x4xi8> {
  %a = "tosa.const"() <{values = dense<-1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.clamp %x {max_val = 127 : i8, min_val = -128 : i8} : (tensor<1x4xi8>) -> tensor<1x4xi8>
  %n = tosa.negate %c, %a, %b : (tensor<1x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4xi8>
  return %n : tensor<1x4xi8>
}
