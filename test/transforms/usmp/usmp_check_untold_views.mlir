// RUN: stillpool-opt -p usmp-check,usmp-materialize-offsets,usmp-check %s | filecheck %s

// A view has a kind only where the application knows the buffer: one that nothing reads is none.

pool.declare @workspace workspace size 8
func.func @told() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<activation>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8>
  memref.store %v, %y[%c0] : memref<4xi8>
  func.return
}
// CHECK-LABEL: func.func @told
// CHECK:         memref.view %workspace[%y][] {pool.kind = #pool.kind<output>}
// CHECK:         memref.view %workspace[%a][] : memref<8xi8> to memref<4xi8>
