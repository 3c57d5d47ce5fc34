// RUN: stillpool-opt %s -p foresee-scratch{cpu=cortex-m4} | filecheck %s
// RUN: stillpool-opt %s -p foresee-scratch{cpu=cortex-m4},split-rows | filecheck %s --check-prefix GONE
// RUN: not stillpool-opt %s -p foresee-scratch{cpu=cortex-m9} 2>&1 | filecheck %s --check-prefix UNKNOWN

// What is multiplied with constants is copied into words: two points of eight elements, two bytes each. A number that
// somebody wrote stays.

// CHECK:     func.call @dense({{.*}}) {pool.scratch = 32 : i64}
// CHECK:     func.call @dense({{.*}}) {pool.scratch = 7 : i64}

// Nothing is scheduled yet, and once there are rows what was foreseen has served.
// CHECK-NOT: schedule
// GONE-NOT:  pool.scratch

// UNKNOWN:   cortex-m9

func.func private @dense(%in: memref<6x2x8xi8>, %w: memref<4x8xi8>, %out: memref<6x2x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(y = 6, x = 2, c = 4) fold(k = 8)
    start () {
      task.yield %zero : i32
    }
    step (%v = %in[y, x, k] : memref<6x2x8xi8>, %u = %w[c, k] : memref<4x8xi8>) into (%acc: i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%out[y, x, c] : memref<6x2x4xi32>)
  func.return
}

memref.global constant @weights : memref<4x8xi8> = dense<1>

func.func @twice(%x: memref<6x2x8xi8> {pool.io = "input"}, %y: memref<6x2x4xi32> {pool.io = "output"}, %z: memref<6x2x4xi32> {pool.io = "output"}) {
  %w = memref.get_global @weights : memref<4x8xi8>
  func.call @dense(%x, %w, %y) : (memref<6x2x8xi8>, memref<4x8xi8>, memref<6x2x4xi32>) -> ()
  func.call @dense(%x, %w, %z) {pool.scratch = 7 : i64} : (memref<6x2x8xi8>, memref<4x8xi8>, memref<6x2x4xi32>) -> ()
  func.return
}
