// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 optimize=balanced},schedule{cpu=cortex-m4}' | filecheck %s --check-prefix PACKED
// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 optimize=size},schedule{cpu=cortex-m4}' | filecheck %s --check-prefix SMALL
// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 optimize=speed},schedule{cpu=cortex-m4}' | filecheck %s --check-prefix WORDS

// Weights that fit four bits stay packed, but where nothing counts but instructions.

// PACKED: schedule <split c 4, order (c_o, c_i, k), jam c_i, dual 1 8 nibbles, direct>
// SMALL: schedule <split c 4 clamped, order (c_o, c_i, k), jam c_i, dual 1 2 nibbles, direct, collect>
// WORDS: schedule <split c 4, order (c_o, c_i, k), jam c_i, dual 1 16>
"memref.global"() <{sym_name = "w", type = memref<64x64xi8>, initial_value = dense<-5> : tensor<64x64xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @product(%x: memref<64xi8>, %w: memref<64x64xi8>, %y: memref<64xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(c = 64) fold(k = 64)
    start () {
      task.yield %zero : i32
    }
    step (%value = %x[k] : memref<64xi8>, %weight = %w[c, k] : memref<64x64xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %next = arith.addi %acc, %2 overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%y[c] : memref<64xi32>)
  func.return
}

func.func @main(%x: memref<64xi8>, %y: memref<64xi32>) {
  %w = memref.get_global @w : memref<64x64xi8>
  func.call @product(%x, %w, %y) : (memref<64xi8>, memref<64x64xi8>, memref<64xi32>) -> ()
  func.return
}
