// RUN: stillpool-opt -p usmp-check %s --split-input-file --verify-diagnostics | filecheck %s

// Tiles of a buffer that end with it: steps of three to 15, the last tile takes bytes 12 to 15.

// CHECK-LABEL: func.func @tiles
pool.declare @p workspace size 64
func.func @tiles() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c14 = arith.constant 14 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<15xi8>
  scf.for %i = %c0 to %c14 step %c3 {
    %v = memref.view %a[%i][] : memref<15xi8> to memref<3xi8>
    %s = memref.subview %a[%i] [3] [1] : memref<15xi8> to memref<3xi8, strided<[1], offset: ?>>
    %r = memref.reinterpret_cast %a to offset: [%i], sizes: [3], strides: [1] : memref<15xi8> to memref<3xi8, strided<[1], offset: ?>>
  }
  func.return
}

// -----

// A window of a caller's matrix, moved by the loop.

// CHECK-LABEL: func.func @window
func.func @window(%in: memref<4x4xi16>, %out: memref<8xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %part = memref.subview %in[%i, 1] [2, 3] [1, 1] : memref<4x4xi16> to memref<2x3xi16, strided<[4, 1], offset: ?>>
    %e = memref.load %part[%c1, %i] : memref<2x3xi16, strided<[4, 1], offset: ?>>
    memref.store %e, %out[%i] : memref<8xi16>
  }
  func.return
}

// -----

// CHECK: 'memref.subview' op takes elements 3 to 4 of dimension 0, which has 4
func.func @window(%in: memref<4x4xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %part = memref.subview %in[%i, 1] [2, 3] [1, 1] : memref<4x4xi16> to memref<2x3xi16, strided<[4, 1], offset: ?>>
  }
  func.return
}

// -----

// CHECK: 'memref.view' op takes bytes 15 to 18 of a memref of 16 bytes
pool.declare @p workspace size 64
func.func @f() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  scf.for %i = %c0 to %c16 step %c3 {
    %v = memref.view %a[%i][] : memref<16xi8> to memref<3xi8>
  }
  func.return
}

// -----

// The last tile is smaller: as many bytes as are left.

// CHECK-LABEL: func.func @last_tile_is_smaller
pool.declare @p workspace size 64
func.func @last_tile_is_smaller() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  scf.for %i = %c0 to %c16 step %c3 {
    %left = arith.subi %c16, %i : index
    %n = arith.minsi %left, %c3 : index
    %v = memref.view %a[%i][%n] : memref<16xi8> to memref<?xi8>
    %s = memref.subview %a[%i] [%n] [1] : memref<16xi8> to memref<?xi8, strided<[1], offset: ?>>
  }
  func.return
}

// -----

// CHECK: 'memref.subview' op takes elements 15 to 17 of dimension 0, which has 16
pool.declare @p workspace size 64
func.func @f() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  scf.for %i = %c0 to %c16 step %c3 {
    %s = memref.subview %a[%i] [3] [1] : memref<16xi8> to memref<3xi8, strided<[1], offset: ?>>
  }
  func.return
}

// -----

// CHECK: 'memref.reinterpret_cast' op takes elements 14 to 17 of a buffer that has 16
pool.declare @p workspace size 64
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  scf.for %i = %c0 to %c8 step %c1 {
    %at = arith.muli %i, %c2 : index
    %r = memref.reinterpret_cast %a to offset: [%at], sizes: [2, 2], strides: [2, 1] : memref<16xi8> to memref<2x2xi8, strided<[2, 1], offset: ?>>
  }
  func.return
}

// -----

// Two loops: a triangle of which each row lies inside, and the same one row too far.

// CHECK-LABEL: func.func @triangle
pool.declare @p workspace size 64
func.func @triangle() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<4x4xi8>
  scf.for %i = %c0 to %c4 step %c1 {
    %left = arith.subi %c4, %i : index
    scf.for %j = %c0 to %left step %c1 {
      %at = arith.addi %i, %j : index
      %s = memref.subview %a[%at, %i] [1, 1] [1, 1] : memref<4x4xi8> to memref<1x1xi8, strided<[4, 1], offset: ?>>
    }
  }
  func.return
}

// -----

// CHECK: 'memref.subview' op takes elements 4 to 4 of dimension 0, which has 4
pool.declare @p workspace size 64
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<4x4xi8>
  scf.for %i = %c0 to %c4 step %c1 {
    %left = arith.subi %c5, %i : index
    scf.for %j = %c0 to %left step %c1 {
      %at = arith.addi %i, %j : index
      %s = memref.subview %a[%at, %i] [1, 1] [1, 1] : memref<4x4xi8> to memref<1x1xi8, strided<[4, 1], offset: ?>>
    }
  }
  func.return
}

// -----

// A branch keeps the view inside; the other branch would not.

// CHECK-LABEL: func.func @guarded
pool.declare @p workspace size 64
func.func @guarded() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  scf.for %i = %c0 to %c16 step %c1 {
    %is_inside = arith.cmpi sle, %i, %c8 : index
    scf.if %is_inside {
      %v = memref.view %a[%i][] : memref<16xi8> to memref<8xi8>
    }
  }
  func.return
}

// -----

// CHECK: 'memref.view' op takes bytes 9 to 17 of a memref of 16 bytes
pool.declare @p workspace size 64
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  scf.for %i = %c0 to %c16 step %c1 {
    %is_inside = arith.cmpi sle, %i, %c8 : index
    scf.if %is_inside {
    } else {
      %v = memref.view %a[%i][] : memref<16xi8> to memref<8xi8>
    }
  }
  func.return
}

// -----

// Too many iterations to look at each: spans tell, exact for a step of three.

// CHECK-LABEL: func.func @many
pool.declare @p workspace size 4000000
func.func @many() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 3999998 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<3999999xi8>
  scf.for %i = %c0 to %n step %c3 {
    %v = memref.view %a[%i][] : memref<3999999xi8> to memref<3xi8>
  }
  func.return
}

// -----

// CHECK: 'memref.view' op takes bytes 3999999 to 4000002 of a memref of 3999999 bytes
pool.declare @p workspace size 4000000
func.func @f() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 4000000 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<3999999xi8>
  scf.for %i = %c0 to %n step %c3 {
    %v = memref.view %a[%i][] : memref<3999999xi8> to memref<3xi8>
  }
  func.return
}

// -----

// CHECK: 'memref.view' op may leave its memref: where it lies cannot be bounded, for a quotient is not bounded
pool.declare @p workspace size 4000000
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4000000 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<4000000xi8>
  scf.for %i = %c0 to %n step %c1 {
    %below = arith.subi %c1, %i : index
    %at = arith.divsi %below, %n : index
    %v = memref.view %a[%at][] : memref<4000000xi8> to memref<1xi8>
  }
  func.return
}

// -----

// Where run time alone knows, that is the program's own business.

// CHECK-LABEL: func.func @loaded
pool.declare @p workspace size 64
func.func @loaded(%where: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  scf.for %i = %c0 to %c4 step %c1 {
    %at = memref.load %where[%i] : memref<4xindex>
    %v = memref.view %a[%at][] : memref<16xi8> to memref<8xi8>
  }
  func.return
}
