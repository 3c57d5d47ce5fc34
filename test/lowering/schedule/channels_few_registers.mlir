// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m0plus},schedule{cpu=cortex-m0plus}" | filecheck %s
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m3},schedule{cpu=cortex-m3}" | filecheck %s --check-prefix M3

// Eight registers hold what products of one channel need.
// CHECK: schedule <whole>
// M3: schedule <split c 4, order (ox, c_o, c_i, kx), jam c_i, whole>
func.func @depthwise(%input: memref<8x8xi8>, %filter: memref<2x8xi8>, %output: memref<4x8xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(ox = 4, c = 8) fold(kx = 2)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[2 * ox + kx, c] : memref<8x8xi8>, %weight = %filter[kx, c] : memref<2x8xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[ox, c] : memref<4x8xi32>)
  func.return
}
