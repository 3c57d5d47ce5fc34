// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// Zeros first; a row outside the result is left out.

func.func @scatter(%i: tensor<3x1xi32>, %u: tensor<3x2xi8>) -> tensor<4x2xi8> {
  %s = nn.scatter_nd %i, %u : (tensor<3x1xi32>, tensor<3x2xi8>) -> tensor<4x2xi8>
  func.return %s : tensor<4x2xi8>
}
// CHECK:      func.func private @scatter_nd_0(%indices: memref<3x1xi32>, %updates: memref<3x2xi8>, %output: memref<8xi8>)
// CHECK:      memref.store %c0_i8, %output[%i]
// CHECK:      scf.for %row
// CHECK:        arith.cmpi sge, %place, %c0_i32
// CHECK:        arith.cmpi slt, %place, %c4_i32
// CHECK:        [[INSIDE:%.*]] = arith.andi
// CHECK:        scf.if [[INSIDE]]
// CHECK:          arith.addi %{{.*}} : i32
