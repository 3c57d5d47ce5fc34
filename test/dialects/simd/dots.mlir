// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Three rows of a run of 30 bytes, 96 bytes apart: 32 weights of each of sixteen sums for every row.
// CHECK: simd.add_dot_products %x[%i] [3, 1] by [96, 0] of 30, %w[%k], %sums : memref<512xi8>, memref<1536xi8>, memref<16xi32>
func.func private @f(%x: memref<512xi8>, %w: memref<1536xi8>, %sums: memref<16xi32>, %i: index, %k: index) {
  simd.add_dot_products %x[%i] [3, 1] by [96, 0] of 30, %w[%k], %sums : memref<512xi8>, memref<1536xi8>, memref<16xi32>
  func.return
}

// -----

// CHECK: 1536 elements do not lie in memref<1535xi8>
func.func private @f(%x: memref<512xi8>, %w: memref<1535xi8>, %sums: memref<16xi32>, %i: index, %k: index) {
  simd.add_dot_products %x[%i] [3, 1] by [96, 0] of 30, %w[%k], %sums : memref<512xi8>, memref<1535xi8>, memref<16xi32>
  func.return
}

// -----

// CHECK: 222 elements do not lie in memref<221xi8>
func.func private @f(%x: memref<221xi8>, %w: memref<1536xi8>, %sums: memref<16xi32>, %i: index, %k: index) {
  simd.add_dot_products %x[%i] [3, 1] by [96, 0] of 30, %w[%k], %sums : memref<221xi8>, memref<1536xi8>, memref<16xi32>
  func.return
}

// -----

// CHECK: there are sums for a multiple of 16 channels, not memref<20xi32>
func.func private @f(%x: memref<512xi8>, %w: memref<1536xi8>, %sums: memref<20xi32>, %i: index, %k: index) {
  simd.add_dot_products %x[%i] [1, 1] by [0, 0] of 4, %w[%k], %sums : memref<512xi8>, memref<1536xi8>, memref<20xi32>
  func.return
}

// -----

// CHECK: a window has runs of bytes, not 0 x 1 of 4
func.func private @f(%x: memref<512xi8>, %w: memref<1536xi8>, %sums: memref<16xi32>, %i: index, %k: index) {
  simd.add_dot_products %x[%i] [0, 1] by [0, 0] of 4, %w[%k], %sums : memref<512xi8>, memref<1536xi8>, memref<16xi32>
  func.return
}
