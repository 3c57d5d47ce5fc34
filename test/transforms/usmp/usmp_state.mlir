// RUN: stillpool-opt -p usmp-assign-pools,usmp-plan,usmp-check %s | filecheck %s

// State has a persistent pool of its own. It is live while other models run, and their buffers are not in its way.

// CHECK: pool.declare @workspace workspace size 64
// CHECK: pool.declare @state workspace persistent size 24
func.func @first() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  // CHECK: pool.assigned = @state, pool.offset = 0
  %s = memref.alloc() {pool.name = "s", pool.kind = #pool.kind<state>, pool.initial = dense<0> : tensor<16xi8>} : memref<16xi8>
  // CHECK: pool.assigned = @workspace, pool.offset = 0
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<activation>} : memref<64xi8>
  memref.store %v, %s[%c0] : memref<16xi8>
  memref.store %v, %a[%c0] : memref<64xi8>
  func.return
}
func.func @second() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  // CHECK: pool.assigned = @state, pool.offset = 16
  %t = memref.alloc() {pool.name = "t", pool.kind = #pool.kind<state>} : memref<8xi8>
  // CHECK: pool.assigned = @workspace, pool.offset = 0
  %b = memref.alloc() {pool.name = "b", pool.kind = #pool.kind<activation>} : memref<32xi8>
  memref.store %v, %t[%c0] : memref<8xi8>
  memref.store %v, %b[%c0] : memref<32xi8>
  func.return
}
