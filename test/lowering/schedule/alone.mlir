// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 optimize=speed},schedule{cpu=cortex-m4}' | filecheck %s --check-prefix FAST
// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m3 optimize=speed},schedule{cpu=cortex-m3}' | filecheck %s --check-prefix NONE

// Sums over time: every result has elements and weights of its own, which nothing shares. They are read where they lie.

// FAST: schedule <dual 1 4, direct>
// NONE-NOT: schedule <
"memref.global"() <{sym_name = "t", type = memref<2x8xi8>, initial_value = dense<[[1, 2, 3, 4, 5, 6, 7, 8], [-1, -2, -3, -4, -5, -6, -7, -8]]> : tensor<2x8xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @sums(%state: memref<2x8xi8>, %time: memref<2x8xi8>, %output: memref<2xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(unit = 2) fold(m = 8)
    start () {
      task.yield %zero : i32
    }
    step (%value = %state[unit, m] : memref<2x8xi8>, %weight = %time[unit, m] : memref<2x8xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %next = arith.addi %acc, %2 overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[unit] : memref<2xi32>)
  func.return
}

func.func @main(%state: memref<2x8xi8>, %output: memref<2xi32>) {
  %t = memref.get_global @t : memref<2x8xi8>
  func.call @sums(%state, %t, %output) : (memref<2x8xi8>, memref<2x8xi8>, memref<2xi32>) -> ()
  func.return
}
