// RUN: stillpool-opt -p usmp-check --split-input-file --verify-diagnostics %s | filecheck %s

// A reversal in place destroys its own input, although both buffers have the same bytes only during this call.

pool.declare @workspace workspace size 128
func.func private @reverse(%x: memref<64xi8>, %y: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %scratch = memref.alloc() {pool.name = "scratch", pool.kind = #pool.kind<scratch>, pool.assigned = @workspace, pool.offset = 64 : i64} : memref<32xi8>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi8>
    memref.store %v, %scratch[%c0] : memref<32xi8>
    %u = memref.load %scratch[%c0] : memref<32xi8>
    %j = arith.subi %c63, %i : index
    memref.store %u, %y[%j] : memref<64xi8>
  }
  func.return
}
func.func @in_place() {
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<64xi8>
  %b = memref.alloc() {pool.name = "b", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<64xi8>
  func.call @reverse(%a, %b) : (memref<64xi8>, memref<64xi8>) -> ()
  func.return
}
// CHECK: @reverse reads buffer 'a' after 'b' was written over it, at byte 32 of pool @workspace

// -----

pool.declare @workspace workspace size 60
func.func @outside() {
  %a = memref.alloc() {pool.name = "a", pool.assigned = @workspace, pool.offset = 16 : i64} : memref<64xi8>
  func.return
}
// CHECK: buffer 'a' takes bytes 16 to 80 of pool @workspace, which has 60

// -----

pool.declare @workspace workspace size 64
func.func @misaligned() {
  %a = memref.alloc() {pool.name = "a", pool.assigned = @workspace, pool.offset = 2 : i64} : memref<4xi32>
  func.return
}
// CHECK: buffer 'a' at offset 2 is not aligned to 4 bytes

// -----

pool.declare @workspace workspace size 64
func.func @kept_across_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1 : i8
  %a = memref.alloc() {pool.name = "a", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %b = memref.alloc() {pool.name = "b", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8>
  scf.for %i = %c0 to %n step %c1 {
    %w = memref.load %a[%c0] : memref<4xi8>
    memref.store %w, %b[%c0] : memref<4xi8>
  }
  func.return
}
// CHECK: reads buffer 'a' after 'b' was written over it

// -----

// CHECK: @g calls itself: g -> h -> g
pool.declare @p workspace size 64
func.func @f() {
  func.call @g() : () -> ()
  func.return
}
func.func private @g() {
  func.call @h() : () -> ()
  func.return
}
func.func private @h() {
  func.call @g() : () -> ()
  func.return
}

// -----

// CHECK: scf.if passes a memref on: buffers must not depend on control flow
pool.declare @workspace workspace size 8
func.func @chosen(%c: i1) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i8
  %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %z = scf.if %c -> (memref<4xi8>) {
    scf.yield %x : memref<4xi8>
  } else {
    scf.yield %y : memref<4xi8>
  }
  memref.store %v, %z[%c0] : memref<4xi8>
  func.return
}

// -----

// CHECK: @given returns a memref: buffers must not depend on control flow
pool.declare @workspace workspace size 8
func.func private @given() -> memref<4xi8>
func.func @called() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i8
  %z = func.call @given() : () -> memref<4xi8>
  memref.store %v, %z[%c0] : memref<4xi8>
  func.return
}
