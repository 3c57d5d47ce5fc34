// RUN: stillpool-opt -p usmp-check --split-input-file --verify-diagnostics %s | filecheck %s

// A vector is loaded before anything is stored over it.

pool.declare @workspace workspace size 8
func.func private @copy(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c4 {
    %v = vector.load %x[%i] : memref<8xi8>, vector<4xi8>
    vector.store %v, %y[%i] : memref<8xi8>, vector<4xi8>
  }
  func.return
}
func.func @in_place() {
  %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  func.call @copy(%x, %y) : (memref<8xi8>, memref<8xi8>) -> ()
  func.return
}
// CHECK: func.func @in_place

// -----

// One byte further on it is not.

pool.declare @workspace workspace size 9
func.func private @copy(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c4 {
    %v = vector.load %x[%i] : memref<8xi8>, vector<4xi8>
    vector.store %v, %y[%i] : memref<8xi8>, vector<4xi8>
  }
  func.return
}
func.func @one_further() {
  %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 1 : i64} : memref<8xi8>
  func.call @copy(%x, %y) : (memref<8xi8>, memref<8xi8>) -> ()
  func.return
}
// CHECK: @copy reads buffer 'x' after 'y' was written over it, at byte 4 of pool @workspace

// -----

// A masked store gives no element a value for sure: what the scratch buffer destroyed stays destroyed.

pool.declare @workspace workspace size 4
func.func private @fill(%y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<7> : vector<4xi8>
  vector.store %v, %y[%c0] : memref<4xi8>, vector<4xi8>
  func.return
}
func.func private @masked(%mask: vector<4xi1>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<0> : vector<4xi8>
  %scratch = memref.alloc() {pool.name = "scratch", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  vector.store %v, %scratch[%c0] : memref<4xi8>, vector<4xi8>
  vector.maskedstore %y[%c0], %mask, %v : memref<4xi8>, vector<4xi1>, vector<4xi8>
  func.return
}
func.func @over_masked(%mask: vector<4xi1>) {
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  func.call @fill(%y) : (memref<4xi8>) -> ()
  func.call @masked(%mask, %y) : (vector<4xi1>, memref<4xi8>) -> ()
  func.return
}
// CHECK: the caller of @over_masked reads buffer 'y' after 'scratch' was written over it, at byte 0 of pool @workspace
