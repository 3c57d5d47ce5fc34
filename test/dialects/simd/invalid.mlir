// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: bits is 1 to 32, not 33
func.func @f(%v: i32) -> i32 {
  %y = simd.saturate %v 33
  func.return %y : i32
}

// -----

// CHECK: 1x4 elements do not lie in memref<2x3xi8>
func.func @f(%x: memref<2x3xi8>, %i: index) -> i32 {
  %word = simd.load_bytes %x[%i, %i] : memref<2x3xi8>
  func.return %word : i32
}

// -----

// CHECK: elements are i8 side by side
func.func @f(%x: memref<8xi16>, %i: index) -> i32 {
  %word = simd.load_bytes %x[%i] : memref<8xi16>
  func.return %word : i32
}

// -----

// CHECK: elements are i8 side by side
func.func @f(%x: memref<8xi8, strided<[2]>>, %i: index) -> i32 {
  %word = simd.load_bytes %x[%i] : memref<8xi8, strided<[2]>>
  func.return %word : i32
}

// -----

// CHECK: 1 indices for the 2 dimensions of memref<2x8xi8>
func.func @f(%x: memref<2x8xi8>, %i: index) -> i32 {
  %word = simd.load_bytes %x[%i] : memref<2x8xi8>
  func.return %word : i32
}

// -----

// CHECK: numbers come two by two, not 3 of them
func.func @f(%x: memref<8xi32>, %w: memref<16xi32>, %sums: memref<4xi32>, %i: index) {
  simd.swar_products %x[%i] 3, %w[%i], %sums : memref<8xi32>, memref<16xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: 16 elements do not lie in memref<12xi32>
func.func @f(%x: memref<8xi32>, %w: memref<12xi32>, %sums: memref<4xi32>, %i: index) {
  simd.swar_products %x[%i] 8, %w[%i], %sums : memref<8xi32>, memref<12xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: Expected attribute memref<4xi32> but got memref<2xi32>
func.func @f(%x: memref<8xi32>, %w: memref<16xi32>, %sums: memref<2xi32>, %i: index) {
  simd.swar_products %x[%i] 8, %w[%i], %sums : memref<8xi32>, memref<16xi32>, memref<2xi32>
  func.return
}

// -----

// CHECK: elements are i32 side by side
func.func @f(%x: memref<8xi8>, %w: memref<16xi32>, %sums: memref<4xi32>, %i: index) {
  simd.swar_products %x[%i] 8, %w[%i], %sums : memref<8xi8>, memref<16xi32>, memref<4xi32>
  func.return
}

// -----

// CHECK: elements are i8 side by side
func.func @f(%x: memref<8xi16>) {
  simd.slide_bytes %x : memref<8xi16>
  func.return
}

// -----

// CHECK: 8 bytes cannot move by 8
func.func @f(%x: memref<8xi8>) {
  simd.slide_bytes %x by 8 : memref<8xi8>
  func.return
}

// -----

// CHECK: of one or more words at least one and at most all are written out, not 5
func.func @f(%x: memref<8xi32>, %w: memref<16xi32>, %b: memref<4xi32>, %sums: memref<8xi32>, %i: index) {
  simd.dual_products %x[%i] 4 unroll 5, %w[%i], %b[%i], %sums : memref<8xi32>, memref<16xi32>, memref<4xi32>, memref<8xi32>
  func.return
}

// -----

// CHECK: 16 elements do not lie in memref<12xi32>
func.func @f(%x: memref<8xi32>, %w: memref<12xi32>, %b: memref<4xi32>, %sums: memref<8xi32>, %i: index) {
  simd.dual_products %x[%i] 4 unroll 4, %w[%i], %b[%i], %sums : memref<8xi32>, memref<12xi32>, memref<4xi32>, memref<8xi32>
  func.return
}

// -----

// CHECK: elements are i32 side by side
func.func @f(%x: memref<8xi16>, %w: memref<16xi32>, %b: memref<4xi32>, %sums: memref<8xi32>, %i: index) {
  simd.dual_products %x[%i] 4 unroll 4, %w[%i], %b[%i], %sums : memref<8xi16>, memref<16xi32>, memref<4xi32>, memref<8xi32>
  func.return
}

// -----

// CHECK: place is 0 to 3, not 4
func.func @f(%x: i32) -> i32 {
  %0 = simd.unpack_nibbles %x 4
  func.return %0 : i32
}

// -----

// CHECK: there are four sums, or eight of two points, not memref<6xi32>
func.func @f(%x: memref<8xi32>, %w: memref<16xi32>, %b: memref<4xi32>, %sums: memref<6xi32>, %i: index) {
  simd.dual_products %x[%i] 4 unroll 4, %w[%i], %b[%i], %sums : memref<8xi32>, memref<16xi32>, memref<4xi32>, memref<6xi32>
  func.return
}
