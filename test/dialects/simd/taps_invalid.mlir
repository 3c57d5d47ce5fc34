// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 5x4 elements do not lie in memref<4x8xi8>
func.func @f(%x: memref<4x8xi8>, %w: memref<24xi32>, %short: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i, %i] [0, 8, 16] 5 [5, 4], %w[%i], %sums : memref<4x8xi8>, memref<24xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: each tap has 4 bytes side by side, which memref<4x8xi8> does not
func.func @f(%x: memref<4x8xi8>, %w: memref<24xi32>, %short: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i, %i] [0, 8, 16] 5 [3, 3], %w[%i], %sums : memref<4x8xi8>, memref<24xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: taps lie behind the first one, or are -1; one is 0
func.func @f(%x: memref<4x8xi8>, %w: memref<24xi32>, %short: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i, %i] [-1, 8] 5 [2, 4], %w[%i], %sums : memref<4x8xi8>, memref<24xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: the zero point 200 is no byte from -128 on
func.func @f(%x: memref<4x8xi8>, %w: memref<24xi32>, %short: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i, %i] [0, 8] 200 [2, 4], %w[%i], %sums : memref<4x8xi8>, memref<24xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: the zero point -5 is no byte from 0 on
func.func @f(%x: memref<4x8xi8>, %w: memref<24xi32>, %short: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps unsigned %x[%i, %i] [0, 8] -5 [2, 4], %w[%i], %sums : memref<4x8xi8>, memref<24xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: 12 elements do not lie in memref<8xi32>
func.func @f(%x: memref<4x8xi8>, %w: memref<24xi32>, %short: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i, %i] [0, 8, 16] 5 [3, 4], %short[%i], %sums : memref<4x8xi8>, memref<8xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: 32 elements do not lie in memref<24xi32>
func.func @f(%x: memref<4x8xi8>, %w: memref<24xi32>, %short: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.scale_bytes %sums, %w[%i] 20, %x[%i, %i] : memref<4xi32>, memref<24xi32>, memref<4x8xi8>
  func.return
}

// -----

// CHECK: elements are i32 side by side
func.func @f(%x: memref<4x8xi8>, %w: memref<24xi32>, %short: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.scale_bytes %sums, %x[%i] 0, %x[%i, %i] : memref<4xi32>, memref<4x8xi8>, memref<4x8xi8>
  func.return
}

// -----

// CHECK: each tap is of one of the memrefs, where there are several
func.func @f(%x: memref<16xi8>, %y: memref<16xi8>, %w: memref<48xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i] [0, 4] 5 [8], %w[%i], %sums : memref<16xi8>, memref<48xi32>, memref<4xi32> beside %y of [0, 2] : memref<16xi8>
  func.return
}

// -----

// CHECK: memrefs beside the first one are of its type
func.func @f(%x: memref<16xi8>, %y: memref<8xi8>, %w: memref<48xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i] [0, 4] 5 [8], %w[%i], %sums : memref<16xi8>, memref<48xi32>, memref<4xi32> beside %y of [0, 1] : memref<8xi8>
  func.return
}

// -----

// CHECK: each of several memrefs is read by a tap
func.func @f(%x: memref<16xi8>, %y: memref<16xi8>, %w: memref<48xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i] [0, 4] 5 [8], %w[%i], %sums : memref<16xi8>, memref<48xi32>, memref<4xi32> beside %y of [1, 1] : memref<16xi8>
  func.return
}

// -----

// CHECK: taps lie in their box of 2x4 elements
func.func @f(%x: memref<4x8xi8>, %w: memref<24xi32>, %short: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i, %i] [0, 1000] 5 [2, 4], %w[%i], %sums : memref<4x8xi8>, memref<24xi32>, memref<4xi32>
  func.return
}

// -----

// The second one reads beyond the box in its row.
// CHECK: taps lie in their box of 2x4 elements
func.func @f(%x: memref<4x8xi8>, %w: memref<24xi32>, %short: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i, %i] [0, 4, 8] 5 [2, 4], %w[%i], %sums : memref<4x8xi8>, memref<24xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: a memref that is written is named twice: results would depend on the order
func.func @f(%x: memref<16xi32>, %sums: memref<4xi32>, %i: index, %k: index) {
  simd.dual_products %x[%i] 1 unroll 1, %x[%i], %sums[%k], %sums : memref<16xi32>, memref<16xi32>, memref<4xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: memrefs beside the first one are others
func.func @f(%x: memref<16xi8>, %w: memref<24xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i] [0, 4] 5 [8], %w[%i], %sums : memref<16xi8>, memref<24xi32>, memref<4xi32> beside %x of [0, 1] : memref<16xi8>
  func.return
}

// -----

// CHECK: each tap has 4 bytes side by side, which memref<i8> does not
func.func @f(%x: memref<i8>, %w: memref<24xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[] [0] 5 [], %w[%i], %sums : memref<i8>, memref<24xi32>, memref<4xi32>
  func.return
}
