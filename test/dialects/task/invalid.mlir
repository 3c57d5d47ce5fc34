// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: 'task.nest' op name i is given twice
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(i = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
  func.return
}

// -----

// CHECK: 'task.nest' op step reads of memref<6xi32> runs from 0 to 6 in index 0, out of its 6 elements
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
  func.return
}

// -----

// CHECK: 'task.nest' op writes of memref<4xi32> runs from 1 to 4 in index 0, out of its 4 elements
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i + 1] : memref<4xi32>)
  func.return
}

// -----

// CHECK: 'task.nest' op writes of memref<4xi32> depends on a fold dimension in index 0
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[k] : memref<4xi32>)
  func.return
}

// -----

// CHECK: 'task.nest' op step reads of memref<6xi32> has 2 indices for 1 dimensions
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i, k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
  func.return
}

// -----

// CHECK: 'task.nest' op an index is a sum of dimensions times constants
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i mod 2] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
  func.return
}

// -----

// CHECK: Identifier not in space j
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[j] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
  func.return
}

// -----

// CHECK: 'task.nest' op a clipped index that leaves its buffer must depend on one fold dimension
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %x[4 * i] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
  func.return
}

// -----

// CHECK: 'task.nest' op a clipped index that counts down must start at 0 or above
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %x[i - 2 * k - 1] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
  func.return
}

// -----

// CHECK: 'task.nest' op step must yield i32
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %zero, %zero : i32, i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
  func.return
}

// -----

// CHECK: 'task.nest' op schedule: there is no dimension j (there are i, k)
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <unroll j>
  func.return
}

// -----

// CHECK: 'task.nest' op jam k: it is a fold dimension, whose points share one accumulator
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <jam k>
  func.return
}

// -----

// CHECK: 'task.nest' op split i 5: blocks have from 2 to 4 points
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <split i 5>
  func.return
}

// -----

// CHECK: 'task.nest' op order names i: it must name each of i, k once
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <order (i)>
  func.return
}

// -----

// CHECK: 'task.nest' op order: space dimension i inside the fold must be jammed
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <order (k, i)>
  func.return
}

// -----

// CHECK: 'task.nest' op order: i_i must be inside i_o
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <split i 2, order (i_i, i_o, k)>
  func.return
}

// -----

// CHECK: 'task.nest' op schedule: the fold is ordered, its loops are k, from the first point on
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) ordered fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <reverse k>
  func.return
}

// -----

// CHECK: 'task.nest' op schedule: the fold is ordered, its loops are k_o, k_i, c, from the first point on
func.func private @f(%x: memref<6x2xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) ordered fold(k = 3, c = 2)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k, c] : memref<6x2xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <split k 2, order (i, k_o, c, k_i)>
  func.return
}

// -----

// CHECK: 'task.nest' op unroll k: clipping makes its range depend on the place
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %x[i + k - 1] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <unroll k>
  func.return
}

// -----

// CHECK: 'task.nest' op jam i: the range of k depends on it, for a read is clipped
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %x[i + k - 1] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <jam i>
  func.return
}

// -----

// CHECK: expected a step of a schedule (order, split, {{.*}}fold_zero_point{{.*}}), got fuse
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <fuse i>
  func.return
}

// -----

// CHECK: dual 2 1: a run has 1 to 1 dimensions, and 1 pair or more
func.func private @f(%x: memref<6xi8>, %w: memref<5x3xi8>, %y: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi8>, %u = %w[c, k] : memref<5x3xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x5xi32>)
    schedule <dual 2 1>
  func.return
}

// -----

// CHECK: dual 1 0: a run has 1 to 1 dimensions, and 1 pair or more
func.func private @f(%x: memref<6xi8>, %w: memref<5x3xi8>, %y: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi8>, %u = %w[c, k] : memref<5x3xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x5xi32>)
    schedule <dual 1 0>
  func.return
}

// -----

// CHECK: whole: it does not go with dual 1 1
func.func private @f(%x: memref<6xi8>, %w: memref<5x3xi8>, %y: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi8>, %u = %w[c, k] : memref<5x3xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x5xi32>)
    schedule <dual 1 1, whole>
  func.return
}

