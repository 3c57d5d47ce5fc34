// RUN: stillpool-opt %s -p split-rows{segments=0-2} | filecheck %s

// Weights of a product with all of it come in parts, one for each row.
// CHECK:      sym_name = "weights_0", {{.*}} dense<{{\[\[}}1, 2, 3, 4, 5], [21, 22, 23, 24, 25]]>
// CHECK:      sym_name = "weights_3", {{.*}} dense<{{\[\[}}16, 17, 18, 19, 20], [36, 37, 38, 39, 40]]>
// CHECK-NOT:  sym_name = "weights"
// A row of zeros above, then a column of zeros before each row: tasks that make some rows, or parts of rows. The first
// row reads nothing, all others read one row.
// CHECK:      func.func private @pad_row_0(%out: memref<5xi8>) {
// CHECK:        task.nest space(i = 5)
// CHECK-NOT:    task.nest
// CHECK:        writes (%out[i] : memref<5xi8>)
// CHECK:      func.func private @pad_row_1(%in: memref<4xi8>, %out: memref<5xi8>) {
// CHECK:        task.nest space(y = 1, x = 4)
// CHECK:          finish (%v = %in[x] : memref<4xi8>)
// CHECK:        writes (%out[5 * y + x + 1] : memref<5xi8>)
// CHECK:        task.nest space(y = 1)
// CHECK:        writes (%out[5 * y] : memref<5xi8>)
// CHECK-NOT:  @pad_row_2

// The sums of products are a buffer between two rows.
// CHECK:      func.func private @dense_row_0(%in: memref<5xi8>, %w: memref<2x5xi8>, %acc_between_rows: memref<2xi32>) {
// CHECK:      func.func private @dense_row_1(%in: memref<5xi8>, %w: memref<2x5xi8>, %acc_between_rows: memref<2xi32>) {
// CHECK:          start (%{{.*}} = %acc_between_rows[o] : memref<2xi32>)
// CHECK:      func.func private @dense_row_2(%in: memref<5xi8>, %w: memref<2x5xi8>, %out: memref<2xi32>, %acc_between_rows: memref<2xi32>) {

memref.global "private" constant @weights : memref<2x20xi8> = dense<[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], [21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40]]>

func.func private @same(%in: memref<3x4xi8>, %out: memref<3x4xi8>) {
  task.nest space(y = 3, x = 4)
    finish (%v = %in[y, x] : memref<3x4xi8>) {
      %0 = arith.addi %v, %v : i8
      task.yield %0 : i8
    }
    writes (%out[y, x] : memref<3x4xi8>)
  func.return
}

func.func private @pad(%in: memref<12xi8>, %out: memref<20xi8>) {
  %zero = arith.constant 0 : i8
  task.nest space(y = 3, x = 4)
    finish (%v = %in[4 * y + x] : memref<12xi8>) {
      task.yield %v : i8
    }
    writes (%out[5 * y + x + 6] : memref<20xi8>)
  task.nest space(i = 5)
    finish () {
      task.yield %zero : i8
    }
    writes (%out[i] : memref<20xi8>)
  task.nest space(y = 3)
    finish () {
      task.yield %zero : i8
    }
    writes (%out[5 * y + 5] : memref<20xi8>)
  func.return
}

func.func private @dense(%in: memref<20xi8>, %w: memref<2x20xi8>, %out: memref<2xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(o = 2) fold(i = 20)
    start () {
      task.yield %zero : i32
    }
    step (%v = %in[i] : memref<20xi8>, %u = %w[o, i] : memref<2x20xi8>) into (%acc: i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%out[o] : memref<2xi32>)
  func.return
}

func.func @main(%x: memref<3x4xi8> {pool.io = "input"}, %y: memref<2xi32> {pool.io = "output"}) {
  %w = memref.get_global @weights : memref<2x20xi8>
  %a = memref.alloc() : memref<3x4xi8>
  func.call @same(%x, %a) : (memref<3x4xi8>, memref<3x4xi8>) -> ()
  %af = memref.reinterpret_cast %a to offset: [0], sizes: [12], strides: [1] : memref<3x4xi8> to memref<12xi8>
  %b = memref.alloc() : memref<4x5xi8>
  %bf = memref.reinterpret_cast %b to offset: [0], sizes: [20], strides: [1] : memref<4x5xi8> to memref<20xi8>
  func.call @pad(%af, %bf) : (memref<12xi8>, memref<20xi8>) -> ()
  func.call @dense(%bf, %w, %y) : (memref<20xi8>, memref<2x20xi8>, memref<2xi32>) -> ()
  func.return
}
