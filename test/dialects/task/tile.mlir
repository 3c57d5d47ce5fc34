// RUN: stillpool-opt %s | filecheck %s
// RUN: stillpool-opt %s | stillpool-opt | filecheck %s

// The steps that a macro is short for stand in its place: blocks where there are more points, the loops in order, and
// one body for all points of a block.
// CHECK-LABEL: @blocks
// CHECK: schedule <split row 2, split column 4, order (row_o, column_o, c, row_i, column_i), jam row_i, jam column_i>
func.func private @blocks(%x: memref<6x8x3xi8>, %y: memref<6x8x3xi8>) {
  task.nest space(row = 6, column = 8, c = 3)
    finish (%value = %x[row, column, c] : memref<6x8x3xi8>) of () {
      task.yield %value : i8
    }
    writes (%y[row, column, c] : memref<6x8x3xi8>)
    schedule <tile (row 2, column 4)>
  func.return
}

// Dimensions that are named come first.
// CHECK-LABEL: @outside
// CHECK: schedule <split c 2, order (c_o, column, row, c_i), jam c_i>
func.func private @outside(%x: memref<6x8x3xi8>, %y: memref<6x8x3xi8>) {
  task.nest space(row = 6, column = 8, c = 3)
    finish (%value = %x[row, column, c] : memref<6x8x3xi8>) of () {
      task.yield %value : i8
    }
    writes (%y[row, column, c] : memref<6x8x3xi8>)
    schedule <tile (c 2) outside (c, column)>
  func.return
}

// What has no more points is inside as a whole.
// CHECK-LABEL: @all_points
// CHECK: schedule <split row 2, order (row_o, column, row_i, c), jam row_i, jam c>
func.func private @all_points(%x: memref<6x8x3xi8>, %y: memref<6x8x3xi8>) {
  task.nest space(row = 6, column = 8, c = 3)
    finish (%value = %x[row, column, c] : memref<6x8x3xi8>) of () {
      task.yield %value : i8
    }
    writes (%y[row, column, c] : memref<6x8x3xi8>)
    schedule <tile (row 2, c 4)>
  func.return
}

// Loops that stay as they are need no step.
// CHECK-LABEL: @in_order
// CHECK: schedule <jam c>
func.func private @in_order(%x: memref<6x8x3xi8>, %y: memref<6x8x3xi8>) {
  task.nest space(row = 6, column = 8, c = 3)
    finish (%value = %x[row, column, c] : memref<6x8x3xi8>) of () {
      task.yield %value : i8
    }
    writes (%y[row, column, c] : memref<6x8x3xi8>)
    schedule <tile (c 3)>
  func.return
}

// It names what the steps before it made, and is named by those behind it.
// CHECK-LABEL: @behind_steps
// CHECK: schedule <block column 4, split column_i 2, order (row, column_o, column_i_o, c, column_i_i), jam column_i_i, unroll row>
func.func private @behind_steps(%x: memref<6x8x3xi8>, %y: memref<6x8x3xi8>) {
  task.nest space(row = 6, column = 8, c = 3)
    finish (%value = %x[row, column, c] : memref<6x8x3xi8>) of () {
      task.yield %value : i8
    }
    writes (%y[row, column, c] : memref<6x8x3xi8>)
    schedule <block column 4, tile (column_i 2), unroll row>
  func.return
}
