// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// The sum of exponentials is that of softmax; a difference that leaves Q5.26 gives the lowest element.

// CHECK:      func.func private @log_softmax_0(%input: memref<6x5xi8>, %exponentials: memref<4xi32>, %output: memref<6x5xi8>)
// CHECK:          %log = fx.log %total
// CHECK:          %least = arith.maxsi %{{[0-9]+}}, %c-3_i32 : i32
// CHECK:            %[[ROUNDED:[0-9]+]] = fx.rounding_shift_right %{{[0-9]+}}, %c22_i32
// CHECK-NEXT:       arith.addi %[[ROUNDED]], %c127_i32 overflow<nsw> : i32
// CHECK:            %[[COUNTS:[0-9]+]] = arith.cmpi sgt, %{{[0-9]+}}, %least : i32
// CHECK-NEXT:       arith.select %[[COUNTS]], %{{[0-9]+}}, %c-128_i32 : i32
func.func @log_softmax(%x: tensor<2x3x5xi8>) -> tensor<2x3x5xi8> {
  %y = nn.log_softmax %x rescale <[1073741824, 1073741824], [26, -24]> diff_min -2 : (tensor<2x3x5xi8>) -> tensor<2x3x5xi8>
  func.return %y : tensor<2x3x5xi8>
}

// -----

// CHECK:      func.func private @log_softmax_0(%input: memref<1x5xf32>, %output: memref<1x5xf32>)
// CHECK:        math.exp
// CHECK:        %log = math.log %total : f32
func.func @log_softmax_float(%x: tensor<5xf32>) -> tensor<5xf32> {
  %y = nn.log_softmax %x : (tensor<5xf32>) -> tensor<5xf32>
  func.return %y : tensor<5xf32>
}

// -----

// Signed elements: the factor 2**7 goes into the shift. A sum below 2 is taken for 1.

// CHECK:      func.func private @l2_normalize_0(%input: memref<2x5xi8>, %output: memref<2x5xi8>)
// CHECK:          arith.addi %{{[0-9]+}}, %c3_i32 overflow<nsw> : i32
// CHECK:          %root = fx.inverse_sqrt %{{[0-9]+}}
// CHECK:          %[[ONE:[0-9]+]] = arith.cmpi sle, %total, %c1_i32 : i32
// CHECK:          %shift = arith.select %[[ONE]], %c0_i32, %{{[0-9]+}} : i32
// CHECK-NEXT:     %multiplier = arith.select %[[ONE]], %c2147483647_i32, %{{[0-9]+}} : i32
// CHECK-NEXT:     arith.addi %shift, %c7_i32 overflow<nsw> : i32
func.func @l2_normalize(%x: tensor<2x5xi8>) -> tensor<2x5xi8> {
  %y = nn.l2_normalize %x zero_point -3 : (tensor<2x5xi8>) -> tensor<2x5xi8>
  func.return %y : tensor<2x5xi8>
}

// -----

// CHECK:      func.func private @l2_normalize_0(%input: memref<1x5xf32>, %output: memref<1x5xf32>)
// CHECK:        %[[ROOT:[0-9]+]] = math.sqrt %total : f32
// CHECK-NEXT:   %[[SMALL:[0-9]+]] = arith.cmpf olt, %[[ROOT]], %[[SMALLEST:cst_[0-9]+]] : f32
// CHECK-NEXT:   %norm = arith.select %[[SMALL]], %[[SMALLEST]], %[[ROOT]] : f32
func.func @l2_normalize_float(%x: tensor<5xf32>) -> tensor<5xf32> {
  %y = nn.l2_normalize %x : (tensor<5xf32>) -> tensor<5xf32>
  func.return %y : tensor<5xf32>
}
