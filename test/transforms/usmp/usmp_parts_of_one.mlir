// RUN: xdsl-opt %s --split-input-file -p 'usmp-assign-pools,usmp-plan,usmp-check,usmp-materialize-offsets,usmp-check' --verify-diagnostics | filecheck %s

// Buffers of one name with places in it are parts of one buffer, which is live as long as any of them is: `b` begins 8
// bytes behind `a` although both fit at once, and `other` finds no room in between.

// CHECK-LABEL: func.func @parts
// CHECK-SAME: memref<24xi8>
func.func @parts(%k: index, %v: i8) -> i8 {
  // CHECK: %a = arith.constant 0 : index
  // CHECK-NEXT: %a_1 = memref.view %workspace[%a][] {pool.shared = "arena", pool.at = 0 : i64}
  %a = memref.alloc() {pool.name = "a", pool.shared = "arena", pool.at = 0 : i64} : memref<4xi8>
  // CHECK: %b = arith.constant 8 : index
  // CHECK-NEXT: %b_1 = memref.view %workspace[%b][] {pool.shared = "arena", pool.at = 8 : i64}
  %b = memref.alloc() {pool.name = "b", pool.shared = "arena", pool.at = 8 : i64} : memref<8xi8>
  // CHECK: %other = arith.constant 16 : index
  // CHECK-NEXT: %other_1 = memref.view %workspace[%other][]
  %other = memref.alloc() {pool.name = "other"} : memref<8xi8>
  memref.store %v, %a[%k] : memref<4xi8>
  memref.store %v, %other[%k] : memref<8xi8>
  memref.store %v, %b[%k] : memref<8xi8>
  %x = memref.load %b[%k] : memref<8xi8>
  func.return %x : i8
}

// -----

// A pool that one of the parts is pinned to is that of all of them.

pool.declare @fast workspace
pool.declare @large workspace

// CHECK-LABEL: func.func @pinned
// CHECK-SAME: memref<16xi8>
func.func @pinned(%k: index, %v: i8) -> i8 {
  // CHECK: memref.view %large[%a][] {pool.shared = "arena"
  %a = memref.alloc() {pool.name = "a", pool.shared = "arena", pool.at = 0 : i64} : memref<4xi8>
  // CHECK: memref.view %large[%b][] {pool.shared = "arena"
  %b = memref.alloc() {pool.name = "b", pool.shared = "arena", pool.at = 8 : i64, pool.candidates = [@large]} : memref<8xi8>
  memref.store %v, %a[%k] : memref<4xi8>
  memref.store %v, %b[%k] : memref<8xi8>
  %x = memref.load %b[%k] : memref<8xi8>
  func.return %x : i8
}

// -----

pool.declare @fast workspace
pool.declare @large workspace

// CHECK: 'a' and 'b' are one buffer: there is no pool that all of them may lie in
func.func @torn(%k: index, %v: i8) {
  %a = memref.alloc() {pool.name = "a", pool.shared = "arena", pool.at = 0 : i64, pool.candidates = [@fast]} : memref<4xi8>
  %b = memref.alloc() {pool.name = "b", pool.shared = "arena", pool.at = 8 : i64, pool.candidates = [@large]} : memref<8xi8>
  memref.store %v, %a[%k] : memref<4xi8>
  memref.store %v, %b[%k] : memref<8xi8>
  func.return
}
