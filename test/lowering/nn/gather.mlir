// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// Indices that come at run time are kept inside the table.

func.func @rows(%x: tensor<4x2xi8>, %i: tensor<3xi32>) -> tensor<3x2xi8> {
  %g = nn.gather %x, %i axis 0 batch_dims 0 : (tensor<4x2xi8>, tensor<3xi32>) -> tensor<3x2xi8>
  func.return %g : tensor<3x2xi8>
}
// CHECK:      @gather_0
// CHECK:      %place = memref.load %indices[%c0, %i]
// CHECK-NEXT: [[LEAST:%.*]] = arith.maxsi %place, %c0_i32
// CHECK-NEXT: [[MOST:%.*]] = arith.minsi [[LEAST]], %c3_i32
// CHECK-NEXT: arith.index_cast [[MOST]] : i32 to index

// -----

// Constant indices inside it are used as they are.

func.func @known(%x: tensor<4x2xi8>) -> tensor<3x2xi8> {
  %i = nn.constant dense<[3, 0, 1]> : tensor<3xi32>
  %g = nn.gather %x, %i axis 0 batch_dims 0 : (tensor<4x2xi8>, tensor<3xi32>) -> tensor<3x2xi8>
  func.return %g : tensor<3x2xi8>
}
// CHECK:      func.func private @gather_0
// CHECK:      %place = memref.load %indices[%c0, %i]
// CHECK-NEXT: arith.index_cast %place : i32 to index

// -----

// One loaded index for each leading dimension, each kept inside its own.

func.func @points(%x: tensor<4x2xf32>, %i: tensor<3x2xi32>) -> tensor<3xf32> {
  %g = nn.gather_nd %x, %i : (tensor<4x2xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  func.return %g : tensor<3xf32>
}
// CHECK:      @gather_nd_0
// CHECK:      arith.minsi %{{.*}}, %c3_i32
// CHECK:      arith.minsi %{{.*}}, %c1_i32
// CHECK:      memref.load %input[%{{.*}}, %{{.*}}, %c0] : memref<4x2x1xf32>

// -----

// A condition of one element for each row is loaded once for the row.

func.func @choice(%b: tensor<3x1xi1>, %x: tensor<3x4xi16>, %y: tensor<3x4xi16>) -> tensor<3x4xi16> {
  %s = nn.select %b, %x, %y : (tensor<3x1xi1>, tensor<3x4xi16>, tensor<3x4xi16>) -> tensor<3x4xi16>
  func.return %s : tensor<3x4xi16>
}
// CHECK:      func.func private @select_0(%condition: memref<3xi8>, %then: memref<3x4xi16>, %otherwise: memref<3x4xi16>, %output: memref<3x4xi16>)
// CHECK:      scf.for %i0
// CHECK-NEXT:   memref.load %condition[%i0]
// CHECK:        scf.for %i1
// CHECK:          arith.select
