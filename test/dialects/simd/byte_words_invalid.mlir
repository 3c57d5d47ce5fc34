// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: right is 1 to 31, not 0
func.func @none(%x: i32) -> i32 {
  %0 = simd.shift_saturate %x 0 8
  func.return %0 : i32
}

// -----

// CHECK: bits is 8 or 16, not 7
func.func @seven(%x: i32) -> i32 {
  %0 = simd.shift_saturate %x 3 7
  func.return %0 : i32
}

// -----

// CHECK: 4 elements do not lie in memref<3xi8>
func.func @short(%x: i32, %y: memref<3xi8>, %i: index) {
  simd.store_bytes %x, %y[%i] : memref<3xi8>
  func.return
}
