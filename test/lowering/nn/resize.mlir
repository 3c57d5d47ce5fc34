// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// A whole factor needs no table: each row is written as often as it repeats.

func.func @twice(%x: tensor<1x2x3x4xi8>) -> tensor<1x4x3x4xi8> {
  %n = nn.resize_nearest %x : (tensor<1x2x3x4xi8>) -> tensor<1x4x3x4xi8>
  func.return %n : tensor<1x4x3x4xi8>
}
// CHECK:      func.func private @resize_nearest_0(%input: memref<1x2x3x4xi8>, %output: memref<1x4x3x4xi8>)
// CHECK:      scf.for %iy = %c0 to %c2 step %c1 {
// CHECK-NEXT:   scf.for %ry = %c0 to %c2 step %c1 {
// CHECK-NEXT:     arith.muli %iy, %c2 : index

// -----

// Any other factor: a table of rows.

func.func @rows(%x: tensor<1x2x1x4xi8>) -> tensor<1x3x1x4xi8> {
  %n = nn.resize_nearest %x : (tensor<1x2x1x4xi8>) -> tensor<1x3x1x4xi8>
  func.return %n : tensor<1x3x1x4xi8>
}
// CHECK:      "memref.global"() <{sym_name = "n_rows", type = memref<3xi8>, initial_value = dense<[0, 0, 1]>
// CHECK:      func.func private @resize_nearest_0(%input: memref<1x2x1x4xi8>, %rows: memref<3xi8>, %output: memref<1x3x1x4xi8>)

// -----

// Weights with 10 fractional bits, multiplied once for each pixel; 32 bits are enough for int8.

func.func @bilinear(%x: tensor<1x2x2x4xi8>) -> tensor<1x4x4x4xi8> {
  %b = nn.resize_bilinear %x : (tensor<1x2x2x4xi8>) -> tensor<1x4x4x4xi8>
  func.return %b : tensor<1x4x4x4xi8>
}
// CHECK:      "memref.global"() <{sym_name = "b_rows_upper", type = memref<4xi8>, initial_value = dense<[0, 1, 1, 1]>
// CHECK:      "memref.global"() <{sym_name = "b_rows_lower_weight", type = memref<4xi16>, initial_value = dense<[1024, 512, 1024, 512]>
// CHECK:      scf.for %ox
// CHECK-COUNT-4: arith.muli %{{.*}} overflow<nsw> : i32
// CHECK:      scf.for %c
// CHECK:        arith.divsi %{{.*}}, %c1048576_i32 : i32

// -----

// Means of floats: the product of both weights, then the products from left to right and from top to bottom.

func.func @real(%x: tensor<1x2x2x4xi8>) -> tensor<1x3x2x4xi8> {
  %b = nn.real_resize %x rows [0.0, 0.25, 1.0] columns [0.5, 1.0] zero_points [3, 0] scales [0.5, 0.25] clamp <-128, 127> : (tensor<1x2x2x4xi8>) -> tensor<1x3x2x4xi8>
  func.return %b : tensor<1x3x2x4xi8>
}
// CHECK:      "memref.global"() <{sym_name = "b_rows_upper", type = memref<3xi8>, initial_value = dense<1> : tensor<3xi8>
// CHECK:      "memref.global"() <{sym_name = "b_rows_lower_weight", type = memref<3xf32>, initial_value = dense<[1.000000e+00, 7.500000e-01, 5.000000e-01]>
// CHECK:      scf.for %ox
// CHECK-COUNT-4: arith.mulf
// CHECK:      scf.for %c
// CHECK:        arith.divf
