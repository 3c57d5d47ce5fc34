// RUN: stillpool-opt -p lower-nn,lower-tasks %s | filecheck %s

// Operators of the same shapes and attributes share a function, equal constants a global, also between two models.

func.func @first(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %w = nn.constant {nn.name = "layer1/weights"} dense<0.5> : tensor<4x4xf32>
  %same = nn.constant {nn.name = "layer2/weights"} dense<0.5> : tensor<4x4xf32>
  %other = nn.constant {nn.name = "layer1/weights"} dense<0.25> : tensor<4x4xf32>
  %a = nn.fully_connected %x, %w {nn.origin = #nn.origin<0, "FULLY_CONNECTED", "a">} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %b = nn.fully_connected %a, %same {nn.origin = #nn.origin<1, "FULLY_CONNECTED", "b">} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %c = nn.fully_connected %b, %other clamp <0.0, inf> {nn.origin = #nn.origin<2, "FULLY_CONNECTED", "c">} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  func.return %c : tensor<1x4xf32>
}

func.func @second(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %w = nn.constant dense<0.5> : tensor<4x4xf32>
  %a = nn.fully_connected %x, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  func.return %a : tensor<1x4xf32>
}

// CHECK:      sym_name = "layer1_weights", type = memref<4x4xf32>, initial_value = dense<5.000000e-01>
// CHECK-SAME: nn.name = "layer1/weights"
// CHECK-NEXT: sym_name = "layer1_weights_0", type = memref<4x4xf32>, initial_value = dense<2.500000e-01>
// CHECK-NEXT: func.func private @fully_connected_0({{.*}}) attributes {nn.comment = "FULLY_CONNECTED 0, 1: 1x4 * 4x4 -> 1x4, 16 MACs; nn.fully_connected: 1x4 * 4x4 -> 1x4, 16 MACs"}
// CHECK:      func.func private @fully_connected_1({{.*}}) attributes {nn.comment = "FULLY_CONNECTED 2: 1x4 * 4x4 -> 1x4, 16 MACs"}
// CHECK-NOT:  func.func private

// CHECK:      func.func @first(%x: memref<1x4xf32> {pool.io = "input"}, %c: memref<1x4xf32> {pool.io = "output"}) {
// CHECK-NEXT:   %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<activation>} : memref<1x4xf32>
// CHECK-NEXT:   %layer1_weights = memref.get_global @layer1_weights : memref<4x4xf32>
// CHECK-NEXT:   func.call @fully_connected_0(%x, %layer1_weights, %a) {nn.origin = #nn.origin<0, "FULLY_CONNECTED", "a">, nn.macs = 16 : i64}
// CHECK-NEXT:   %b = memref.alloc() {pool.name = "b", pool.kind = #pool.kind<activation>} : memref<1x4xf32>
// CHECK-NEXT:   func.call @fully_connected_0(%a, %layer1_weights, %b) {nn.origin = #nn.origin<1, "FULLY_CONNECTED", "b">, nn.macs = 16 : i64}
// CHECK-NEXT:   %[[OTHER:.*]] = memref.get_global @layer1_weights_0 : memref<4x4xf32>
// CHECK-NEXT:   func.call @fully_connected_1(%b, %[[OTHER]], %c)
// CHECK-NEXT:   func.return
// CHECK:      func.func @second
// CHECK-NEXT:   memref.get_global @layer1_weights
// CHECK-NEXT:   func.call @fully_connected_0
