// RUN: stillpool-opt -p lower-nn,lower-tasks %s | filecheck %s

// CHECK:       "memref.global"() <{sym_name = "y_multiplier", type = memref<2xi16>, initial_value = dense<[32767, 16384]>
// CHECK:       "memref.global"() <{sym_name = "y_shift", type = memref<2xi8>, initial_value = dense<[22, 14]>

// 16-bit activations: the product still fits i32, the sum is i64, and a multiplier of 16 bits takes it back.

// CHECK:      func.func private @fully_connected_0(%input: memref<1x8xi16>, %filter: memref<4x8xi8>, %bias: memref<4xi64>, %output: memref<1x4xi16>)
// CHECK:        %acc = memref.load %bias[%oc] : memref<4xi64>
// CHECK:        %[[PRODUCT:[0-9]+]] = arith.muli %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK-NEXT:   %[[WIDE:[0-9]+]] = arith.extsi %[[PRODUCT]] : i32 to i64
// CHECK-NEXT:   arith.addi %{{.*}}, %[[WIDE]] overflow<nsw> : i64
// CHECK:        fx.rescale_wide %{{.*}}, %c18311_i32, %c22_i32
func.func @int16(%x: tensor<1x8xi16>) -> tensor<1x4xi16> {
  %w = nn.constant dense<1> : tensor<4x8xi8>
  %b = nn.constant dense<7> : tensor<4xi64>
  %y = nn.fully_connected %x, %w, %b zero_points [0, 0, 0] rescale <[1200000000], [-7]> acc_type i64 clamp <-32768, 32767> : (tensor<1x8xi16>, tensor<4x8xi8>, tensor<4xi64>) -> tensor<1x4xi16>
  func.return %y : tensor<1x4xi16>
}

// Factors per channel: tables of 16-bit multipliers (the largest saturates) and right shifts.

// CHECK:      func.func private @conv2d_0(%input: memref<1x1x1x2xi16>, %filter: memref<2x1x1x2xi8>, %multiplier: memref<2xi16>, %shift: memref<2xi8>, %output: memref<1x1x1x2xi16>)
// CHECK:        fx.rescale_wide
func.func @per_channel(%x: tensor<1x1x1x2xi16>) -> tensor<1x1x1x2xi16> {
  %w = nn.constant dense<1> : tensor<2x1x1x2xi8>
  %y = nn.conv2d %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, 0] rescale <[2147483647, 1073741824], [-7, 1]> acc_type i64 clamp <-32768, 32767> : (tensor<1x1x1x2xi16>, tensor<2x1x1x2xi8>) -> tensor<1x1x1x2xi16>
  func.return %y : tensor<1x1x1x2xi16>
}

// Legacy uint8: elements are widened with zeros, and weights have a zero point, too.

// CHECK:      func.func private @fully_connected_1(%input: memref<1x8xi8>, %filter: memref<4x8xi8>, %output: memref<1x4xi8>)
// CHECK:        %[[VALUE:value_[0-9]+]] = arith.extui %{{.*}} : i8 to i32
// CHECK:        %[[WEIGHT:weight_[0-9]+]] = arith.extui %{{.*}} : i8 to i32
// CHECK-NEXT:   arith.subi %[[VALUE]], %c128_i32 overflow<nsw> : i32
// CHECK-NEXT:   arith.subi %[[WEIGHT]], %c131_i32 overflow<nsw> : i32
func.func @uint8(%x: tensor<1x8xui8>) -> tensor<1x4xui8> {
  %w = nn.constant dense<1> : tensor<4x8xui8>
  %y = nn.fully_connected %x, %w zero_points [128, 131, 4] rescale <[1200000000], [-7]> clamp <0, 255> : (tensor<1x8xui8>, tensor<4x8xui8>) -> tensor<1x4xui8>
  func.return %y : tensor<1x4xui8>
}

// A factor in double: rounded and saturated as a float.

// CHECK:      func.func private @fully_connected_2(%input: memref<1x8xi8>, %filter: memref<4x8xi8>, %output: memref<1x4xi8>)
// CHECK:        %[[REAL:[0-9]+]] = arith.sitofp %acc : i32 to f64
// CHECK-NEXT:   %[[SCALED:[0-9]+]] = arith.mulf %[[REAL]], %cst : f64
// CHECK-NEXT:   math.round %[[SCALED]] : f64
// CHECK:        arith.addi %{{[0-9]+}}, %c4_i32 overflow<nsw> : i32
func.func @double(%x: tensor<1x8xui8>) -> tensor<1x4xui8> {
  %w = nn.constant dense<1> : tensor<4x8xui8>
  %y = nn.fully_connected %x, %w zero_points [128, 131, 4] factor 0.25 clamp <0, 255> : (tensor<1x8xui8>, tensor<4x8xui8>) -> tensor<1x4xui8>
  func.return %y : tensor<1x4xui8>
}
