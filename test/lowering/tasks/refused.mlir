// RUN: stillpool-opt %s --split-input-file --verify-diagnostics -p lower-tasks | filecheck %s

// What is clipped counts as the zero point, and is an element.
// CHECK: dual: the zero point 130 is no number of memref<6x4xi8>
"memref.global"() <{sym_name = "gw", type = memref<8x3x4xi8>, initial_value = dense<1> : tensor<8x3x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "gb", type = memref<8xi32>, initial_value = dense<2> : tensor<8xi32>, sym_visibility = "private", constant}> : () -> ()

func.func @f(%x: memref<6x4xi8>, %y: memref<6x8xi32>) {
  %zp = arith.constant 130 : i32
  %wz = arith.constant 0 : i32
  %w = memref.get_global @gw : memref<8x3x4xi8>
  %b = memref.get_global @gb : memref<8xi32>
  task.nest space(o = 6, c = 8) fold(k = 3, i = 4) where(p = o + 1 * k - 1)
  start (%bias = %b[c] : memref<8xi32>) {
    task.yield %bias : i32
  }
  step (%v = clip %x[p, i] : memref<6x4xi8>, %u = %w[c, k, i] : memref<8x3x4xi8>) into (%a : i32) {
    %0 = arith.extsi %v : i8 to i32
    %1 = arith.subi %0, %zp : i32
    %2 = arith.extsi %u : i8 to i32
    %3 = arith.subi %2, %wz : i32
    %4 = arith.muli %1, %3 : i32
    %n = arith.addi %a, %4 : i32
    task.yield %n : i32
  }
  finish () of (%s : i32) {
    task.yield %s : i32
  }
  writes (%y[o, c] : memref<6x8xi32>)
  schedule <single 1 1>
  func.return
}

// -----

