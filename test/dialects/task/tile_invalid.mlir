// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: tile (row 2, k 2): k is a dimension of the fold
func.func private @f(%x: memref<6x4xi32>, %y: memref<6xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(row = 6) fold(k = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[row, k] : memref<6x4xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[row] : memref<6xi32>)
    schedule <tile (row 2, k 2)>
  func.return
}

// -----

// CHECK: tile (row 2) outside (k): k is a dimension of the fold
func.func private @f(%x: memref<6x4xi32>, %y: memref<6xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(row = 6) fold(k = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[row, k] : memref<6x4xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[row] : memref<6xi32>)
    schedule <tile (row 2) outside (k)>
  func.return
}

// -----

// CHECK: tile (row 2, row 3): row is named twice
func.func private @f(%x: memref<6x4xi32>, %y: memref<6xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(row = 6) fold(k = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[row, k] : memref<6x4xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[row] : memref<6xi32>)
    schedule <tile (row 2, row 3)>
  func.return
}

// -----

// CHECK: schedule: there is no dimension column (there are row, k)
func.func private @f(%x: memref<6x4xi32>, %y: memref<6xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(row = 6) fold(k = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[row, k] : memref<6x4xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[row] : memref<6xi32>)
    schedule <tile (column 2)>
  func.return
}

// -----

// CHECK: split row 1: blocks have from 2 to 6 points
func.func private @f(%x: memref<6x4xi32>, %y: memref<6xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(row = 6) fold(k = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[row, k] : memref<6x4xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[row] : memref<6xi32>)
    schedule <tile (row 1)>
  func.return
}

// -----

// CHECK: jam row: it is unrolled already
func.func private @f(%x: memref<6x4xi32>, %y: memref<6xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(row = 6) fold(k = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[row, k] : memref<6x4xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[row] : memref<6xi32>)
    schedule <unroll row, tile (row 6)>
  func.return
}

// -----

// Where the text of an attribute stands alone nobody knows the dimensions.
// CHECK: 'task.nest' op tile (i 2): it is short for other steps, which are to stand in its place: split i 2, order (i_o, i_i), jam i_i
func.func private @f(%x: memref<6xi32>, %y: memref<6xi32>) {
  "task.nest"(%x, %y) <{
    space = #task.dims<i = 6>, fold = #task.dims<>, names = [], where = affine_map<(d0) -> ()>,
    maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], clips = array<i64>,
    operandSegmentSizes = array<i32: 0, 0, 1, 1>, schedule = #task.schedule<tile (i 2)>
  }> ({}, {}, {
  ^bb0(%v: i32):
    task.yield %v : i32
  }) : (memref<6xi32>, memref<6xi32>) -> ()
  func.return
}

// -----

// Nothing could say which one is meant.
// CHECK: split row 2: there is a loop row_o already
func.func private @f(%x: memref<6x4xi32>, %y: memref<6x4xi32>) {
  task.nest space(row = 6, row_o = 4)
    finish (%v = %x[row, row_o] : memref<6x4xi32>) of () {
      task.yield %v : i32
    }
    writes (%y[row, row_o] : memref<6x4xi32>)
    schedule <split row 2, unroll row_o>
  func.return
}
