// RUN: stillpool-opt -p usmp-check --split-input-file --verify-diagnostics %s | filecheck %s

// Two scratch buffers at one place, the second of which begins when the first is done with; that the result lies on the
// input makes the order of accesses matter.

// CHECK: func.func private @in_turn
pool.declare @workspace workspace size 128
func.func private @in_turn(%x: memref<64xi8>, %y: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %first = memref.alloc() {pool.name = "first", pool.kind = #pool.kind<scratch>, pool.assigned = @workspace, pool.offset = 64 : i64} : memref<1xi8>
  scf.for %i = %c0 to %c32 step %c1 {
    %v = memref.load %x[%i] : memref<64xi8>
    memref.store %v, %first[%c0] : memref<1xi8>
    %u = memref.load %first[%c0] : memref<1xi8>
    memref.store %u, %y[%i] : memref<64xi8>
  }
  %second = memref.alloc() {pool.name = "second", pool.kind = #pool.kind<scratch>, pool.assigned = @workspace, pool.offset = 64 : i64} : memref<1xi8>
  scf.for %i = %c32 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi8>
    memref.store %v, %second[%c0] : memref<1xi8>
    %u = memref.load %second[%c0] : memref<1xi8>
    memref.store %u, %y[%i] : memref<64xi8>
  }
  func.return
}
func.func @in_place() {
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<64xi8>
  %b = memref.alloc() {pool.name = "b", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<64xi8>
  func.call @in_turn(%a, %b) : (memref<64xi8>, memref<64xi8>) -> ()
  func.return
}

// -----

pool.declare @workspace workspace size 128
func.func private @at_once(%x: memref<64xi8>, %y: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %first = memref.alloc() {pool.name = "first", pool.kind = #pool.kind<scratch>, pool.assigned = @workspace, pool.offset = 64 : i64} : memref<1xi8>
  %second = memref.alloc() {pool.name = "second", pool.kind = #pool.kind<scratch>, pool.assigned = @workspace, pool.offset = 64 : i64} : memref<1xi8>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi8>
    memref.store %v, %first[%c0] : memref<1xi8>
    memref.store %v, %second[%c0] : memref<1xi8>
    %u = memref.load %first[%c0] : memref<1xi8>
    memref.store %u, %y[%i] : memref<64xi8>
  }
  func.return
}
func.func @in_place() {
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<64xi8>
  %b = memref.alloc() {pool.name = "b", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<64xi8>
  func.call @at_once(%a, %b) : (memref<64xi8>, memref<64xi8>) -> ()
  func.return
}
// CHECK: @at_once reads buffer 'first' after 'second' was written over it, at byte 64 of pool @workspace
