// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// Differences below the least one share the table's last entry, 0. Nothing is negative, so that exponentials round halves up,
// and quotients are the upper words of products and shifted once.

// CHECK:      "memref.global"() <{sym_name = "y_exponentials", type = memref<4xi32>, initial_value = dense<[2147483647, 1302515042, 790015308, 0]> : tensor<4xi32>
// CHECK:      func.func private @softmax_0(%input: memref<6x5xi8>, %exponentials: memref<4xi32>, %output: memref<6x5xi8>)
// CHECK:        scf.for %row = %c0 to %c6 step %c1 {
// CHECK-NEXT:     %largest = scf.for %i = %c0 to %c5 step %c1
// CHECK:          %total = scf.for
// CHECK:            %[[DIFFERENCE:[0-9]+]] = arith.subi %largest, %{{[0-9]+}} overflow<nsw> : i32
// CHECK-NEXT:       %[[CLIPPED:[0-9]+]] = arith.minsi %[[DIFFERENCE]], %c3_i32 : i32
// CHECK-NEXT:       %[[AT:[0-9]+]] = arith.index_cast %[[CLIPPED]] : i32 to index
// CHECK-NEXT:       %exponential = memref.load %exponentials[%[[AT]]] : memref<4xi32>
// CHECK-NEXT:       %[[HALVES:[0-9]+]] = arith.shrsi %exponential, %c11_i32 : i32
// CHECK-NEXT:       %[[MORE:[0-9]+]] = arith.addi %[[HALVES]], %c1_i32 overflow<nsw> : i32
// CHECK-NEXT:       %[[TERM:[0-9]+]] = arith.shrsi %[[MORE]], %c1_i32 : i32
// CHECK-NEXT:       arith.addi %{{[^,]*}}, %[[TERM]] overflow<nsw> : i32
// CHECK:          %leading_zeros = fx.count_leading_zeros %total
// CHECK-NEXT:     %[[NORMALISED:[0-9]+]] = arith.shli %total, %leading_zeros : i32
// CHECK-NEXT:     %fraction = arith.andi %[[NORMALISED]], %c2147483647_i32 : i32
// CHECK-NEXT:     %reciprocal = fx.one_over_one_plus %fraction
// CHECK-NEXT:     %shift = arith.subi %c35_i32, %leading_zeros overflow<nsw> : i32
// CHECK:          %nudge = arith.addi %{{[0-9]+}}, %c1073741824_i64 overflow<nsw> : i64
// CHECK:            %product = arith.muli %{{[0-9]+}}, %{{[0-9]+}} overflow<nsw> : i64
// CHECK-NEXT:       %[[ROUNDED:[0-9]+]] = arith.addi %product, %nudge overflow<nsw> : i64
// CHECK-NEXT:       %[[UPPER:[0-9]+]] = arith.shrsi %[[ROUNDED]], %c32_i64 : i64
// CHECK-NEXT:       %[[HIGH:[0-9]+]] = arith.trunci %[[UPPER]] : i64 to i32
// CHECK-NEXT:       %steps = arith.shrsi %[[HIGH]], %{{[0-9]+}} : i32
func.func @quantised(%x: tensor<2x3x5xi8>) -> tensor<2x3x5xi8> {
  %y = nn.softmax %x rescale <[1073741824], [26]> diff_min -2 : (tensor<2x3x5xi8>) -> tensor<2x3x5xi8>
  func.return %y : tensor<2x3x5xi8>
}

// -----

// CHECK:      func.func private @softmax_0(%input: memref<6x5xf32>, %output: memref<6x5xf32>)
// CHECK:          %[[DIFFERENCE:[0-9]+]] = arith.subf %{{[0-9]+}}, %largest : f32
// CHECK-NEXT:     %[[POWER:[0-9]+]] = math.exp %[[DIFFERENCE]] : f32
// CHECK-NEXT:     memref.store %[[POWER]], %output[%row, %{{.*}}] : memref<6x5xf32>
// CHECK:          %[[STORED:[0-9]+]] = memref.load %output[%row, %{{.*}}] : memref<6x5xf32>
// CHECK-NEXT:     arith.divf %[[STORED]], %total : f32
func.func @float(%x: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %y = nn.softmax %x beta 1.0 : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  func.return %y : tensor<2x3x5xf32>
}

// -----

// 16 bits: exponentials and the reciprocal by interpolation in tables of 513 entries.

// CHECK:      func.func private @softmax_0(%input: memref<1x5xi16>, %exponentials: memref<513xi16>, %reciprocals: memref<513xi16>, %output: memref<1x5xi16>)
// CHECK:        %[[SCALED:[0-9]+]] = fx.rescale %{{[0-9]+}}, %c1073741824_i32, %c2_i32
// CHECK-NEXT:   arith.addi %[[SCALED]], %c32767_i32 overflow<nsw> : i32
// CHECK:        arith.shrsi %{{[0-9]+}}, %c7_i32 : i32
// CHECK:        memref.load %exponentials
// CHECK:        fx.count_leading_zeros
// CHECK:        memref.load %reciprocals
func.func @int16(%x: tensor<1x5xi16>) -> tensor<1x5xi16> {
  %y = nn.softmax %x rescale <[1073741824], [2]> : (tensor<1x5xi16>) -> tensor<1x5xi16>
  func.return %y : tensor<1x5xi16>
}

// -----

// 16-bit results of 8-bit operands only shift less.

// CHECK:      func.func private @softmax_0(%input: memref<1x5xi8>, %exponentials: memref<4xi32>, %output: memref<1x5xi16>)
// CHECK:        arith.subi %c27_i32, %leading_zeros overflow<nsw> : i32
// CHECK:        arith.subi %steps, %c32768_i32 overflow<nsw> : i32
func.func @wider_result(%x: tensor<1x5xi8>) -> tensor<1x5xi16> {
  %y = nn.softmax %x rescale <[1073741824], [26]> diff_min -2 : (tensor<1x5xi8>) -> tensor<1x5xi16>
  func.return %y : tensor<1x5xi16>
}
