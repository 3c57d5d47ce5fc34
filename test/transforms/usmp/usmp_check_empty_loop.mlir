// RUN: stillpool-opt -p usmp-check %s | filecheck %s

// A window that lies in the padding altogether: its innermost loop never runs, and the proof does without it.

pool.declare @workspace workspace size 4
func.func private @padding_only(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i8
  scf.for %i = %c0 to %c4 step %c1 {
    %sum = scf.for %k = %c4 to %c4 step %c1 iter_args(%acc = %zero) -> (i8) {
      %at = arith.addi %i, %k : index
      %v = memref.load %x[%at] : memref<4xi8>
      scf.yield %v : i8
    }
    memref.store %sum, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func @model() {
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %b = memref.alloc() {pool.name = "b", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  func.call @padding_only(%a, %b) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: func.func @model
