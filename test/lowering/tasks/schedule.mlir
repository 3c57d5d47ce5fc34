// RUN: stillpool-opt -p lower-tasks %s | filecheck %s

// A register tile: two rows of the result at a time, which share each element of the right-hand side; the fifth row, no
// block of two, runs by itself. The fold runs in pairs without a loop of their own.
// CHECK-LABEL: @tile
// CHECK:         scf.for %row_o = %c0 to %c2 step %c1 {
// CHECK-NEXT:      %row = arith.muli %row_o, %c2 : index
// CHECK-NEXT:      scf.for %column
// CHECK-NEXT:        %row_1 = arith.addi %row, %c1 : index
// CHECK-NEXT:        %acc, %acc_1 = scf.for %k_o = {{.*}} iter_args(%[[A:.*]] = %zero, %[[B:.*]] = %zero) -> (i32, i32) {
// CHECK-NEXT:          %k = arith.muli %k_o, %c2 : index
// CHECK-NEXT:          %v = memref.load %x[%row, %k]
// CHECK-NEXT:          %u = memref.load %w[%k, %column]
// CHECK-NEXT:          %p = arith.muli %v, %u : i32
// CHECK-NEXT:          %next = arith.addi %[[A]], %p : i32
// CHECK-NEXT:          %v_1 = memref.load %x[%row_1, %k]
// CHECK-NEXT:          %p_1 = arith.muli %v_1, %u : i32
// CHECK-NEXT:          %next_1 = arith.addi %[[B]], %p_1 : i32
// CHECK-NEXT:          %k_1 = arith.addi %k, %c1 : index
// CHECK-NEXT:          memref.load %x[%row, %k_1]
// CHECK-NEXT:          memref.load %w[%k_1, %column]
// CHECK:             memref.store %acc, %y[%row, %column]
// CHECK-NEXT:        memref.store %acc_1, %y[%row_1, %column]
// CHECK:         scf.for %column
// CHECK:           memref.load %x[%c4, %k
// CHECK:           memref.store %{{.*}}, %y[%c4, %column
func.func private @tile(%x: memref<5x6xi32>, %w: memref<6x5xi32>, %y: memref<5x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(row = 5, column = 5) fold(k = 6)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[row, k] : memref<5x6xi32>, %u = %w[k, column] : memref<6x5xi32>) into (%acc : i32) {
      %p = arith.muli %v, %u : i32
      %next = arith.addi %acc, %p : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[row, column] : memref<5x5xi32>)
    schedule <split row 2, jam row_i, split k 2, unroll k_i>
  func.return
}

// Columns outside of rows, rows from the last to the first, no loop over the columns.
// CHECK-LABEL: @order
// CHECK:         scf.for %row_done = %c0 to %c3 step %c1 {
// CHECK-NEXT:      %row = arith.subi %c2, %row_done : index
// CHECK-NEXT:      %v = memref.load %x[%row, %c0]
// CHECK-NEXT:      memref.store %v, %y[%row, %c0]
// CHECK:         scf.for %row_done
// CHECK:           memref.load %x[%{{.*}}, %c1]
func.func private @order(%x: memref<3x2xi32>, %y: memref<3x2xi32>) {
  task.nest space(row = 3, column = 2)
    finish (%v = %x[row, column] : memref<3x2xi32>) {
      task.yield %v : i32
    }
    writes (%y[row, column] : memref<3x2xi32>)
    schedule <order (column, row), reverse row, unroll column>
  func.return
}
