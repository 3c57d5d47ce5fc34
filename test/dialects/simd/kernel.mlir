// RUN: xdsl-opt %s | xdsl-opt | filecheck %s
// RUN: not stillpool-opt %s -p emit-c 2>&1 | filecheck %s --check-prefix UNKNOWN

// UNKNOWN: there is no instruction set none ({{.*}} installed): install the package that has it
// CHECK: func.func @call
func.func @call(%x: memref<16xi8>, %w: memref<8x16xi8>, %sums: memref<1xi32>) {
  %0 = arith.constant 0 : index
  %n = arith.constant 16 : index
  // CHECK: simd.has "none"
  %has = simd.has "none"
  scf.if %has {
    // CHECK: simd.kernel "none.dot"(%sums, %x, %w) at[%0, %0, %0, %0] sizes(%n) strides [1] scalars [-128]
    simd.kernel "none.dot" (%sums, %x, %w) at [%0, %0, %0, %0] sizes (%n) strides [1] scalars [-128] : memref<1xi32>, memref<16xi8>, memref<8x16xi8>
  }
  func.return
}
