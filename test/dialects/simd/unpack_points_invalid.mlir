// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: of words in a row at least one and at most all are written out, not 3
func.func @f(%x: memref<8x24xi8>, %lanes: memref<36xi32>, %i: index) {
  simd.unpack_points %x[%i, %i], %x[%i, %i] [0] 2 unroll 3 [1, 8], %lanes[%i] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
  func.return
}

// -----

// There is a loop over the words of one run alone.
// CHECK: of words in a row at least one and at most all are written out, not 1
func.func @f(%x: memref<8x24xi8>, %lanes: memref<36xi32>, %i: index) {
  simd.unpack_points %x[%i, %i], %x[%i, %i] [0, 24] 2 unroll 1 [2, 8], %lanes[%i] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
  func.return
}

// -----

// CHECK: 9x8 elements do not lie in memref<8x24xi8>
func.func @f(%x: memref<8x24xi8>, %lanes: memref<36xi32>, %i: index) {
  simd.unpack_points %x[%i, %i], %x[%i, %i] [0, 24] 2 unroll 2 [9, 8], %lanes[%i] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
  func.return
}

// -----

// CHECK: what is read lies in the 28 bytes from the first on, a loop begins there
func.func @f(%x: memref<8x24xi8>, %lanes: memref<36xi32>, %i: index) {
  simd.unpack_points %x[%i, %i], %x[%i, %i] [0, 24] 2 unroll 2 [2, 4], %lanes[%i] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
  func.return
}

// -----

// CHECK: both points lie in memrefs of one type, not in memref<8x24xi8> and memref<24xi8>
func.func @f(%x: memref<8x24xi8>, %y: memref<24xi8>, %lanes: memref<36xi32>, %i: index) {
  simd.unpack_points %x[%i, %i], %y[%i] [0] 2 unroll 2 [1, 8], %lanes[%i] : memref<8x24xi8>, memref<24xi8>, memref<36xi32>
  func.return
}

// -----

// CHECK: 16 elements do not lie in memref<15xi32>
func.func @f(%x: memref<8x24xi8>, %lanes: memref<15xi32>, %i: index) {
  simd.unpack_points %x[%i, %i], %x[%i, %i] [0, 24] 2 unroll 2 [2, 8], %lanes[%i] : memref<8x24xi8>, memref<8x24xi8>, memref<15xi32>
  func.return
}

// -----

// CHECK: nothing is read
func.func @f(%x: memref<8x24xi8>, %lanes: memref<36xi32>, %i: index) {
  simd.unpack_points %x[%i, %i], %x[%i, %i] [] 0 unroll 0 [2, 8], %lanes[%i] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
  func.return
}

// -----

// CHECK: what is read lies in the 24 bytes from the first on, a loop begins there
func.func @f(%x: memref<8x24xi8>, %lanes: memref<36xi32>, %i: index) {
  simd.unpack_points %x[%i, %i], %x[%i, %i] [0] 2 unroll 2 singles [24] [1, 24], %lanes[%i] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
  func.return
}

// -----

// CHECK: what is read lies in the 1 bytes from the first on, a loop begins there
func.func @f(%x: memref<i8>, %lanes: memref<36xi32>, %i: index) {
  simd.unpack_points %x[], %x[] [400] 1 unroll 1 [], %lanes[%i] : memref<i8>, memref<i8>, memref<36xi32>
  func.return
}