// -----

// CHECK: k: with dual the fold runs in pairs of points, in order
func.func private @f(%x: memref<6xi8>, %w: memref<5x3xi8>, %y: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi8>, %u = %w[c, k] : memref<5x3xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x5xi32>)
    schedule <split k 2, dual 1 1>
  func.return
}

// -----

// CHECK: dual: bytes are of two channels each: jam an even number of them, or all, or none with direct
func.func private @f(%x: memref<6xi8>, %w: memref<5x3xi8>, %y: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi8>, %u = %w[c, k] : memref<5x3xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x5xi32>)
    schedule <split c 3, order (i, c_o, c_i, k), jam c_i, dual 1 1 bytes>
  func.return
}

// -----

// CHECK: dual: 4 channels share a word of nibbles: jam a multiple of that, or all
func.func private @f(%x: memref<6xi8>, %w: memref<5x3xi8>, %y: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi8>, %u = %w[c, k] : memref<5x3xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x5xi32>)
    schedule <split c 3, order (i, c_o, c_i, k), jam c_i, dual 1 1 nibbles>
  func.return
}

// -----

// CHECK: dual 1 1 bytes: an element of the constant does not fit a byte
func.func private @f(%x: memref<6xi8>, %w: memref<5x3xi12>, %y: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi8>, %u = %w[c, k] : memref<5x3xi12>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i12 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x5xi32>)
    schedule <order (i, c, k), jam c, dual 1 1 bytes>
  func.return
}

// -----

// CHECK: k: with dual the fold runs in pairs of points, in order
func.func private @f(%x: memref<6xi8>, %w: memref<5x3xi8>, %y: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi8>, %u = %w[c, k] : memref<5x3xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x5xi32>)
    schedule <reverse k, dual 1 1>
  func.return
}

// -----

// CHECK: order: with dual i must be outside of what only the packed constant depends on
func.func private @f(%x: memref<6xi8>, %w: memref<5x3xi8>, %y: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi8>, %u = %w[c, k] : memref<5x3xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x5xi32>)
    schedule <order (c, i, k), dual 1 1>
  func.return
}

// -----

// CHECK: dual: the step is not a product of two narrow integers added to an i32
func.func private @f(%x: memref<6xi8>, %w: memref<5x3xi8>, %y: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 5) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi8>, %u = %w[c, k] : memref<5x3xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.subi %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x5xi32>)
    schedule <dual 1 1>
  func.return
}

// -----

// CHECK: words: one dimension is jammed, with 4 points in order
func.func private @f(%x: memref<6x4xi8>, %w: memref<3x4xi8>, %y: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k, c] : memref<6x4xi8>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x4xi32>)
    schedule <words>
  func.return
}

// -----

// CHECK: words: one dimension is jammed, with 4 points in order
func.func private @f(%x: memref<6x4xi8>, %w: memref<3x4xi8>, %y: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k, c] : memref<6x4xi8>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x4xi32>)
    schedule <reverse c, jam c, words>
  func.return
}

// -----

// CHECK: whole: it does not go with words
func.func private @f(%x: memref<6x4xi8>, %w: memref<3x4xi8>, %y: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k, c] : memref<6x4xi8>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x4xi32>)
    schedule <jam c, words, whole>
  func.return
}

// -----

// CHECK: words: memref<6x4xi16> does not hold bytes side by side
func.func private @f(%x: memref<6x4xi16>, %w: memref<3x4xi8>, %y: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k, c] : memref<6x4xi16>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i16 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x4xi32>)
    schedule <jam c, words>
  func.return
}

// -----

// CHECK: words: the zero point 256 is no byte as those of memref<6x4xi8>
func.func private @f(%x: memref<6x4xi8>, %w: memref<3x4xi8>, %y: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k, c] : memref<6x4xi8>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extui %v : i8 to i32
      %far = arith.constant 256 : i32
      %less = arith.subi %0, %far : i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %less, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x4xi32>)
    schedule <jam c, words>
  func.return
}

// -----

