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
