// RUN: stillpool-opt %s -p split-rows,lower-tasks,usmp | filecheck %s --check-prefix CHOSEN
// RUN: stillpool-opt %s -p 'split-rows{segments="1-2"}' | filecheck %s --check-prefix PINNED
// RUN: stillpool-opt %s -p 'split-rows{segments="0","1-2"},lower-tasks,usmp' | filecheck %s --check-prefix FIRST
// RUN: not stillpool-opt %s -p 'split-rows{segments="0-1","1-2"}' 2>&1 | filecheck %s --check-prefix TWICE
// RUN: not stillpool-opt %s -p 'split-rows{segments="5-9"}' 2>&1 | filecheck %s --check-prefix NOWHERE
// RUN: not stillpool-opt %s -p 'split-rows{segments="2-1"}' 2>&1 | filecheck %s --check-prefix RANGE

// Three operators, each of which adds neighbouring rows. The pass says which run together; a hand may say otherwise.

// CHOSEN:     pool.declare @workspace workspace size 12
// CHOSEN:     func.call @sums_row_0({{.*}}pool.row_segment = 0 : i64

// The first operator is in no segment: it runs as a whole, so that its result is a whole tensor, too.
// PINNED:     %[[A:a.*]] = memref.alloc() : memref<6x4xi8>
// PINNED:     func.call @sums(%x, %[[A]])
// PINNED:     func.call @sums_row_0({{.*}}pool.row_segment = 0 : i64
// PINNED-NOT: func.call @sums(

// Rows of the first are all made before those of the others begin.
// FIRST:      pool.declare @workspace workspace size 24

// TWICE:      split-rows: an operator from 1 to 2 is in another segment already
// NOWHERE:    split-rows: no operator has a number from 5 to 9
// RANGE:      split-rows: row segment '2-1' is no range of operators: write the first and the last operator of a segment, as 0-3

func.func private @sums(%in: memref<6x4xi8>, %out: memref<6x4xi8>) {
  %zero = arith.constant 0 : i8
  task.nest space(y = 6, x = 4) fold(ky = 2) where(iy = y + ky)
    start () {
      task.yield %zero : i8
    }
    step (%v = clip %in[iy, x] : memref<6x4xi8>) into (%acc: i8) {
      %0 = arith.addi %acc, %v : i8
      task.yield %0 : i8
    }
    finish () of (%sum: i8) {
      task.yield %sum : i8
    }
    writes (%out[y, x] : memref<6x4xi8>)
  func.return
}

func.func @chain(%x: memref<6x4xi8>, %y: memref<6x4xi8>) {
  %a = memref.alloc() : memref<6x4xi8>
  %b = memref.alloc() : memref<6x4xi8>
  func.call @sums(%x, %a) : (memref<6x4xi8>, memref<6x4xi8>) -> ()
  func.call @sums(%a, %b) : (memref<6x4xi8>, memref<6x4xi8>) -> ()
  func.call @sums(%b, %y) : (memref<6x4xi8>, memref<6x4xi8>) -> ()
  func.return
}
