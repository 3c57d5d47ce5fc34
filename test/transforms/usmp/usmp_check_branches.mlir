// RUN: stillpool-opt -p usmp-check %s --split-input-file --verify-diagnostics | filecheck %s

// A branch runs where its condition on the variables of loops holds: what is read there stays inside.

// CHECK-LABEL: func.func private @shift
pool.declare @p workspace size 64
func.func private @shift(%x: memref<16xi8>, %y: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i8
  scf.for %i = %c0 to %c16 step %c1 {
    %next = arith.addi %i, %c1 : index
    %inside = arith.cmpi ult, %next, %c16 : index
    %v = scf.if %inside -> (i8) {
      %e = memref.load %x[%next] : memref<16xi8>
      scf.yield %e : i8
    } else {
      scf.yield %zero : i8
    }
    memref.store %v, %y[%i] : memref<16xi8>
  }
  func.return
}
func.func @main() {
  %x = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  %y = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  func.call @fill(%x) : (memref<16xi8>) -> ()
  func.call @shift(%x, %y) : (memref<16xi8>, memref<16xi8>) -> ()
  func.call @fill(%y) : (memref<16xi8>) -> ()
  func.return
}
func.func private @fill(%x: memref<16xi8>)

// -----

// The output lies one further: the element that is read next has been written over.

// CHECK: reads buffer
pool.declare @p workspace size 64
func.func private @shift(%x: memref<16xi8>, %y: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i8
  scf.for %i = %c0 to %c16 step %c1 {
    %next = arith.addi %i, %c1 : index
    %inside = arith.cmpi ult, %next, %c16 : index
    %v = scf.if %inside -> (i8) {
      %e = memref.load %x[%next] : memref<16xi8>
      scf.yield %e : i8
    } else {
      scf.yield %zero : i8
    }
    memref.store %v, %y[%i] : memref<16xi8>
  }
  func.return
}
func.func @main() {
  %x = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  %y = memref.alloc() {pool.assigned = @p, pool.offset = 2 : i64} : memref<16xi8>
  func.call @fill(%x) : (memref<16xi8>) -> ()
  func.call @shift(%x, %y) : (memref<16xi8>, memref<16xi8>) -> ()
  func.call @fill(%y) : (memref<16xi8>) -> ()
  func.return
}
func.func private @fill(%x: memref<16xi8>)

// -----

// CHECK: an access leaves its memref<16xi8>
pool.declare @p workspace size 64
func.func private @shift(%x: memref<16xi8>, %y: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i8
  scf.for %i = %c0 to %c16 step %c1 {
    %next = arith.addi %i, %c1 : index
    %inside = arith.cmpi ule, %next, %c16 : index
    %v = scf.if %inside -> (i8) {
      %e = memref.load %x[%next] : memref<16xi8>
      scf.yield %e : i8
    } else {
      scf.yield %zero : i8
    }
    memref.store %v, %y[%i] : memref<16xi8>
  }
  func.return
}
func.func @main() {
  %x = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  %y = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  func.call @fill(%x) : (memref<16xi8>) -> ()
  func.call @shift(%x, %y) : (memref<16xi8>, memref<16xi8>) -> ()
  func.call @fill(%y) : (memref<16xi8>) -> ()
  func.return
}
func.func private @fill(%x: memref<16xi8>)

// -----

// An index that is known is judged where it is used at all.

// CHECK-LABEL: func.func private @never
pool.declare @p workspace size 64
func.func private @never(%x: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i8
  %is_inside = arith.cmpi ult, %c16, %c16 : index
  %v = scf.if %is_inside -> (i8) {
    %e = memref.load %x[%c16] : memref<16xi8>
    scf.yield %e : i8
  } else {
    scf.yield %zero : i8
  }
  memref.store %v, %x[%c1] : memref<16xi8>
  func.return
}
func.func @main() {
  %x = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  func.call @fill(%x) : (memref<16xi8>) -> ()
  func.call @never(%x) : (memref<16xi8>) -> ()
  func.call @fill(%x) : (memref<16xi8>) -> ()
  func.return
}
func.func private @fill(%x: memref<16xi8>)

// -----

// CHECK: 'memref.load' op index 16 of dimension 0, which has 16
pool.declare @p workspace size 64
func.func private @once(%x: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i8
  scf.for %i = %c0 to %c16 step %c1 {
    %is_last = arith.cmpi eq, %i, %c1 : index
    %v = scf.if %is_last -> (i8) {
      %e = memref.load %x[%c16] : memref<16xi8>
      scf.yield %e : i8
    } else {
      scf.yield %zero : i8
    }
    memref.store %v, %x[%c1] : memref<16xi8>
  }
  func.return
}
func.func @main() {
  %x = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  func.call @once(%x) : (memref<16xi8>) -> ()
  func.return
}
