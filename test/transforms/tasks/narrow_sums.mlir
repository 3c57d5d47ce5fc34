// RUN: stillpool-opt %s -p "lower-nn,narrow-sums" | filecheck %s
// RUN: stillpool-opt %s -p "lower-nn,narrow-sums,schedule{cpu=cortex-m4}" | filecheck %s --check-prefixes CHECK,WORDS

// 16-bit activations: 64 products with 5 stay within 32 bits, so that two of them are one instruction.
// CHECK-LABEL: func.func private @fully_connected_0
// CHECK:      start (%acc = %bias[oc] : memref<4xi64>) {
// CHECK-NEXT:   %[[START:[0-9]+]] = arith.trunci %acc : i64 to i32
// CHECK-NEXT:   task.yield %[[START]] : i32
// CHECK:        arith.addi %acc{{.*}} overflow<nsw> : i32
// CHECK:      finish () of (%acc{{[_0-9]*}}: i32)
// CHECK-NEXT:   arith.extsi %{{.*}} : i32 to i64
// CHECK-NEXT:   fx.rescale_wide
// WORDS:      schedule <order (n, oc, ic), jam oc, dual 1 16>

// The largest start that still fits: 2**31 - 1 - 64 * 5 * 32768. One more keeps 64 bits, as do weights too large.
// CHECK-LABEL: func.func private @fully_connected_1
// CHECK: of (%acc{{[_0-9]*}}: i32)
// CHECK-LABEL: func.func private @fully_connected_2
// CHECK: of (%acc{{[_0-9]*}}: i64)
// CHECK-NOT: schedule
// CHECK-LABEL: func.func private @fully_connected_3
// CHECK: of (%acc{{[_0-9]*}}: i64)
// CHECK-NOT: schedule
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<1x64xi16>, %long: tensor<1x520xi16>) -> (tensor<1x4xi16>, tensor<1x4xi16>, tensor<1x4xi16>, tensor<1x4xi16>) {
  %w = nn.constant dense<-5> : tensor<4x64xi8>
  %large = nn.constant dense<127> : tensor<4x520xi8>
  %b = nn.constant dense<7> : tensor<4xi64>
  %most = nn.constant dense<2136997887> : tensor<4xi64>
  %more = nn.constant dense<-2136997888> : tensor<4xi64>
  %0 = nn.fully_connected %x, %w, %b zero_points [0, 0, 0] rescale <[1200000000], [-7]> acc_type i64 clamp <-32768, 32767> : (tensor<1x64xi16>, tensor<4x64xi8>, tensor<4xi64>) -> tensor<1x4xi16>
  %1 = nn.fully_connected %x, %w, %most zero_points [0, 0, 0] rescale <[1300000000], [-7]> acc_type i64 clamp <-32768, 32767> : (tensor<1x64xi16>, tensor<4x64xi8>, tensor<4xi64>) -> tensor<1x4xi16>
  %2 = nn.fully_connected %x, %w, %more zero_points [0, 0, 0] rescale <[1400000000], [-7]> acc_type i64 clamp <-32768, 32767> : (tensor<1x64xi16>, tensor<4x64xi8>, tensor<4xi64>) -> tensor<1x4xi16>
  %3 = nn.fully_connected %long, %large, %b zero_points [0, 0, 0] rescale <[1500000000], [-7]> acc_type i64 clamp <-32768, 32767> : (tensor<1x520xi16>, tensor<4x520xi8>, tensor<4xi64>) -> tensor<1x4xi16>
  func.return %0, %1, %2, %3 : tensor<1x4xi16>, tensor<1x4xi16>, tensor<1x4xi16>, tensor<1x4xi16>
}
