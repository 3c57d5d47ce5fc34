// RUN: stillpool-opt %s | filecheck %s
// RUN: not stillpool-opt %s -p lower-tasks 2>&1 | filecheck %s --check-prefix UNKNOWN

// CHECK: schedule <order (c, x, k), tensorize "none.dot" (x, k)>
// UNKNOWN: 'task.nest' op tensorize "none.dot" (x, k): there is no instruction set none ({{.*}} installed): install the package that has it
func.func @products(%input: memref<6x2xi8>, %w: memref<1x2xi8>, %output: memref<6x1xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(x = 6, c = 1) fold(k = 2)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[x, k] : memref<6x2xi8>, %weight = %w[c, k] : memref<1x2xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %0, %2 : i32
      %acc_2 = arith.addi %acc_1, %3 : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[x, c] : memref<6x1xi32>)
    schedule <order (c, x, k), tensorize "none.dot" (x, k)>
  func.return
}
