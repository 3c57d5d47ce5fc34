// RUN: stillpool-opt -p "usmp-assign-pools,usmp-plan" --split-input-file --verify-diagnostics %s | filecheck %s

pool.declare @small workspace limit 100
func.func @over_budget() {
  %a = memref.alloc() {pool.name = "a"} : memref<80xi8>
  %b = memref.alloc() {pool.name = "b"} : memref<40xi8>
  "test.op"(%a, %b) : (memref<80xi8>, memref<40xi8>) -> ()
  func.return
}
// CHECK: pool 'small' is 20 bytes short: the plan needs 120, its limit is 100; live at the peak: a (80 bytes), b (40 bytes)

// -----

func.func private @again() {
  func.call @again() : () -> ()
  func.return
}
func.func @recursive() {
  func.call @again() : () -> ()
  func.return
}
// CHECK: @again calls itself: recursive -> again -> again

// -----

func.func @dynamic(%n: index) {
  %a = memref.alloc(%n) : memref<?xi8>
  "test.op"(%a) : (memref<?xi8>) -> ()
  func.return
}
// CHECK: has a dynamic shape and cannot be planned
