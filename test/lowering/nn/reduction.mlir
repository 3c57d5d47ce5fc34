// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// Neighbouring dimensions that are all kept or all reduced are one; the zero point is subtracted once from the sum.

func.func @mean(%x: tensor<1x4x4x2xi8>) -> tensor<1x1x1x2xi8> {
  %m = nn.mean %x axes [1, 2] zero_points [3, -5] rescale <[1073741824], [-4]> clamp <-128, 127>
    : (tensor<1x4x4x2xi8>) -> tensor<1x1x1x2xi8>
  func.return %m : tensor<1x1x1x2xi8>
}
// CHECK:      func.func private @mean_0(%input: memref<16x2xi8>, %output: memref<2xi8>)
// CHECK:      scf.for %o0 = %c0 to %c2 step %c1 {
// CHECK-NEXT:   %acc = scf.for %r0 = %c0 to %c16 step %c1 iter_args(%acc_1 = %c0_i32)
// CHECK-NEXT:     memref.load %input[%r0, %o0]
// CHECK:        arith.subi %acc, %c48_i32 overflow<nsw>
// CHECK-NEXT:   fx.rescale
// CHECK:        memref.store %{{.*}}, %output[%o0]

// -----

// A maximum of truth values is whether one is true.

func.func @any(%b: tensor<3x2xi1>) -> tensor<3x1xi1> {
  %y = nn.reduce_any %b axes [1] : (tensor<3x2xi1>) -> tensor<3x1xi1>
  func.return %y : tensor<3x1xi1>
}
// CHECK:      func.func private @reduce_any_0(%input: memref<3x2xi8>, %output: memref<3xi8>)
// CHECK:        scf.for %r1 = %c0 to %c2 step %c1 iter_args(%{{.*}} = %c0_i32)
// CHECK:          arith.extui
// CHECK:          arith.maxsi

// -----

// The place of the largest element travels with it through the loop.

func.func @best(%x: tensor<2x5xf32>) -> tensor<2xi32> {
  %a = nn.arg_max %x axis 1 : (tensor<2x5xf32>) -> tensor<2xi32>
  func.return %a : tensor<2xi32>
}
// CHECK:      @arg_max_0
// CHECK:      %best_1, %place = scf.for %i = %c1 to %c5 step %c1 iter_args(%best_2 = %best, %place_1 = %c0) -> (f32, index)
// CHECK:        [[BETTER:%.*]] = arith.cmpf olt, %best_2, %{{.*}} : f32
// CHECK-NEXT:   arith.select [[BETTER]]
// CHECK-NEXT:   arith.select [[BETTER]], %i, %place_1 : index

// -----

// Sums from the back: the first step takes the last element.

func.func @running(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a = nn.cumulative_sum %x axis 0 reverse : (tensor<4xi32>) -> tensor<4xi32>
  func.return %a : tensor<4xi32>
}
// CHECK:      @cumulative_sum_0
// CHECK:      scf.for %i = %c0 to %c4 step %c1 iter_args(%{{.*}} = %c0_i32)
// CHECK-NEXT:   arith.subi %c3, %i : index

// -----

// Each element of the top is searched behind the one before: no scratch memory.

func.func @top(%x: tensor<4xi8>) -> (tensor<3xi8>, tensor<3xi32>) {
  %a, %b = nn.top_k %x : (tensor<4xi8>) -> (tensor<3xi8>, tensor<3xi32>)
  func.return %a, %b : tensor<3xi8>, tensor<3xi32>
}
// CHECK:      func.func private @top_k_0(%input: memref<1x4xi8>, %values: memref<1x3xi8>, %indices: memref<1x3xi32>)
// CHECK:      = scf.for %rank = %c1 to %c3 step %c1 iter_args(%{{.*}} = %best, %{{.*}} = %place)
// CHECK-NEXT:   = scf.for %{{.*}} = %c0 to %c4 step %c1

// -----

// Quantised products are rescaled one by one, but for the first element.

// CHECK:      func.func private @reduce_product_0(
// CHECK:        %[[VALUE:.*]] = arith.subi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK-NEXT:   %[[STEPS:.*]] = arith.extsi %[[VALUE]] : i32 to i64
// CHECK-NEXT:   %[[PRODUCT:.*]] = arith.muli %acc_1, %[[STEPS]] overflow<nsw> : i64
// CHECK-NEXT:   %[[SCALED:.*]] = fx.rescale_wide %[[PRODUCT]], %{{.*}}, %{{.*}}
// CHECK:        arith.select %{{.*}}, %[[STEPS]], %{{.*}} : i64
// CHECK:        fx.rescale_wide %acc
func.func @quantised_product(%x: tensor<2x3xi8>) -> tensor<2x1xi8> {
  %y = nn.reduce_product %x axes [1] zero_points [3, -1] rescale <[1518500250], [-7]> clamp <-128, 127>
    : (tensor<2x3xi8>) -> tensor<2x1xi8>
  func.return %y : tensor<2x1xi8>
}
