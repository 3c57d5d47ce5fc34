// RUN: stillpool-opt -p usmp-check --split-input-file --verify-diagnostics %s | filecheck %s

// A buffer of another entry function over state, which must survive that one's run.

pool.declare @workspace workspace size 64
func.func @first() {
  %s = memref.alloc() {pool.name = "s", pool.kind = #pool.kind<state>, pool.assigned = @workspace, pool.offset = 32 : i64} : memref<8xi8>
  func.return
}
func.func @second() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %b = memref.alloc() {pool.name = "b", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<64xi8>
  memref.store %v, %b[%c0] : memref<64xi8>
  func.return
}
// CHECK: the caller of @second reads buffer 's' after 'b' was written over it, at byte 32 of pool @workspace

// -----

pool.declare @kept workspace persistent size 64
func.func @no_state() {
  %b = memref.alloc() {pool.name = "b", pool.assigned = @kept, pool.offset = 0 : i64} : memref<64xi8>
  func.return
}
// CHECK: buffer 'b' is no state: pool @kept holds nothing else

// -----

// CHECK: only workspace pools are persistent
pool.declare @kept constant persistent
