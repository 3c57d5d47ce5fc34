// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// A global average: the number of taps is a constant, the fused range is the whole of int8 and not clamped again.

// CHECK-LABEL: func.func private @average_pool2d_0
// CHECK-NOT:    scf.for %o{{[xy]}}
// CHECK:        scf.for %oc = %c0 to %c8 step %c1 {
// CHECK-NEXT:     %[[SUM:.*]] = scf.for %ky = %c0 to %c3 step %c1 iter_args(%{{.*}} = %c0_i32) -> (i32) {
// CHECK-NEXT:       scf.for %kx = %c0 to %c5 step %c1
// CHECK-NEXT:         memref.load %input[%c0, %ky, %kx, %oc] : memref<1x3x5x8xi8>
// CHECK:          %[[POSITIVE:[0-9]+]] = arith.cmpi sgt, %[[SUM]], %c0_i32 : i32
// CHECK-NEXT:     %[[NUDGE:[0-9]+]] = arith.select %[[POSITIVE]], %c7_i32, %c-7_i32 : i32
// CHECK-NEXT:     %[[NUDGED:[0-9]+]] = arith.addi %[[SUM]], %[[NUDGE]] overflow<nsw> : i32
// CHECK-NEXT:     %[[MEAN:[0-9]+]] = arith.divsi %[[NUDGED]], %c15_i32 : i32
// CHECK-NEXT:     %[[RESULT:[0-9]+]] = arith.trunci %[[MEAN]] : i32 to i8
// CHECK-NEXT:     memref.store %[[RESULT]], %output[%c0, %c0, %c0, %oc] : memref<1x1x1x8xi8>
func.func @global_average(%x: tensor<1x3x5x8xi8>) -> tensor<1x1x1x8xi8> {
  %y = nn.average_pool2d %x kernel [3, 5] strides [1, 1] pads [0, 0, 0, 0] clamp <-128, 127> : (tensor<1x3x5x8xi8>) -> tensor<1x1x1x8xi8>
  func.return %y : tensor<1x1x1x8xi8>
}

// -----

// With padding, the taps inside the input are counted.

// CHECK-LABEL: func.func private @average_pool2d_0
// CHECK:          %[[HEIGHT:[0-9]+]] = arith.subi %c2, %ky_begin : index
// CHECK-NEXT:     %taps = arith.muli %[[HEIGHT]], %kx_end : index
// CHECK-NEXT:     %[[COUNT:[0-9]+]] = arith.index_cast %taps : index to i32
// CHECK-NEXT:     %[[DIVISOR:[0-9]+]] = arith.sitofp %[[COUNT]] : i32 to f32
// CHECK-NEXT:     %[[MEAN:[0-9]+]] = arith.divf %{{[^,]*}}, %[[DIVISOR]] : f32
// CHECK-NEXT:     memref.store %[[MEAN]], %output
func.func @counted(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %y = nn.average_pool2d %x kernel [2, 2] strides [1, 1] pads [1, 0, 0, 1] : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  func.return %y : tensor<1x4x4x2xf32>
}

// -----

// CHECK-LABEL: func.func private @max_pool2d_0
// CHECK:        scf.for %ky = %c0 to %c2 step %c1 iter_args(%{{.*}} = %c-128_i32) -> (i32) {
// CHECK:          %[[VALUE:[0-9]+]] = arith.extsi %{{[0-9]+}} : i8 to i32
// CHECK-NEXT:     arith.maxsi %{{[^,]*}}, %[[VALUE]] : i32
// CHECK:        arith.maxsi %{{[^,]*}}, %c-5_i32 : i32
func.func @max(%x: tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8> {
  %y = nn.max_pool2d %x kernel [2, 2] strides [2, 2] pads [0, 0, 0, 0] clamp <-5, 127> : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  func.return %y : tensor<1x2x2x2xi8>
}

// -----

// Unsigned sums are never negative, so one half is added to all.

// CHECK-LABEL: func.func private @average_pool2d_0(%input: memref<1x3x5x8xi8>
// CHECK:          arith.extui %{{[0-9]+}} : i8 to i32
// CHECK-NOT:      arith.select
// CHECK:          %[[NUDGED:[0-9]+]] = arith.addi %{{[^,]*}}, %c7_i32 overflow<nsw> : i32
// CHECK-NEXT:     arith.divsi %[[NUDGED]], %c15_i32 : i32
func.func @unsigned(%x: tensor<1x3x5x8xui8>) -> tensor<1x1x1x8xui8> {
  %y = nn.average_pool2d %x kernel [3, 5] strides [1, 1] pads [0, 0, 0, 0] clamp <0, 255> : (tensor<1x3x5x8xui8>) -> tensor<1x1x1x8xui8>
  func.return %y : tensor<1x1x1x8xui8>
}

// -----

// CHECK-LABEL: func.func private @l2_pool2d_0
// CHECK:          %[[SQUARE:[0-9]+]] = arith.mulf %[[VALUE:[0-9]+]], %[[VALUE]] : f32
// CHECK-NEXT:     arith.addf %{{[^,]*}}, %[[SQUARE]] : f32
// CHECK:          %[[MEAN:[0-9]+]] = arith.divf %{{[^,]*}}, %cst_1 : f32
// CHECK-NEXT:     math.sqrt %[[MEAN]] : f32
func.func @l2(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %y = nn.l2_pool2d %x kernel [2, 2] strides [2, 2] pads [0, 0, 0, 0] : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}
