// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt -p usmp-assign-pools,usmp-plan,usmp-check %s | filecheck %s --check-prefix PLAN

// What buffers hold is an enum; as a text it is understood too.

// CHECK: {pool.kind = #pool.kind<state>}
// CHECK: {pool.kind = "state"}
// PLAN: {pool.kind = #pool.kind<state>, pool.candidates = [@state]
// PLAN: {pool.kind = "state", pool.candidates = [@state]
func.func @f(%x: memref<4xi8> {pool.io = "input"}) {
  %a = memref.alloc() {pool.kind = #pool.kind<state>} : memref<4xi8>
  %b = memref.alloc() {pool.kind = "state"} : memref<4xi8>
  "memref.copy"(%x, %a) : (memref<4xi8>, memref<4xi8>) -> ()
  "memref.copy"(%x, %b) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
