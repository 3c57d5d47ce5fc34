// RUN: stillpool-opt -p usmp-check --split-input-file --verify-diagnostics %s | filecheck %s

// The last of the four bytes is not read again.

pool.declare @workspace workspace size 8
func.func private @down(%x: memref<8xi8>, %y: memref<5xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %j = arith.subi %c4, %i : index
    %word = simd.load_bytes %x[%j] : memref<8xi8>
    %v = arith.trunci %word : i32 to i8
    memref.store %v, %y[%j] : memref<5xi8>
  }
  func.return
}
func.func @behind() {
  %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 3 : i64} : memref<5xi8>
  func.call @down(%x, %y) : (memref<8xi8>, memref<5xi8>) -> ()
  func.return
}
// CHECK: func.func @behind

// -----

// The third is, as the fourth of the next word.

pool.declare @workspace workspace size 8
func.func private @down(%x: memref<8xi8>, %y: memref<5xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %j = arith.subi %c4, %i : index
    %word = simd.load_bytes %x[%j] : memref<8xi8>
    %v = arith.trunci %word : i32 to i8
    memref.store %v, %y[%j] : memref<5xi8>
  }
  func.return
}
func.func @too_near() {
  %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 2 : i64} : memref<5xi8>
  func.call @down(%x, %y) : (memref<8xi8>, memref<5xi8>) -> ()
  func.return
}
// CHECK: @down reads buffer 'x' after 'y' was written over it, at byte 3 of pool @workspace

// -----

// A word ends inside its memref, too.

func.func @beyond(%x: memref<8xi8>) -> i32 {
  %c5 = arith.constant 5 : index
  %word = simd.load_bytes %x[%c5] : memref<8xi8>
  func.return %word : i32
}
// CHECK: 'simd.load_bytes' op takes elements 5 to 8 of dimension 0, which has 8
