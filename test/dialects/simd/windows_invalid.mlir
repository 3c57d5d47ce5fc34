// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// The words of a pass are 24, not 28.
// CHECK: a pass is one window and its end, whose places walk on by four channels
func.func @f(%x: memref<4x8xi8>, %w: memref<72xi32>, %y: memref<4x8xi8>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c28 = arith.constant 28 : index
  simd.windows %block = %c0 to %c2 step %c1 {
    %c = arith.muli %block, %c4 : index
    %word = arith.muli %block, %c28 : index
    %sums = memref.alloca() : memref<4xi32>
    simd.sum_taps %x[%i, %c] [0, -1, 8] 5 [2, 4], %w[%word], %sums : memref<4x8xi8>, memref<72xi32>, memref<4xi32>
    simd.scale_bytes signed %sums, %w[%word] 12, %y[%i, %c] : memref<4xi32>, memref<72xi32>, memref<4x8xi8>
  }
  func.return
}

// -----

// Nothing else stands in it.
// CHECK: a pass is one window and its end
func.func @f(%y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i8
  simd.windows %c = %c0 to %c8 step %c1 {
    memref.store %zero, %y[%c] : memref<8xi8>
  }
  func.return
}

// -----

// Such an scf.for has no passes.
// CHECK: a pass is one window and its end, whose places walk on by four channels
func.func @f(%x: memref<4x8xi8>, %w: memref<72xi32>, %y: memref<4x8xi8>, %i: index) {
  %cm1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c28 = arith.constant 24 : index
  simd.windows %block = %c2 to %c0 step %cm1 {
    %c = arith.muli %block, %c4 : index
    %word = arith.muli %block, %c28 : index
    %sums = memref.alloca() : memref<4xi32>
    simd.sum_taps %x[%i, %c] [0, -1, 8] 5 [2, 4], %w[%word], %sums : memref<4x8xi8>, memref<72xi32>, memref<4xi32>
    simd.scale_bytes signed %sums, %w[%word] 12, %y[%i, %c] : memref<4xi32>, memref<72xi32>, memref<4x8xi8>
  }
  func.return
}
