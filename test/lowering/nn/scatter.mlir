// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// Zeros first; a row outside the result is left out.

func.func @scatter(%i: tensor<3x1xi32>, %u: tensor<3x2xi8>) -> tensor<4x2xi8> {
  %s = nn.scatter_nd add %i, %u : (tensor<3x1xi32>, tensor<3x2xi8>) -> tensor<4x2xi8>
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

// -----

// The input first; an update replaces an element, or the larger of both stays.

func.func @replaced(%i: tensor<1x1xi32>, %u: tensor<1xi1>, %x: tensor<5xi1>) -> tensor<5xi1> {
  %s = nn.scatter_nd replace %i, %u, %x : (tensor<1x1xi32>, tensor<1xi1>, tensor<5xi1>) -> tensor<5xi1>
  func.return %s : tensor<5xi1>
}
// CHECK:      func.func private @scatter_nd_0(%indices: memref<1x1xi32>, %updates: memref<1x1xi8>, %input: memref<5xi8>, %output: memref<5xi8>)
// CHECK:      memref.load %input[%i]
// CHECK:      memref.load %updates
// CHECK-NOT:  memref.load %output

func.func @largest(%i: tensor<3x2xi64>, %u: tensor<3xf32>, %x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %s = nn.scatter_nd larger %i, %u, %x : (tensor<3x2xi64>, tensor<3xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %s : tensor<2x4xf32>
}
// CHECK:      func.func private @scatter_nd_1
// CHECK:      arith.cmpf olt, [[OLD:%.*]], [[NEW:%.*]] : f32
// CHECK:      arith.select %{{.*}}, [[NEW]], [[OLD]]