// CHECK: words: c does not move along the last dimension of memref<4x6xi8>
func.func private @f(%x: memref<4x6xi8>, %w: memref<3x4xi8>, %y: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[c, i + k] : memref<4x6xi8>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x4xi32>)
    schedule <jam c, words>
  func.return
}

// -----

// CHECK: words: the step is not a product of two narrow integers added to an i32
func.func private @f(%x: memref<6x4xi8>, %w: memref<3x4xi8>, %y: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k, c] : memref<6x4xi8>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.subi %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x4xi32>)
    schedule <jam c, words>
  func.return
}

// -----

// CHECK: k: with words the fold runs in pairs of points, in order
func.func private @f(%x: memref<6x4xi8>, %w: memref<3x4xi8>, %y: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k, c] : memref<6x4xi8>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x4xi32>)
    schedule <jam c, unroll k, words>
  func.return
}

// -----

// CHECK: words k: it is no dimension of the space
func.func private @f(%x: memref<6x4xi8>, %w: memref<3x4xi8>, %y: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k, c] : memref<6x4xi8>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x4xi32>)
    schedule <jam c, words k>
  func.return
}

// -----

// CHECK: words i: nothing is clipped along it
func.func private @f(%x: memref<6x4xi8>, %w: memref<3x4xi8>, %y: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4, c = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k, c] : memref<6x4xi8>, %u = %w[k, c] : memref<3x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<4x4xi32>)
    schedule <jam c, words i>
  func.return
}

// -----

// CHECK: 'task.nest' op lanes: one dimension is jammed, with 4 points in order, or all of fewer
func.func private @f(%x: memref<6xi32>, %y: memref<6xi32>) {
  task.nest space(i = 6)
    finish (%v = %x[i] : memref<6xi32>) {
      task.yield %v : i32
    }
    writes (%y[i] : memref<6xi32>)
    schedule <split i 3, jam i_i, lanes>
  func.return
}

// -----

// CHECK: 'task.nest' op lanes: one dimension is jammed, with 4 points in order, or all of fewer
func.func private @f(%x: memref<6xi32>, %y: memref<6xi32>) {
  task.nest space(i = 6)
    finish (%v = %x[i] : memref<6xi32>) {
      task.yield %v : i32
    }
    writes (%y[i] : memref<6xi32>)
    schedule <lanes>
  func.return
}

// -----

// CHECK: 'task.nest' op lanes: results do not lie side by side along i
func.func private @f(%x: memref<4xi32>, %y: memref<4x2xi32>) {
  task.nest space(i = 4)
    finish (%v = %x[i] : memref<4xi32>) {
      task.yield %v : i32
    }
    writes (%y[i, 0] : memref<4x2xi32>)
    schedule <jam i, lanes>
  func.return
}

// -----

// CHECK: 'task.nest' op lanes: 'arith.divsi' op is not computed in lanes
func.func private @f(%x: memref<4xi32>, %y: memref<4xi32>) {
  %two = arith.constant 2 : i32
  task.nest space(i = 4)
    finish (%v = %x[i] : memref<4xi32>) {
      %0 = arith.divsi %v, %two : i32
      task.yield %0 : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <jam i, lanes>
  func.return
}

// -----

// CHECK: split k 2 clamped: it is a fold dimension, whose points count once
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <split k 2 clamped>
  func.return
}

// -----

// CHECK: split i 2 clamped: the nest reads what it writes, so that its last points would count twice
func.func private @f(%x: memref<5xi32>, %y: memref<5xi32>) {
  task.nest space(i = 5)
    finish (%v = %x[i] : memref<5xi32>, %before = %y[i] : memref<5xi32>) {
      %sum = arith.addi %v, %before : i32
      task.yield %sum : i32
    }
    writes (%y[i] : memref<5xi32>)
    schedule <split i 2 clamped, jam i_i>
  func.return
}

// -----

// CHECK: 'task.nest' op lanes 16: the step is not a product of two narrow integers added to an i32
func.func private @f(%x: memref<4xi32>, %y: memref<4xi32>) {
  task.nest space(i = 4)
    finish (%v = %x[i] : memref<4xi32>) {
      task.yield %v : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <jam i, lanes 16>
  func.return
}

// -----

// CHECK: split i: the points of a clamped block must be jammed
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <split i 3 clamped>
  func.return
}

