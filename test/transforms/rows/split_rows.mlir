// RUN: stillpool-opt %s -p split-rows | filecheck %s
// RUN: stillpool-opt %s -p split-rows,lower-tasks,usmp | filecheck %s --check-prefix ROWS
// RUN: stillpool-opt %s -p lower-tasks,usmp | filecheck %s --check-prefix WHOLE

// A blur with wide sums, and one that makes them narrow again: a row of the second is made as soon as the three rows of
// sums are there.

// Of products, rows of zero points stand where the window reaches over an edge: all rows are made by one function.
// CHECK:      memref.global{{.*}}sym_name = "outside_0", type = memref<4xi8>, initial_value = dense<0>
// CHECK:      func.func private @sums_row_0(%in: memref<1x4xi8>, %in_1: memref<1x4xi8>, %in_2: memref<1x4xi8>, {{.*}}, %out: memref<1x4xi32>)
// CHECK:        %[[INPUT:.*]] = task.join 0 of %in, %in_1, %in_2
// CHECK:        clip %[[INPUT]][ky, ix] : memref<3x4xi8>, %u = %w[ky, kx] : memref<3x3xi8>
// CHECK-NOT:  @sums_row_1

// Rows of the sums are buffers of their own, and the loop over them is written out. Where nothing is multiplied, rows at
// edges need a function. The last row, which has nothing below it, is made as the first one is.
// CHECK:      func.func private @narrow_row_0(%in: memref<1x4xi32>, %in_1: memref<1x4xi32>, %out: memref<1x4xi8>) attributes {nn.comment = "a row of SUM: 6x4 -> 6x4"}
// CHECK:      func.func private @narrow_row_1(
// CHECK:        %[[WINDOW:.*]] = task.join 0 of %in, %in_1, %in_2
// CHECK:        clip %[[WINDOW]][ky, x] : memref<3x4xi32>
// CHECK:        schedule <unroll ky>
// CHECK-NOT:  @narrow_row_2

// CHECK:      func.func @twice(%x: memref<6x4xi8> {pool.io = "input", pool.divided}
// CHECK:        %[[OUTSIDE:.*]] = memref.view %outside[
// CHECK:        func.call @sums_row_0(%[[OUTSIDE]], %{{.*}}, %{{.*}}, %w, %first)
// CHECK:        func.call @sums_row_0({{.*}}, %[[A:[a-z0-9_]+]])
// CHECK:        func.call @narrow_row_0(%first, %[[A]], %{{.*}})
// CHECK:        func.call @sums_row_0({{.*}}, %[[B:[a-z0-9_]+]])
// CHECK:        func.call @narrow_row_1(%first, %[[A]], %[[B]], %{{.*}})
// CHECK:        func.call @sums_row_0(%{{.*}}, %{{.*}}, %[[OUTSIDE]], %w, %[[LAST:[a-z0-9_]+]])
// CHECK:        func.call @narrow_row_1({{.*}}, %[[LAST]], %{{.*}})
// CHECK:        func.call @narrow_row_0({{.*}}, %[[LAST]], %{{.*}})

// WHOLE:      pool.declare @workspace workspace size 96
// ROWS:       pool.declare @workspace workspace size 48

func.func private @sums(%in: memref<6x4xi8>, %w: memref<3x3xi8>, %out: memref<6x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(y = 6, x = 4) fold(ky = 3, kx = 3) where(iy = y + ky - 1, ix = x + kx - 1)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %in[iy, ix] : memref<6x4xi8>, %u = %w[ky, kx] : memref<3x3xi8>) into (%acc: i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%out[y, x] : memref<6x4xi32>)
  func.return
}

func.func private @narrow(%in: memref<6x4xi32>, %out: memref<6x4xi8>) attributes {nn.comment = "SUM: 6x4 -> 6x4"} {
  %zero = arith.constant 0 : i32
  task.nest space(y = 6, x = 4) fold(ky = 3) where(iy = y + ky - 1)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %in[iy, x] : memref<6x4xi32>) into (%acc: i32) {
      %0 = arith.addi %acc, %v : i32
      task.yield %0 : i32
    }
    finish () of (%sum: i32) {
      %1 = arith.trunci %sum : i32 to i8
      task.yield %1 : i8
    }
    writes (%out[y, x] : memref<6x4xi8>)
  func.return
}

memref.global constant @weights : memref<3x3xi8> = dense<[[1, 2, 1], [2, 4, 2], [1, 2, 1]]>

func.func @twice(%x: memref<6x4xi8> {pool.io = "input"}, %y: memref<6x4xi8> {pool.io = "output"}) {
  %w = memref.get_global @weights : memref<3x3xi8>
  %first = memref.alloc() : memref<6x4xi32>
  func.call @sums(%x, %w, %first) : (memref<6x4xi8>, memref<3x3xi8>, memref<6x4xi32>) -> ()
  func.call @narrow(%first, %y) : (memref<6x4xi32>, memref<6x4xi8>) -> ()
  func.return
}
