// RUN: stillpool-opt -p usmp-check --split-input-file --verify-diagnostics %s | filecheck %s

// A buffer whose first part is written by a later operator: what lay there before its birth destroys nothing.

pool.declare @workspace workspace size 13
func.func private @split(%x: memref<8xi8>, %left: memref<4xi8>, %right: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%i] : memref<8xi8>
    memref.store %v, %left[%i] : memref<4xi8>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.addi %i, %c4 : index
    %v = memref.load %x[%j] : memref<8xi8>
    memref.store %v, %right[%i] : memref<4xi8>
  }
  func.return
}
func.func private @relu(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%i] : memref<4xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func @second_part_first() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %x = memref.alloc() {pool.name = "x", pool.kind = "input", pool.assigned = @workspace, pool.offset = 5 : i64} : memref<8xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = "output", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %unused = memref.alloc() {pool.name = "unused", pool.kind = #pool.kind<activation>, pool.assigned = @workspace, pool.offset = 2 : i64} : memref<4xi8>
  %first = memref.view %y[%c0][] : memref<8xi8> to memref<4xi8>
  %second = memref.view %y[%c4][] : memref<8xi8> to memref<4xi8>
  func.call @split(%x, %unused, %second) : (memref<8xi8>, memref<4xi8>, memref<4xi8>) -> ()
  func.call @relu(%second, %first) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: func.func @second_part_first

// -----

// Had the first part been written already, it would be gone.

pool.declare @workspace workspace size 16
func.func private @split(%x: memref<8xi8>, %left: memref<8xi8>, %right: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%i] : memref<8xi8>
    memref.store %v, %left[%i] : memref<8xi8>
    %k = arith.addi %i, %c4 : index
    memref.store %v, %left[%k] : memref<8xi8>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.addi %i, %c4 : index
    %v = memref.load %x[%j] : memref<8xi8>
    memref.store %v, %right[%i] : memref<4xi8>
  }
  func.return
}
func.func @first_part_first() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 1 : i8
  %x = memref.alloc() {pool.name = "x", pool.kind = "input", pool.assigned = @workspace, pool.offset = 8 : i64} : memref<8xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = "output", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %unused = memref.alloc() {pool.name = "unused", pool.kind = #pool.kind<activation>, pool.assigned = @workspace, pool.offset = 2 : i64} : memref<8xi8>
  %first = memref.view %y[%c0][] : memref<8xi8> to memref<4xi8>
  %second = memref.view %y[%c4][] : memref<8xi8> to memref<4xi8>
  memref.store %v, %first[%c0] : memref<4xi8>
  func.call @split(%x, %unused, %second) : (memref<8xi8>, memref<8xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: the caller of @first_part_first reads buffer 'y' after 'unused' was written over it, at byte 2 of pool @workspace

// -----

// Of parts of one buffer some are given before the run and others read after it: what is written over those is lost.

pool.declare @workspace workspace size 8
func.func @given_and_made() {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.shared = "arena", pool.at = 0 : i64, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.shared = "arena", pool.at = 4 : i64, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %z = memref.alloc() {pool.name = "z", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %v = memref.load %x[%c0] : memref<4xi8>
  memref.store %v, %y[%c0] : memref<4xi8>
  memref.store %v, %z[%c0] : memref<4xi8>
  func.return
}
// CHECK: the caller of @given_and_made reads buffer 'x' after 'z' was written over it, at byte 4 of pool @workspace
