// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: of one or more words at least one and at most all are written out, not 9
func.func @f(%x: memref<16xi32>, %w: memref<192xi32>, %y: memref<2x4x16xi8>, %i: index) {
  simd.tile_bytes %x[%i] 8 unroll 9, %w[%i] 4, %y[%i, %i, %i] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  func.return
}

// -----

// CHECK: 1x2x20 elements do not lie in memref<2x4x16xi8>
func.func @f(%x: memref<16xi32>, %w: memref<240xi32>, %y: memref<2x4x16xi8>, %i: index) {
  simd.tile_bytes %x[%i] 8 unroll 8, %w[%i] 5, %y[%i, %i, %i] along 1 : memref<16xi32>, memref<240xi32>, memref<2x4x16xi8>
  func.return
}

// -----

// CHECK: two points lie along a dimension before the last one of memref<2x4x16xi8>
func.func @f(%x: memref<16xi32>, %w: memref<192xi32>, %y: memref<2x4x16xi8>, %i: index) {
  simd.tile_bytes %x[%i] 8 unroll 8, %w[%i] 4, %y[%i, %i, %i] along 2 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  func.return
}

// -----

// CHECK: 192 elements do not lie in memref<144xi32>
func.func @f(%x: memref<16xi32>, %w: memref<144xi32>, %y: memref<2x4x16xi8>, %i: index) {
  simd.tile_bytes %x[%i] 8 unroll 8, %w[%i] 4, %y[%i, %i, %i] along 1 : memref<16xi32>, memref<144xi32>, memref<2x4x16xi8>
  func.return
}

// -----

// CHECK: all channels are shifted by 1 to 31, not 32
func.func @f(%x: memref<16xi32>, %w: memref<192xi32>, %y: memref<2x4x16xi8>, %i: index) {
  simd.tile_bytes shift 32 %x[%i] 8 unroll 8, %w[%i] 4, %y[%i, %i, %i] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  func.return
}

// -----

// CHECK: what is rounded down has one shift for all channels, and no sign is added
func.func @f(%x: memref<16xi32>, %w: memref<192xi32>, %y: memref<2x4x16xi8>, %i: index) {
  simd.tile_bytes signed floor shift 12 %x[%i] 8 unroll 8, %w[%i] 4, %y[%i, %i, %i] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  func.return
}

// -----

// CHECK: what is rounded down has one shift for all channels, and no sign is added
func.func @f(%x: memref<16xi32>, %w: memref<192xi32>, %y: memref<2x4x16xi8>, %i: index) {
  simd.tile_bytes floor %x[%i] 8 unroll 8, %w[%i] 4, %y[%i, %i, %i] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  func.return
}

// -----

// CHECK: words of points that stay in registers are all written out, with a channel each
func.func @f(%x: memref<16xi32>, %w: memref<192xi32>, %y: memref<2x4x16xi8>, %i: index) {
  simd.tile_bytes held %x[%i] 5 unroll 4, %w[%i] 4, %y[%i, %i, %i] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  func.return
}
