// RUN: stillpool-opt -p lower-nn,lower-tasks %s | filecheck %s

// Operators write into output arguments, under the shape they need; what cannot live in its output is copied at the end.

// CHECK:      func.func @m(%x: memref<2x3xf32> {pool.io = "input"}, %flat: memref<6xf32> {pool.io = "output"}, %y: memref<2x3xf32> {pool.io = "output"}, %x_1: memref<2x3xf32> {pool.io = "output"}) {
// CHECK-NEXT:   %[[VIEW:.*]] = memref.reinterpret_cast %x to offset: [0], sizes: [6], strides: [1] : memref<2x3xf32> to memref<6xf32>
// CHECK-NEXT:   func.call @add_0(%[[VIEW]], %[[VIEW]], %flat) {nn.macs = 0 : i64}
// CHECK-NEXT:   %[[BACK:.*]] = memref.reinterpret_cast %flat to offset: [0], sizes: [2, 3], strides: [3, 1] : memref<6xf32> to memref<2x3xf32>
// CHECK-NEXT:   "memref.copy"(%[[BACK]], %y) : (memref<2x3xf32>, memref<2x3xf32>) -> ()
// CHECK-NEXT:   "memref.copy"(%x, %x_1) : (memref<2x3xf32>, memref<2x3xf32>) -> ()
// CHECK-NEXT:   func.return
func.func @m(%x: tensor<2x3xf32>) -> (tensor<6xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %y = nn.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %flat = nn.reshape %y : (tensor<2x3xf32>) -> tensor<6xf32>
  func.return %flat, %y, %x : tensor<6xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
