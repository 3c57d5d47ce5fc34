// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 optimize=speed},schedule{cpu=cortex-m4}' | filecheck %s
// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 optimize=size},schedule{cpu=cortex-m4}' | filecheck %s --check-prefix NONE
// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m3 optimize=speed},schedule{cpu=cortex-m3}' | filecheck %s --check-prefix NONE
// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 optimize=speed},schedule{cpu=cortex-m4},lower-tasks' | filecheck %s --check-prefix LOOPS

// A product of two matrices neither of which is constant: both are copied into words of two lanes, the columns that run
// side by side once for all rows. The last of three fold points is paired with zero.

// CHECK: schedule <split row 2, split column 4, order (column_o, row_o, row_i, column_i, i), jam row_i, jam column_i, dual 1 3 both>
// NONE-NOT: schedule <

// LOOPS-LABEL: @product
// LOOPS: %[[columns:.*]] = memref.alloc() {{.*}} : memref<12xi32>
// LOOPS: %[[rows:.*]] = memref.alloc() {{.*}} : memref<6xi32>
// LOOPS: scf.for %column_o
// LOOPS: simd.pack
// LOOPS: memref.store %{{.*}}, %[[columns]]
// LOOPS: scf.for %row_o
// LOOPS: memref.store %{{.*}}, %[[rows]]
// LOOPS: simd.dual_products %[[rows]][%{{.*}}] 3 unroll 3, %[[columns]]

func.func private @product(%x: memref<4x5xi8>, %y: memref<5x8xi8>, %output: memref<4x8xi32>) {
  %zero = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  task.nest space(row = 4, column = 8) fold(i = 5)
    start () {
      task.yield %zero : i32
    }
    step (%value = %x[row, i] : memref<4x5xi8>, %weight = %y[i, column] : memref<5x8xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %c3 overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.addi %2, %c3 overflow<nsw> : i32
      %4 = arith.muli %1, %3 overflow<nsw> : i32
      %next = arith.addi %acc, %4 overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[row, column] : memref<4x8xi32>)
  func.return
}

func.func @main(%x: memref<4x5xi8>, %y: memref<5x8xi8>, %output: memref<4x8xi32>) {
  func.call @product(%x, %y, %output) : (memref<4x5xi8>, memref<5x8xi8>, memref<4x8xi32>) -> ()
  func.return
}