// -----

// CHECK: expected nothing or 16 after lanes, got 8
func.func private @f(%x: memref<4xi32>, %y: memref<4xi32>) {
  task.nest space(i = 4)
    finish (%v = %x[i] : memref<4xi32>) {
      task.yield %v : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <jam i, lanes 8>
  func.return
}

// -----

// CHECK: quads: one dimension is jammed, with 4 points in order in each of its blocks
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <quads>
  func.return
}

// -----

// CHECK: 'task.nest' op jam i_i: with swar only the packed constant is jammed
func.func private @f(%x: memref<6x4xi8>, %w: memref<8x4xi8>, %y: memref<6x8xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 6, c = 8) fold(k = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i, k] : memref<6x4xi8>, %u = %w[c, k] : memref<8x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<6x8xi32>)
    schedule <split i 2, order (i_o, i_i, c, k), jam i_i, swar 1>
  func.return
}

// -----

// CHECK: 'task.nest' op jam c: with swar 4 channels are jammed, or all of fewer
func.func private @f(%x: memref<6x4xi8>, %w: memref<8x4xi8>, %y: memref<6x8xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 6, c = 8) fold(k = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i, k] : memref<6x4xi8>, %u = %w[c, k] : memref<8x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<6x8xi32>)
    schedule <jam c, swar 1>
  func.return
}

// -----

// CHECK: 'task.nest' op swar 2: a run has 1 to 1 dimensions, and 1 pair or more
func.func private @f(%x: memref<6x4xi8>, %w: memref<8x4xi8>, %y: memref<6x8xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 6, c = 8) fold(k = 4)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i, k] : memref<6x4xi8>, %u = %w[c, k] : memref<8x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i, c] : memref<6x8xi32>)
    schedule <split c 4, order (i, c_o, c_i, k), jam c_i, swar 2>
  func.return
}

// -----

// CHECK: expand k: k is not the innermost loop over space
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <expand k>
  func.return
}

// -----

// CHECK: expand i: it does not go with whole
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <whole, expand i>
  func.return
}

// -----

// CHECK: expand i_i: no loop is jammed, and this one neither unrolled nor reversed
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <split i 2, unroll i_i, expand i_i>
  func.return
}

// -----

// CHECK: expand i: the range of k depends on it, for a read is clipped
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = clip %x[i + k - 1] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <expand i>
  func.return
}

// -----

// CHECK: expand i dots: the step is not a product of two narrow integers added to an i32
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <expand i dots>
  func.return
}

// -----

// CHECK: 'task.nest' op expand i: there is no fold
func.func private @f(%x: memref<4xi32>, %y: memref<4xi32>) {
  task.nest space(i = 4)
    finish (%v = %x[i] : memref<4xi32>) {
      task.yield %v : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <expand i>
  func.return
}

// -----

// CHECK: tensorize "set.kernel" (k, i): its loops are not the innermost ones of the space, then of the fold
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <tensorize "set.kernel" (k, i)>
  func.return
}

// -----

// CHECK: tensorize "set.kernel" (i): its loops are not the innermost ones of the space, then of the fold
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <tensorize "set.kernel" (i)>
  func.return
}

// -----

// CHECK: tensorize "set.kernel" (k): k is no loop over single points in order
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <reverse k, tensorize "set.kernel" (k)>
  func.return
}

// -----

// CHECK: tensorize "set.kernel" (k): it does not go with jam i
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <jam i, tensorize "set.kernel" (k)>
  func.return
}

// -----

// CHECK: expand i: it does not go with expand i
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <expand i, expand i>
  func.return
}

// -----

// CHECK: lanes 16: it does not go with lanes
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <jam i, lanes, lanes 16>
  func.return
}

// -----

// CHECK: direct: it says nothing without dual
func.func private @f(%x: memref<6xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(i = 4) fold(k = 3)
    start () {
      task.yield %zero : i32
    }
    step (%v = %x[i + k] : memref<6xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %v : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[i] : memref<4xi32>)
    schedule <jam i, direct>
  func.return
}
