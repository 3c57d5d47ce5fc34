// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// Every result has elements and weights of its own: with bytes these are packed as they lie, four points of a channel in
// a word.
// CHECK: sym_name = "t_packed", type = memref<4xi32>, initial_value = dense<[67305985, 134678021, -50462977, -117835013]>
// CHECK: %w = memref.load %time
// CHECK-NEXT: simd.unpack_even %w
// CHECK: simd.unpack_odd %w
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
    schedule <dual 1 2 bytes, direct>
  func.return
}

func.func @main(%state: memref<2x8xi8>, %output: memref<2xi32>) {
  %t = memref.get_global @t : memref<2x8xi8>
  func.call @sums(%state, %t, %output) : (memref<2x8xi8>, memref<2x8xi8>, memref<2xi32>) -> ()
  func.return
}
