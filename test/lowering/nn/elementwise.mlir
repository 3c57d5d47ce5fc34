// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// Equal shapes: one flat loop that reads and writes the same place.

// CHECK:      func.func private @add_0(%lhs: memref<24xi8>, %rhs: memref<24xi8>, %output: memref<24xi8>)
// CHECK:        scf.for %i = %c0 to %c24 step %c1 {
// CHECK-NEXT:     %[[A:[0-9]+]] = memref.load %lhs[%i] : memref<24xi8>
// CHECK-NEXT:     %[[B:[0-9]+]] = memref.load %rhs[%i] : memref<24xi8>
// CHECK-NEXT:     %[[A_WIDE:[0-9]+]] = arith.extsi %[[A]] : i8 to i32
// CHECK-NEXT:     %[[A_CENTRED:[0-9]+]] = arith.addi %[[A_WIDE]], %c4_i32 overflow<nsw> : i32
// CHECK-NEXT:     %[[A_HIGH:[0-9]+]] = arith.muli %[[A_CENTRED]], %c1048576_i32 overflow<nsw> : i32
// CHECK-NEXT:     %[[A_SCALED:[0-9]+]] = fx.rescale %[[A_HIGH]], %c1073741824_i32, %c0_i32 right_only
// CHECK:          %[[B_SCALED:[0-9]+]] = fx.rescale %{{[0-9]+}}, %c1900000000_i32, %c-1_i32 right_only
// CHECK-NEXT:     %[[SUM:[0-9]+]] = arith.addi %[[A_SCALED]], %[[B_SCALED]] overflow<nsw> : i32
// CHECK-NEXT:     fx.rescale %[[SUM]], %c1234567890_i32, %c-18_i32 right_only
// CHECK:          memref.store %{{[0-9]+}}, %output[%i] : memref<24xi8>
func.func @same(%a: tensor<2x3x4xi8>, %b: tensor<2x3x4xi8>) -> tensor<2x3x4xi8> {
  %y = nn.add %a, %b zero_points [-4, 9, 2] left_shift 20 rescale <[1073741824, 1900000000, 1234567890], [0, -1, -18]> clamp <-128, 127> : (tensor<2x3x4xi8>, tensor<2x3x4xi8>) -> tensor<2x3x4xi8>
  func.return %y : tensor<2x3x4xi8>
}

// -----

// A scalar is read once.

// CHECK:      func.func private @add_0(%lhs: memref<24xf32>, %rhs: memref<f32>, %output: memref<24xf32>)
// CHECK:        %[[B:[0-9]+]] = memref.load %rhs[] : memref<f32>
// CHECK-NEXT:   scf.for %i = %c0 to %c24 step %c1 {
// CHECK-NEXT:     %[[A:[0-9]+]] = memref.load %lhs[%i] : memref<24xf32>
// CHECK-NEXT:     %[[SUM:[0-9]+]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT:     memref.store %[[SUM]], %output[%i] : memref<24xf32>
func.func @scalar(%a: tensor<2x3x4xf32>, %b: tensor<1xf32>) -> tensor<2x3x4xf32> {
  %y = nn.add %a, %b : (tensor<2x3x4xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// -----

// A row is added to every row: rows of all outer dimensions are one loop. A column is read in the outer loop.

// CHECK:      func.func private @add_0(%lhs: memref<6x4xf32>, %rhs: memref<4xf32>, %output: memref<6x4xf32>)
// CHECK:        scf.for %i0 = %c0 to %c6 step %c1 {
// CHECK-NEXT:     scf.for %i1 = %c0 to %c4 step %c1 {
// CHECK-NEXT:       memref.load %lhs[%i0, %i1] : memref<6x4xf32>
// CHECK-NEXT:       memref.load %rhs[%i1] : memref<4xf32>
// CHECK:            memref.store %{{[0-9]+}}, %output[%i0, %i1] : memref<6x4xf32>
// CHECK:      func.func private @add_1(%lhs: memref<6xf32>, %rhs: memref<6x4xf32>, %output: memref<6x4xf32>)
// CHECK:        scf.for %i0 = %c0 to %c6 step %c1 {
// CHECK-NEXT:     memref.load %lhs[%i0] : memref<6xf32>
// CHECK-NEXT:     scf.for %i1 = %c0 to %c4 step %c1 {
// CHECK-NEXT:       memref.load %rhs[%i0, %i1] : memref<6x4xf32>
func.func @row(%a: tensor<2x3x4xf32>, %b: tensor<4xf32>, %c: tensor<2x3x1xf32>) -> tensor<2x3x4xf32> {
  %y = nn.add %a, %b : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %z = nn.add %c, %y : (tensor<2x3x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %z : tensor<2x3x4xf32>
}
