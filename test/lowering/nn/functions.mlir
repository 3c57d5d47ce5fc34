// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// A function of bytes is one load from a table; its index starts at the lowest element.

func.func @looked_up(%x: tensor<2x3xi8>, %y: tensor<6xi8>) -> tensor<2x3xi1> {
  %c = nn.compare greater %x, %x zero_points [0, 0] rescale <[1073741824, 1073741824], [0, 0]> : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x3xi1>
  func.return %c : tensor<2x3xi1>
}
// CHECK:      func.func private @compare_0(%lhs: memref<6xi8>, %rhs: memref<6xi8>, %output: memref<6xi8>)
// CHECK:        fx.rescale
// CHECK:        fx.rescale
// CHECK:        [[TRUTH:%.*]] = arith.cmpi sgt
// CHECK-NEXT:   [[BYTE:%.*]] = arith.extui [[TRUTH]] : i1 to i8
// CHECK-NEXT:   memref.store [[BYTE]], %output[%i]

// -----

// Integers without a scale wrap around: no overflow flags.

func.func @wraps(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %s = nn.mul %x, %y clamp <0, 2147483647> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  func.return %s : tensor<4xi32>
}
// CHECK:      @mul_0
// CHECK:        arith.muli %{{.*}}, %{{.*}} : i32
// CHECK-NEXT:   arith.maxsi

// -----

// A float that leaves the integer type is saturated before it is converted.

func.func @saturates(%x: tensor<4xf32>) -> tensor<4xi8> {
  %s = nn.cast %x : (tensor<4xf32>) -> tensor<4xi8>
  func.return %s : tensor<4xi8>
}
// CHECK:      @cast_0
// CHECK:        arith.cmpf ogt
// CHECK:        arith.cmpf olt
// CHECK:        arith.fptosi %{{.*}} : f32 to i32
// CHECK-NEXT:   arith.trunci
