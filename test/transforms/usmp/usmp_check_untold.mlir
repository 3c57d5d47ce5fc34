// RUN: stillpool-opt -p usmp-check --split-input-file --verify-diagnostics %s | filecheck %s

// What the application reads after the run must stay until then: a buffer that nothing else reads may be such.

pool.declare @workspace workspace size 8
func.func @output() {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %v = memref.load %x[%c0] : memref<4xi8>
  memref.store %v, %y[%c0] : memref<4xi8>
  func.return
}
// CHECK: buffer 'y' is written, and nothing reads it: say pool.kind = #pool.kind<output> if the application does, #pool.kind<activation> if not

// -----

// What it writes before the run is read before anything writes it.

pool.declare @workspace workspace size 8
func.func @input() {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() {pool.name = "x", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %v = memref.load %x[%c0] : memref<4xi8>
  memref.store %v, %y[%c0] : memref<4xi8>
  func.return
}
// CHECK: buffer 'x' is read before anything is written to it: say pool.kind = #pool.kind<input> if the application does, #pool.kind<activation> if not

// -----

// An output that is read inside, too, is known by its name.

pool.declare @workspace workspace size 8
func.func @both() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %y = memref.alloc() {nn.name = "y", pool.name = "y", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %z = memref.alloc() {pool.name = "z", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  memref.store %v, %y[%c0] : memref<4xi8>
  %w = memref.load %y[%c0] : memref<4xi8>
  memref.store %w, %z[%c0] : memref<4xi8>
  func.return
}
// CHECK: buffer 'y' is the application's and has no pool.kind

// -----

// Scratch of a called function, buffers that say that they are none, and modules without any kind need not tell more.

pool.declare @workspace workspace size 8
func.func private @inner(%y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %scratch = memref.alloc() {pool.name = "scratch", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  memref.store %v, %scratch[%c0] : memref<4xi8>
  memref.store %v, %y[%c0] : memref<4xi8>
  func.return
}
func.func @told() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<activation>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8>
  func.call @inner(%y) : (memref<4xi8>) -> ()
  func.return
}
// CHECK: func.func @told

// -----

pool.declare @workspace workspace size 4
func.func @plain() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %a = memref.alloc() {pool.name = "a", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8>
  func.return
}
// CHECK: func.func @plain

// -----

// What a round reads the one before may have written; but what no round writes comes from outside.

pool.declare @workspace workspace size 8
func.func @rounds(%first: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %a = memref.alloc() {pool.name = "a", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %v = arith.constant 1 : i8
  scf.for %i = %c0 to %c4 step %c1 {
    scf.if %first {
      %w = memref.load %a[%i] : memref<4xi8>
      memref.store %w, %y[%i] : memref<4xi8>
    }
    memref.store %v, %a[%i] : memref<4xi8>
  }
  func.return
}
// CHECK: func.func @rounds

// -----

pool.declare @workspace workspace size 8
func.func @outside() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %a = memref.alloc() {pool.name = "a", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  scf.for %i = %c0 to %c4 step %c1 {
    %w = memref.load %a[%i] : memref<4xi8>
    memref.store %w, %y[%i] : memref<4xi8>
  }
  func.return
}
// CHECK: buffer 'a' is read before anything is written to it
