// RUN: stillpool-opt %s -p schedule{cpu=cortex-m4} | filecheck %s

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
