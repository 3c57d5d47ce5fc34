// RUN: stillpool-opt -p lower-nn,lower-tasks %s | filecheck %s

// The value saturates as a float; NaN compares false and becomes the lowest.
// CHECK-LABEL: func.func private @quantize_0
// CHECK:          %[[X:[0-9]+]] = memref.load %input[%i] : memref<4xf32>
// CHECK-NEXT:     %[[STEPS:[0-9]+]] = arith.divf %[[X]], %{{.*}} : f32
// CHECK-NEXT:     %[[ROUNDED:[0-9]+]] = math.round %[[STEPS]] : f32
// CHECK-NEXT:     %[[ABOVE:[0-9]+]] = arith.cmpf ogt, %[[ROUNDED]], %[[LOWEST:.*]] : f32
// CHECK-NEXT:     %[[LOW:[0-9]+]] = arith.select %[[ABOVE]], %[[ROUNDED]], %[[LOWEST]] : f32
// CHECK-NEXT:     %[[BELOW:[0-9]+]] = arith.cmpf olt, %[[LOW]], %[[MOST:.*]] : f32
// CHECK-NEXT:     %[[SATURATED:[0-9]+]] = arith.select %[[BELOW]], %[[LOW]], %[[MOST]] : f32
// CHECK-NEXT:     %[[INTEGER:[0-9]+]] = arith.fptosi %[[SATURATED]] : f32 to i32
// CHECK-NEXT:     %[[SHIFTED:[0-9]+]] = arith.addi %[[INTEGER]], %c3_i32 overflow<nsw> : i32
// CHECK-NEXT:     arith.trunci %[[SHIFTED]] : i32 to i8

// CHECK-LABEL: func.func private @rescale_0
// CHECK:          arith.subi %{{[0-9]+}}, %c3_i32 overflow<nsw> : i32
// CHECK-NEXT:     %[[SCALED:[0-9]+]] = fx.rescale %{{[0-9]+}}, %c1500000000_i32, %c1_i32{{$}}
// CHECK-NEXT:     arith.subi %[[SCALED]], %c7_i32 overflow<nsw> : i32

// CHECK-LABEL: func.func private @dequantize_0
// CHECK:          %[[CENTRED:[0-9]+]] = arith.addi %{{[0-9]+}}, %c7_i32 overflow<nsw> : i32
// CHECK-NEXT:     %[[FLOAT:[0-9]+]] = arith.sitofp %[[CENTRED]] : i32 to f32
// CHECK-NEXT:     arith.mulf %[[FLOAT]], %{{.*}} : f32

func.func @m(%x: tensor<4xf32>) -> tensor<4xf32> {
  %q = nn.quantize %x scale 0.5 zero_point 3 : (tensor<4xf32>) -> tensor<4xi8>
  %r = nn.rescale %q zero_points [3, -7] rescale <[1500000000], [1]> clamp <-128, 127> : (tensor<4xi8>) -> tensor<4xi8>
  %y = nn.dequantize %r scale 0.1 zero_point -7 : (tensor<4xi8>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
