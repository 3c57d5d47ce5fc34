// RUN: stillpool-opt -p usmp-check --split-input-file --verify-diagnostics %s | filecheck %s

// A table is read wherever loaded indices say. Its order against other buffers is still known: the output may take the
// place of the indices, each of which is loaded before anything is stored over it.

pool.declare @workspace workspace size 8
func.func private @look_up(%table: memref<4xi8>, %places: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %p = memref.load %places[%i] : memref<4xi8>
    %place = arith.index_cast %p : i8 to index
    %v = memref.load %table[%place] : memref<4xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func @over_indices() {
  %t = memref.alloc() {pool.name = "t", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %p = memref.alloc() {pool.name = "p", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  func.call @look_up(%t, %p, %y) : (memref<4xi8>, memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: func.func @over_indices

// -----

// Any element of the table may be read last: nothing may be stored over one before.

pool.declare @workspace workspace size 11
func.func private @look_up(%table: memref<4xi8>, %places: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %p = memref.load %places[%i] : memref<4xi8>
    %place = arith.index_cast %p : i8 to index
    %v = memref.load %table[%place] : memref<4xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func @over_table() {
  %t = memref.alloc() {pool.name = "t", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %p = memref.alloc() {pool.name = "p", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 6 : i64} : memref<4xi8>
  func.call @look_up(%t, %p, %y) : (memref<4xi8>, memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: @look_up reads buffer 't' after 'y' was written over it, at byte 6 of pool @workspace

// -----

// A store that may go anywhere may destroy what is read later.

pool.declare @workspace workspace size 8
func.func private @scatter(%places: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %p = memref.load %places[%i] : memref<4xi8>
    %place = arith.index_cast %p : i8 to index
    memref.store %p, %y[%place] : memref<4xi8>
  }
  func.return
}
func.func @over_itself() {
  %p = memref.alloc() {pool.name = "p", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  func.call @scatter(%p, %y) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: @scatter reads buffer 'p' after 'y' was written over it, at byte 1 of pool @workspace

// -----

// A store that may go anywhere gives no element a value for sure: what the scratch buffer destroyed stays destroyed.

pool.declare @workspace workspace size 8
func.func private @fill(%y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 7 : i8
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func private @scattered(%places: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i8
  %scratch = memref.alloc() {pool.name = "scratch", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %scratch[%i] : memref<4xi8>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %p = memref.load %places[%i] : memref<4xi8>
    %place = arith.index_cast %p : i8 to index
    memref.store %p, %y[%place] : memref<4xi8>
  }
  func.return
}
func.func @over_scattered() {
  %p = memref.alloc() {pool.name = "p", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  func.call @fill(%y) : (memref<4xi8>) -> ()
  func.call @scattered(%p, %y) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: the caller of @over_scattered reads buffer 'y' after 'scratch' was written over it, at byte 0 of pool @workspace

// -----

// Nor does one that may not happen.

pool.declare @workspace workspace size 8
func.func private @fill(%y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 7 : i8
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func private @sometimes(%places: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i8
  %scratch = memref.alloc() {pool.name = "scratch", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %scratch[%i] : memref<4xi8>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %p = memref.load %places[%i] : memref<4xi8>
    %is_less = arith.cmpi slt, %p, %zero : i8
    scf.if %is_less {
      memref.store %p, %y[%i] : memref<4xi8>
    }
  }
  func.return
}
func.func @over_sometimes() {
  %p = memref.alloc() {pool.name = "p", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  func.call @fill(%y) : (memref<4xi8>) -> ()
  func.call @sometimes(%p, %y) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: the caller of @over_sometimes reads buffer 'y' after 'scratch' was written over it, at byte 0 of pool @workspace

// -----

// One that goes everywhere does.

pool.declare @workspace workspace size 8
func.func private @fill(%y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 7 : i8
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func private @everywhere(%places: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i8
  %scratch = memref.alloc() {pool.name = "scratch", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %scratch[%i] : memref<4xi8>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %p = memref.load %places[%i] : memref<4xi8>
    memref.store %p, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func @over_everywhere() {
  %p = memref.alloc() {pool.name = "p", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  func.call @fill(%y) : (memref<4xi8>) -> ()
  func.call @everywhere(%p, %y) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: func.func @over_everywhere

// -----

// Of a part that is read at any place all of it counts, where it lies: the upper half of the table.

pool.declare @workspace workspace size 12
func.func private @look_up(%table: memref<4xi8>, %places: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %p = memref.load %places[%i] : memref<4xi8>
    %place = arith.index_cast %p : i8 to index
    %v = memref.load %table[%place] : memref<4xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func @over_upper_half() {
  %t = memref.alloc() {pool.name = "t", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %p = memref.alloc() {pool.name = "p", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 8 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 6 : i64} : memref<4xi8>
  %c4 = arith.constant 4 : index
  %high = memref.view %t[%c4][] : memref<8xi8> to memref<4xi8>
  func.call @look_up(%high, %p, %y) : (memref<4xi8>, memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: @look_up reads buffer 't' after 'y' was written over it, at byte 6 of pool @workspace

// -----

// What is stored over the lower half is never read.

pool.declare @workspace workspace size 12
func.func private @look_up(%table: memref<4xi8>, %places: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %p = memref.load %places[%i] : memref<4xi8>
    %place = arith.index_cast %p : i8 to index
    %v = memref.load %table[%place] : memref<4xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func @over_lower_half() {
  %t = memref.alloc() {pool.name = "t", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %p = memref.alloc() {pool.name = "p", pool.kind = #pool.kind<input>, pool.assigned = @workspace, pool.offset = 8 : i64} : memref<4xi8>
  %y = memref.alloc() {pool.name = "y", pool.kind = #pool.kind<output>, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<4xi8>
  %c4 = arith.constant 4 : index
  %high = memref.view %t[%c4][] : memref<8xi8> to memref<4xi8>
  func.call @look_up(%high, %p, %y) : (memref<4xi8>, memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
// CHECK: func.func @over_lower_half
