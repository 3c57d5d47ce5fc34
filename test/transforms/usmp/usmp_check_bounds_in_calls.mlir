// RUN: stillpool-opt -p usmp-check %s --split-input-file --verify-diagnostics | filecheck %s
// Where a view begins may be an argument: every call decides, in every iteration of the loops around it.

// CHECK: 'memref.view' op takes bytes 10 to 18 of a memref of 16 bytes
pool.declare @p workspace size 64
func.func @f() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  func.call @g(%a, %c2) : (memref<16xi8>, index) -> ()
  scf.for %i = %c0 to %c8 step %c2 {
    func.call @g(%a, %i) : (memref<16xi8>, index) -> ()
  }
  func.return
}
func.func private @g(%a: memref<16xi8>, %n: index) {
  %c4 = arith.constant 4 : index
  %m = arith.addi %n, %c4 : index
  func.call @h(%a, %m) : (memref<16xi8>, index) -> ()
  func.return
}
func.func private @h(%a: memref<16xi8>, %m: index) {
  %v = memref.view %a[%m][] : memref<16xi8> to memref<8xi8>
  func.return
}

// -----

// What data decides is the program's own business, and so is what another module passes.
// CHECK: pool.declare
pool.declare @p workspace size 64
func.func @f(%x: memref<1xindex>, %k: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  %n = memref.load %x[%c0] : memref<1xindex>
  func.call @g(%a, %n) : (memref<16xi8>, index) -> ()
  func.call @g(%a, %k) : (memref<16xi8>, index) -> ()
  func.call @g(%a, %c8) : (memref<16xi8>, index) -> ()
  func.return
}
func.func private @g(%a: memref<16xi8>, %n: index) {
  %v = memref.view %a[%n][] : memref<16xi8> to memref<8xi8>
  func.return
}

// -----

// The same where no argument is an index: what the view depends on is in memory.
// CHECK: pool.declare
pool.declare @p workspace size 64
func.func @f(%x: memref<1xindex>) {
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  func.call @g(%a, %x) : (memref<16xi8>, memref<1xindex>) -> ()
  func.return
}
func.func private @g(%a: memref<16xi8>, %x: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %x[%c0] : memref<1xindex>
  %v = memref.view %a[%n][] : memref<16xi8> to memref<8xi8>
  func.return
}
