// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4}" | filecheck %s

// Channels of a window share one pass over it; a schedule that is there stays.
// CHECK: schedule <split c 4, order (ox, c_o, c_i, kx), jam c_i, whole>
// CHECK: schedule <reverse ox>
func.func @pool(%input: memref<8x6xi8>, %output: memref<4x6xi8>) {
  %least = arith.constant -128 : i8
  task.nest space(ox = 4, c = 6) fold(kx = 2)
    start () {
      task.yield %least : i8
    }
    step (%value = %input[2 * ox + kx, c] : memref<8x6xi8>) into (%acc: i8) {
      %next = arith.maxsi %acc, %value : i8
      task.yield %next : i8
    }
    finish () of (%most: i8) {
      task.yield %most : i8
    }
    writes (%output[ox, c] : memref<4x6xi8>)
  task.nest space(ox = 4, c = 6) fold(kx = 2)
    start () {
      task.yield %least : i8
    }
    step (%value = %input[2 * ox + kx, c] : memref<8x6xi8>) into (%acc: i8) {
      %next = arith.maxsi %acc, %value : i8
      task.yield %next : i8
    }
    finish () of (%most: i8) {
      task.yield %most : i8
    }
    writes (%output[ox, c] : memref<4x6xi8>)
    schedule <reverse ox>
  func.return
}

// Products with constants: bytes of four channels in a word. Numbers of 16 bits are read one by one.
"memref.global"() <{sym_name = "w", type = memref<3x4xi8>, initial_value = dense<[[1, 2, 3, 4], [5, 6, 7, 8], [-1, -2, -3, -4]]> : tensor<3x4xi8>, sym_visibility = "private", constant}> : () -> ()

// CHECK-LABEL: func.func @depthwise
// CHECK: schedule <jam c, words>
// CHECK: schedule <jam c, whole>
func.func @depthwise(%input: memref<8x4xi8>, %wide: memref<8x4xi16>, %output: memref<6x4xi32>) {
  %zero = arith.constant 0 : i32
  %w = memref.get_global @w : memref<3x4xi8>
  task.nest space(ox = 6, c = 4) fold(kx = 3)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[ox + kx, c] : memref<8x4xi8>, %weight = %w[kx, c] : memref<3x4xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[ox, c] : memref<6x4xi32>)
  %w_1 = memref.get_global @w : memref<3x4xi8>
  task.nest space(ox = 6, c = 4) fold(kx = 3)
    start () {
      task.yield %zero : i32
    }
    step (%value = %wide[ox + kx, c] : memref<8x4xi16>, %weight = %w_1[kx, c] : memref<3x4xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i16 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[ox, c] : memref<6x4xi32>)
  func.return
}
