// RUN: stillpool-opt %s --split-input-file --verify-diagnostics -p lower-tasks | filecheck %s

// CHECK: memref<1x8xi16> and memref<1x8xi8> differ in more than dimension 0
func.func @types(%a: memref<1x8xi8>, %b: memref<1x8xi16>) {
  %rows = task.join 0 of %a, %b : memref<1x8xi8>, memref<1x8xi16> -> memref<2x8xi8>
  func.return
}

// -----

// CHECK: gives memref<2x8xi8>, not memref<3x8xi8>
func.func @result(%a: memref<1x8xi8>, %b: memref<1x8xi8>) {
  %rows = task.join 0 of %a, %b : memref<1x8xi8>, memref<1x8xi8> -> memref<3x8xi8>
  func.return
}

// -----

// CHECK: memref<1x8xi8> has no dimension 2
func.func @axis(%a: memref<1x8xi8>) {
  %rows = task.join 2 of %a : memref<1x8xi8> -> memref<1x8xi8>
  func.return
}

// -----

// CHECK: y: what is read along it is joined of several buffers: unroll it
func.func @in_a_loop(%a: memref<1x8xi8>, %b: memref<1x8xi8>, %out: memref<2x8xi8>) {
  %rows = task.join 0 of %a, %b : memref<1x8xi8>, memref<1x8xi8> -> memref<2x8xi8>
  task.nest space(y = 2, x = 8)
    finish (%v = %rows[y, x] : memref<2x8xi8>) {
      task.yield %v : i8
    }
    writes (%out[y, x] : memref<2x8xi8>)
  func.return
}

// -----

// CHECK: is read by more than tasks
func.func @load(%a: memref<1x8xi8>, %i: index) -> i8 {
  %rows = task.join 0 of %a : memref<1x8xi8> -> memref<1x8xi8>
  %v = memref.load %rows[%i, %i] : memref<1x8xi8>
  func.return %v : i8
}

// -----

// CHECK: words: buffers are joined along the bytes that lie side by side
func.func @channels(%a: memref<6x2xi8>, %b: memref<6x2xi8>, %filter: memref<3x4xi8>, %output: memref<4x4xi32>) {
  %z = arith.constant 0 : i32
  %input = task.join 1 of %a, %b : memref<6x2xi8>, memref<6x2xi8> -> memref<6x4xi8>
  task.nest space(ox = 4, oc = 4) fold(kx = 3)
    start () {
      task.yield %z : i32
    }
    step (%value = %input[ox + kx, oc] : memref<6x4xi8>, %weight = %filter[kx, oc] : memref<3x4xi8>) into (%acc: i32) {
      %v = arith.extsi %value : i8 to i32
      %w = arith.extsi %weight : i8 to i32
      %product = arith.muli %v, %w overflow<nsw> : i32
      %next = arith.addi %acc, %product overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[ox, oc] : memref<4x4xi32>)
    schedule <jam oc, words>
  func.return
}

// -----

// CHECK: quads: buffers are joined along the bytes that lie side by side
func.func @channels(%a: memref<6x2xi8>, %b: memref<6x2xi8>, %filter: memref<3x4xi8>, %output: memref<4x4xi32>) {
  %z = arith.constant 0 : i32
  %input = task.join 1 of %a, %b : memref<6x2xi8>, memref<6x2xi8> -> memref<6x4xi8>
  task.nest space(ox = 4, oc = 4) fold(kx = 3)
    start () {
      task.yield %z : i32
    }
    step (%value = %input[ox + kx, oc] : memref<6x4xi8>, %weight = %filter[kx, oc] : memref<3x4xi8>) into (%acc: i32) {
      %v = arith.extsi %value : i8 to i32
      %w = arith.extsi %weight : i8 to i32
      %product = arith.muli %v, %w overflow<nsw> : i32
      %next = arith.addi %acc, %product overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[ox, oc] : memref<4x4xi32>)
    schedule <jam oc, quads>
  func.return
}
