// RUN: stillpool-opt %s -p usmp-overlap | filecheck %s

// Bytes that are multiplied sixteen at a time, in a view of one dimension: before the last four of 128 results are
// computed 124 are written, and bytes from 48 on still to be read.
// CHECK: func.func private @wider(%x: memref<4x16xi8>, %w: memref<512xi8>, %y: memref<4x32xi8> {pool.lead = [#pool.lead<0, 76>
func.func private @wider(%x: memref<4x16xi8>, %w: memref<512xi8>, %y: memref<4x32xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %c = %c0 to %c8 step %c1 {
      %flat = memref.collapse_shape %x [[0, 1]] : memref<4x16xi8> into memref<64xi8>
      %at = arith.muli %i, %c16 : index
      %k = arith.muli %c, %c64 : index
      %sums = simd.sum_products %flat[%at] 16, %w[%k], %zero, %zero, %zero, %zero : memref<64xi8>, memref<512xi8>
      %j = arith.muli %c, %c4 : index
      simd.store_lanes %sums, %y[%i, %j] 4 : memref<4x32xi8>
    }
  }
  func.return
}

// Lanes that are read before they are written may lie in place.
// CHECK: func.func private @same(%x: memref<16xi8>, %y: memref<16xi8> {pool.lead = [#pool.lead<0, 0>]})
func.func private @same(%x: memref<16xi8>, %y: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %at = arith.muli %i, %c4 : index
    %v = simd.load_lanes %x[%at] 4 : memref<16xi8>
    simd.store_lanes %v, %y[%at] 4 : memref<16xi8>
  }
  func.return
}
