// RUN: stillpool-opt -p usmp %s | filecheck %s

// What a branch reads is known where its condition compares places of loops: the first half of the output comes from the
// second half of the input, so that both may lie in one place.

// CHECK: pool.declare @workspace workspace size 16
// CHECK: func.func private @fold(%x: memref<16xi8>, %y: memref<16xi8> {pool.lead = [#pool.lead<0, 0>]})
func.func private @fold(%x: memref<16xi8>, %y: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i8
  scf.for %i = %c0 to %c16 step %c1 {
    %mirrored = arith.subi %c15, %i : index
    %is_first_half = arith.cmpi slt, %i, %c8 : index
    %v = scf.if %is_first_half -> (i8) {
      %e = memref.load %x[%mirrored] : memref<16xi8>
      scf.yield %e : i8
    } else {
      scf.yield %zero : i8
    }
    memref.store %v, %y[%i] : memref<16xi8>
  }
  func.return
}

func.func private @use(%x: memref<16xi8>)

func.func @main() {
  %x = memref.alloc() : memref<16xi8>
  %y = memref.alloc() : memref<16xi8>
  func.call @use(%x) : (memref<16xi8>) -> ()
  func.call @fold(%x, %y) : (memref<16xi8>, memref<16xi8>) -> ()
  func.call @use(%y) : (memref<16xi8>) -> ()
  func.return
}
