// RUN: stillpool-opt -p lower-nn,lower-tasks %s | filecheck %s

// CHECK:      func.func private @fully_connected_0(%input: memref<1x8xi8>, %filter: memref<4x8xi8>, %bias: memref<4xi32>, %output: memref<1x4xi8>) attributes {nn.comment = "nn.fully_connected: 1x8 * 4x8 -> 1x4, 32 MACs"} {
// CHECK:        scf.for %oc = %c0 to %c4 step %c1 {
// CHECK-NEXT:     %acc = memref.load %bias[%oc] : memref<4xi32>
// CHECK-NEXT:     %[[SUM:.*]] = scf.for %ic = %c0 to %c8 step %c1 iter_args(%[[ACC:.*]] = %acc) -> (i32) {
// CHECK-NEXT:       %value = memref.load %input[%c0, %ic] : memref<1x8xi8>
// CHECK-NEXT:       %weight = memref.load %filter[%oc, %ic] : memref<4x8xi8>
// CHECK-NEXT:       %[[WIDE:[0-9]+]] = arith.extsi %value : i8 to i32
// CHECK-NEXT:       %[[CENTRED:[0-9]+]] = arith.addi %[[WIDE]], %c128_i32 overflow<nsw> : i32
// CHECK-NEXT:       %[[WEIGHT:[0-9]+]] = arith.extsi %weight : i8 to i32
// CHECK-NEXT:       %[[PRODUCT:[0-9]+]] = arith.muli %[[CENTRED]], %[[WEIGHT]] overflow<nsw> : i32
// CHECK-NEXT:       %[[NEXT:.*]] = arith.addi %[[ACC]], %[[PRODUCT]] overflow<nsw> : i32
// CHECK-NEXT:       scf.yield %[[NEXT]] : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     fx.rescale %[[SUM]], %c1200000000_i32, %c-7_i32 right_only
// CHECK:          memref.store %{{[0-9]+}}, %output[%c0, %oc] : memref<1x4xi8>

// The reshape before is another view of the argument.
// CHECK:      func.func @m(%x: memref<1x2x2x2xi8> {nn.name = "in", nn.scale = array<f32: 5.000000e-01>, nn.zero_point = array<i32: -128>, pool.io = "input"}, %y: memref<1x4xi8> {nn.name = "out", pool.io = "output"}) {
// CHECK-NEXT:   %[[FLAT:.*]] = memref.reinterpret_cast %x to offset: [0], sizes: [1, 8], strides: [8, 1] : memref<1x2x2x2xi8> to memref<1x8xi8>
// CHECK-NEXT:   %w = memref.get_global @w : memref<4x8xi8>
// CHECK-NEXT:   %b = memref.get_global @b : memref<4xi32>
// CHECK-NEXT:   func.call @fully_connected_0(%[[FLAT]], %w, %b, %y) {nn.macs = 32 : i64}
func.func @m(%x: tensor<1x2x2x2xi8> {nn.name = "in", nn.scale = array<f32: 0.5>, nn.zero_point = array<i32: -128>}) -> (tensor<1x4xi8> {nn.name = "out"}) {
  %w = nn.constant dense<1> : tensor<4x8xi8>
  %b = nn.constant dense<7> : tensor<4xi32>
  %flat = nn.reshape %x : (tensor<1x2x2x2xi8>) -> tensor<1x8xi8>
  %y = nn.fully_connected %flat, %w, %b zero_points [-128, 0, 4] rescale <[1200000000], [-7]> clamp <-128, 127> : (tensor<1x8xi8>, tensor<4x8xi8>, tensor<4xi32>) -> tensor<1x4xi8>
  func.return %y : tensor<1x4xi8>
}
