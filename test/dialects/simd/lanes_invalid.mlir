// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 1x4 elements do not lie in memref<2x3xi8>
func.func @f(%x: memref<2x3xi8>, %i: index) -> !simd.lanes {
  %v = simd.load_lanes %x[%i, %i] 4 : memref<2x3xi8>
  func.return %v : !simd.lanes
}

// -----

// CHECK: elements are i8 or i16 or i32 side by side
func.func @f(%x: memref<8xi64>, %i: index) -> !simd.lanes {
  %v = simd.load_lanes %x[%i] 4 : memref<8xi64>
  func.return %v : !simd.lanes
}

// -----

// CHECK: 1 indices for the 2 dimensions of memref<2x8xi8>
func.func @f(%x: memref<2x8xi8>, %v: !simd.lanes, %i: index) {
  simd.store_lanes %v, %x[%i] 4 : memref<2x8xi8>
  func.return
}

// -----

// CHECK: a vector has 16 elements, not 17
func.func @f(%x: memref<32xi8>, %i: index) -> !simd.sixteen {
  %v = simd.load_sixteen %x[%i] 17 : memref<32xi8>
  func.return %v : !simd.sixteen
}

// -----

// CHECK: 16 elements do not lie in memref<9xi8>
func.func @f(%x: memref<9xi8>, %v: !simd.sixteen, %i: index) {
  simd.store_sixteen %v, %x[%i] 16 : memref<9xi8>
  func.return
}

// -----

// CHECK: 200 is no signed byte
func.func @f() -> !simd.sixteen {
  %v = simd.sixteen_of 200
  func.return %v : !simd.sixteen
}

// -----

// CHECK: 128 elements do not lie in memref<64xi8>
func.func @f(%x: memref<32xi8>, %w: memref<64xi8>, %s: i32, %i: index) -> !simd.lanes {
  %v = simd.sum_products %x[%i] 20, %w[%i], %s, %s, %s, %s : memref<32xi8>, memref<64xi8>
  func.return %v : !simd.lanes
}

// -----

// CHECK: there are sums of 4 channels, not of 3
func.func @f(%x: memref<32xi8>, %w: memref<128xi8>, %s: i32, %i: index) -> !simd.lanes {
  %v = simd.sum_products %x[%i] 20, %w[%i], %s, %s, %s : memref<32xi8>, memref<128xi8>
  func.return %v : !simd.lanes
}

// -----

// CHECK: 3x7x4 elements do not lie in memref<6x6x8xi8>
func.func @f(%x: memref<6x6x8xi8>, %w: memref<72xi8>, %sum: !simd.lanes, %i: index) -> !simd.lanes {
  %v = simd.sum_window %x[%i, %i, %i] [3, 3] [48, 8] [3, 7, 4], %w[%i], %sum : memref<6x6x8xi8>, memref<72xi8>
  func.return %v : !simd.lanes
}

// -----

// CHECK: a window has rows and columns that fill its box of 3x3x4
func.func @f(%x: memref<6x6x8xi8>, %w: memref<72xi8>, %sum: !simd.lanes, %i: index) -> !simd.lanes {
  %v = simd.sum_window %x[%i, %i, %i] [3, 3] [48, 16] [3, 3, 4], %w[%i], %sum : memref<6x6x8xi8>, memref<72xi8>
  func.return %v : !simd.lanes
}

// -----

// As far as its box, but not inside of it.
// CHECK: a window has rows and columns that fill its box of 3x3x4
func.func @f(%x: memref<6x6x8xi8>, %w: memref<72xi8>, %sum: !simd.lanes, %i: index) -> !simd.lanes {
  %v = simd.sum_window %x[%i, %i, %i] [3, 3] [16, 40] [3, 3, 4], %w[%i], %sum : memref<6x6x8xi8>, memref<72xi8>
  func.return %v : !simd.lanes
}

// -----

// CHECK: 36 elements do not lie in memref<35xi8>
func.func @f(%x: memref<6x6x8xi8>, %w: memref<35xi8>, %sum: !simd.lanes, %i: index) -> !simd.lanes {
  %v = simd.sum_window %x[%i, %i, %i] [3, 3] [48, 8] [3, 3, 4], %w[%i], %sum : memref<6x6x8xi8>, memref<35xi8>
  func.return %v : !simd.lanes
}
