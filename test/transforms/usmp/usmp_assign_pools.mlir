// RUN: stillpool-opt -p usmp-assign-pools --split-input-file --verify-diagnostics %s | filecheck %s

// Without a declaration there is one pool; a pinned buffer keeps its candidates.

func.func @default() {
  %a = memref.alloc() : memref<4xi8>
  func.return
}
// CHECK:      pool.declare @workspace workspace
// CHECK:        memref.alloc() {pool.candidates = [@workspace]} : memref<4xi8>

// -----

pool.declare @fast workspace limit 64
pool.declare @slow workspace
pool.declare @flash constant
func.func @preferences() {
  %a = memref.alloc() : memref<4xi8>
  %b = memref.alloc() {pool.candidates = [@slow]} : memref<4xi8>
  func.return
}
// CHECK:        memref.alloc() {pool.candidates = [@fast, @slow]} : memref<4xi8>
// CHECK-NEXT:   memref.alloc() {pool.candidates = [@slow]} : memref<4xi8>

// -----

func.func @unknown() {
  %a = memref.alloc() {pool.name = "a", pool.candidates = [@nowhere]} : memref<4xi8>
  func.return
}
// CHECK: buffer 'a': there is no workspace pool @nowhere; declared are @workspace
