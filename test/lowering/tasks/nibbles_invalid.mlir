// RUN: not stillpool-opt %s -p lower-tasks 2>&1 | filecheck %s

// Four bits end at 7.
// CHECK: 'task.nest' op dual: the constant less its zero point does not fit four bits, or sums may leave 32
"memref.global"() <{sym_name = "w", type = memref<1x2xi8>, initial_value = dense<[[-8, 8]]> : tensor<1x2xi8>, sym_visibility = "private", constant}> : () -> ()
func.func @wide(%input: memref<6x2xi8>, %output: memref<6x1xi32>) {
  %zero = arith.constant 0 : i32
  %w = memref.get_global @w : memref<1x2xi8>
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
    schedule <jam c, dual 1 1 nibbles>
  func.return
}
