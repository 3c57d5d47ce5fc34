// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// An output pixel looks for the input pixels that reach it; columns need no bound on the left, as no window is left.

// CHECK:      func.func private @transpose_conv2d_0(%input: memref<1x2x3x1xf32>, %filter: memref<1x3x2x1xf32>, %output: memref<1x4x7x1xf32>)
// CHECK:        scf.for %oy = %c0 to %c4 step %c1 {
// CHECK-NEXT:     %[[PLACE:[0-9]+]] = arith.addi %oy, %c1 : index
// CHECK-NEXT:     %[[FIRST:[0-9]+]] = arith.subi %[[PLACE]], %c2 : index
// CHECK-NEXT:     %[[REACHED:[0-9]+]] = arith.maxsi %[[FIRST]], %c0 : index
// CHECK-NEXT:     %[[NUDGED:[0-9]+]] = arith.addi %[[REACHED]], %c1 : index
// CHECK-NEXT:     %[[BEGIN:[0-9]+]] = arith.divsi %[[NUDGED]], %c2 : index
// CHECK-NEXT:     %[[LAST:[0-9]+]] = arith.divsi %[[PLACE]], %c2 : index
// CHECK-NEXT:     %[[NEXT:[0-9]+]] = arith.addi %[[LAST]], %c1 : index
// CHECK-NEXT:     %[[END:[0-9]+]] = arith.minsi %[[NEXT]], %c2 : index
// CHECK:          scf.for %iy = %[[BEGIN]] to %[[END]] step %c1
// CHECK-NEXT:       %[[SKIPPED:[0-9]+]] = arith.muli %iy, %c2 : index
// CHECK-NEXT:       %{{[0-9]+}} = arith.subi %[[PLACE]], %[[SKIPPED]] : index
func.func @transposed(%x: tensor<1x2x3x1xf32>, %w: tensor<1x3x2x1xf32>) -> tensor<1x4x7x1xf32> {
  %y = nn.transpose_conv2d %x, %w strides [2, 2] crops [1, 0, 0, -1] : (tensor<1x2x3x1xf32>, tensor<1x3x2x1xf32>) -> tensor<1x4x7x1xf32>
  func.return %y : tensor<1x4x7x1xf32>
}

// -----

// A broadcast operand is read at 0; a transposed one with its indices exchanged.

// CHECK:      func.func private @batch_matmul_0(%input: memref<2x1x3x4xf32>, %filter: memref<5x6x4xf32>, %output: memref<2x5x3x6xf32>)
// CHECK:        %value = memref.load %input[%b0, %c0, %row, %i] : memref<2x1x3x4xf32>
// CHECK-NEXT:   %weight = memref.load %filter[%b1, %column, %i] : memref<5x6x4xf32>
// CHECK:        memref.store %{{.*}}, %output[%b0, %b1, %row, %column] : memref<2x5x3x6xf32>
func.func @matmul(%x: tensor<2x1x3x4xf32>, %w: tensor<5x6x4xf32>) -> tensor<2x5x3x6xf32> {
  %y = nn.batch_matmul %x, %w adjoint_filter : (tensor<2x1x3x4xf32>, tensor<5x6x4xf32>) -> tensor<2x5x3x6xf32>
  func.return %y : tensor<2x5x3x6xf32>
}