// CHECK: dual: a dimension has no points
"memref.global"() <{sym_name = "w1", type = memref<8x8xi8>, initial_value = dense<1> : tensor<8x8xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b1", type = memref<8xi32>, initial_value = dense<2> : tensor<8xi32>, sym_visibility = "private", constant}> : () -> ()

func.func @f(%x: memref<7x8xi8>, %y: memref<7x8xi32>) {
  %w = memref.get_global @w1 : memref<8x8xi8>
  %b = memref.get_global @b1 : memref<8xi32>
  %zp = arith.constant 5 : i32
  task.nest space(o = 7, c = 8) fold(l = 0, k = 8)
  start (%bias = %b[c] : memref<8xi32>) {
    task.yield %bias : i32
  }
  step (%v = %x[o, k] : memref<7x8xi8>, %u = %w[c, k] : memref<8x8xi8>) into (%a : i32) {
    %0 = arith.extsi %v : i8 to i32
    %1 = arith.subi %0, %zp : i32
    %2 = arith.extsi %u : i8 to i32
    %4 = arith.muli %1, %2 : i32
    %n = arith.addi %a, %4 : i32
    task.yield %n : i32
  }
  finish () of (%s : i32) {
    task.yield %s : i32
  }
  writes (%y[o, c] : memref<7x8xi32>)
  schedule <dual 1 1>
  func.return
}

// -----

// Parts of a join, and what is behind a view, are what a nest writes, too.
// CHECK: split o 3 clamped: the nest reads what it writes, so that its last points would count twice
func.func @f(%a: memref<1x7xi8>, %b: memref<1x7xi8>) {
  %j = task.join 0 of %a, %b : memref<1x7xi8>, memref<1x7xi8> -> memref<2x7xi8>
  task.nest space(o = 7)
  finish (%v = %j[0, o] : memref<2x7xi8>, %w = %j[1, o] : memref<2x7xi8>) {
    %r = arith.addi %v, %w : i8
    task.yield %r : i8
  }
  writes (%a[0, o] : memref<1x7xi8>)
  schedule <split o 3 clamped, jam o_i, collect>
  func.return
}

// -----

// CHECK: split o 3 clamped: the nest reads what it writes, so that its last points would count twice
func.func @f(%a: memref<2x7xi8>) {
  %j = memref.reinterpret_cast %a to offset: [0], sizes: [2, 7], strides: [7, 1] : memref<2x7xi8> to memref<2x7xi8>
  task.nest space(o = 7)
  finish (%v = %j[0, o] : memref<2x7xi8>, %w = %j[1, o] : memref<2x7xi8>) {
    %r = arith.addi %v, %w : i8
    task.yield %r : i8
  }
  writes (%a[0, o] : memref<2x7xi8>)
  schedule <split o 3 clamped, jam o_i, collect>
  func.return
}

// -----

// Points side by side are finished in a loop.
// CHECK: r: what is read along it is joined of several buffers: unroll it
func.func @f(%x0: memref<1x8xi8>, %x1: memref<1x8xi8>, %y: memref<2x8xi8>) {
  %x = task.join 0 of %x0, %x1 : memref<1x8xi8>, memref<1x8xi8> -> memref<2x8xi8>
  task.nest space(o = 8, r = 2)
  finish (%v = %x[r, o] : memref<2x8xi8>) {
    task.yield %v : i8
  }
  writes (%y[r, o] : memref<2x8xi8>)
  schedule <jam r, collect>
  func.return
}

// -----

// CHECK: finish asks for the place along k, which only the fold has
func.func @f(%x: memref<3xi8>, %y: memref<12xi32>) {
  %z = arith.constant 0 : i32
  task.nest space(o = 12) fold(k = 2) where(i = o + k - 5)
  start () {
    task.yield %z : i32
  }
  step (%v = clip %x[i] : memref<3xi8>) into (%a : i32) {
    %w = arith.extsi %v : i8 to i32
    %n = arith.addi %a, %w : i32
    task.yield %n : i32
  }
  finish () of (%s : i32) {
    %t = task.index "k"
    %c = arith.index_cast %t : index to i32
    task.yield %c : i32
  }
  writes (%y[o] : memref<12xi32>)
  func.return
}

// -----

// CHECK: finish asks for the place along nope, of which there is none
func.func @f(%x: memref<3xi8>, %y: memref<12xi32>) {
  %z = arith.constant 0 : i32
  task.nest space(o = 12) fold(k = 2) where(i = o + k - 5)
  start () {
    task.yield %z : i32
  }
  step (%v = clip %x[i] : memref<3xi8>) into (%a : i32) {
    %w = arith.extsi %v : i8 to i32
    %n = arith.addi %a, %w : i32
    task.yield %n : i32
  }
  finish () of (%s : i32) {
    %t = task.index "nope"
    %c = arith.index_cast %t : index to i32
    task.yield %c : i32
  }
  writes (%y[o] : memref<12xi32>)
  func.return
}

// -----

// CHECK: finish loads from what the nest writes
func.func @f(%x: memref<8xi8>, %y: memref<8xi8>) {
  task.nest space(o = 8)
  finish (%v = %x[o] : memref<8xi8>) {
    %i = arith.extui %v : i8 to i32
    %c = arith.constant 7 : i32
    %m = arith.andi %i, %c : i32
    %k = arith.index_cast %m : i32 to index
    %t = memref.load %y[%k] : memref<8xi8>
    %r = arith.addi %t, %v : i8
    task.yield %r : i8
  }
  writes (%y[o] : memref<8xi8>)
  schedule <reverse o>
  func.return
}

// -----

// CHECK: packed: the fold does not find the extreme of bytes side by side along o
func.func @f(%x: memref<3x8xi8>, %y: memref<8xi8>, %y2: memref<8xi8>) {
  %z = arith.constant -128 : i32
  task.nest space(o = 8) fold(k = 3)
  start () {
    task.yield %z : i32
  }
  step (%v = %x[k, o] : memref<3x8xi8>) into (%a : i32) {
    %w = arith.extsi %v : i8 to i32
    %n = arith.maxsi %a, %w : i32
    task.yield %n : i32
  }
  finish () of (%s : i32) {
    %t = arith.trunci %s : i32 to i8
    task.yield %t, %t : i8, i8
  }
  writes (%y[o] : memref<8xi8>, %y2[o] : memref<8xi8>)
  schedule <split o 4, jam o_i, packed>
  func.return
}
