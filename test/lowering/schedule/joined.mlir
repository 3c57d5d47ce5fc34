// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4}" | filecheck %s
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4},lower-tasks" | filecheck %s --check-prefix LOOPS

// Rows that are buffers of their own: schedules that write out the fold need not unroll what tells rows apart.

// CHECK-LABEL: @conv
// CHECK:       schedule <split x 2, order (x_o, x_i, oc, ky, kx), jam x_i, jam oc, dual 2 3>
// CHECK-LABEL: @depthwise
// CHECK:       schedule <jam c, words>
// CHECK-LABEL: @pool
// CHECK:       schedule <unroll ky, jam c, whole>

// Both rows are copied to lanes, as is known which.
// LOOPS-LABEL: func.func private @conv(%above: memref<1x6xi8>, %below: memref<1x6xi8>
// LOOPS:       memref.load %above[%c0
// LOOPS:       memref.load %below[%c0
// LOOPS:       simd.dual_products
// LOOPS-LABEL: func.func private @depthwise
// LOOPS-DAG:   simd.load_bytes %above[%c0
// LOOPS-DAG:   simd.load_bytes %below[%c0
// LOOPS-LABEL: func.func private @pool
// LOOPS:       memref.load %above[%c0
// LOOPS:       memref.load %below[%c0
"memref.global"() <{sym_name = "w", type = memref<4x2x3xi8>, initial_value = dense<[[[1, 2, 3], [4, 5, 6]], [[-1, -2, -3], [-4, -5, -6]], [[7, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 8]]]> : tensor<4x2x3xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "v", type = memref<2x2x4xi8>, initial_value = dense<[[[1, 2, 3, 4], [4, 5, 6, 7]], [[-1, -2, -3, -4], [-4, -5, -6, -7]]]> : tensor<2x2x4xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%above: memref<1x6xi8>, %below: memref<1x6xi8>, %filter: memref<4x2x3xi8>, %output: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  %input = task.join 0 of %above, %below : memref<1x6xi8>, memref<1x6xi8> -> memref<2x6xi8>
  task.nest space(x = 4, oc = 4) fold(ky = 2, kx = 3)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[ky, x + kx] : memref<2x6xi8>, %weight = %filter[oc, ky, kx] : memref<4x2x3xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %0, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[x, oc] : memref<4x4xi32>)
    schedule <unroll ky>
  func.return
}

func.func private @depthwise(%above: memref<1x6x4xi8>, %below: memref<1x6x4xi8>, %filter: memref<2x2x4xi8>, %output: memref<5x4xi32>) {
  %zero = arith.constant 0 : i32
  %input = task.join 0 of %above, %below : memref<1x6x4xi8>, memref<1x6x4xi8> -> memref<2x6x4xi8>
  task.nest space(x = 5, c = 4) fold(ky = 2, kx = 2)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[ky, x + kx, c] : memref<2x6x4xi8>, %weight = %filter[ky, kx, c] : memref<2x2x4xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %0, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[x, c] : memref<5x4xi32>)
    schedule <unroll ky>
  func.return
}

func.func private @pool(%above: memref<1x6x4xi8>, %below: memref<1x6x4xi8>, %output: memref<3x4xi8>) {
  %least = arith.constant -128 : i8
  %input = task.join 0 of %above, %below : memref<1x6x4xi8>, memref<1x6x4xi8> -> memref<2x6x4xi8>
  task.nest space(x = 3, c = 4) fold(ky = 2, kx = 2)
    start () {
      task.yield %least : i8
    }
    step (%value = %input[ky, 2 * x + kx, c] : memref<2x6x4xi8>) into (%acc_1: i8) {
      %acc_2 = arith.maxsi %acc_1, %value : i8
      task.yield %acc_2 : i8
    }
    finish () of (%acc_3: i8) {
      task.yield %acc_3 : i8
    }
    writes (%output[x, c] : memref<3x4xi8>)
    schedule <unroll ky>
  func.return
}

func.func @main(%a: memref<1x6xi8>, %b: memref<1x6xi8>, %out: memref<4x4xi32>, %c: memref<1x6x4xi8>, %d: memref<1x6x4xi8>, %wide: memref<5x4xi32>, %pooled: memref<3x4xi8>) {
  %w = memref.get_global @w : memref<4x2x3xi8>
  %v = memref.get_global @v : memref<2x2x4xi8>
  func.call @conv(%a, %b, %w, %out) : (memref<1x6xi8>, memref<1x6xi8>, memref<4x2x3xi8>, memref<4x4xi32>) -> ()
  func.call @depthwise(%c, %d, %v, %wide) : (memref<1x6x4xi8>, memref<1x6x4xi8>, memref<2x2x4xi8>, memref<5x4xi32>) -> ()
  func.call @pool(%c, %d, %pooled) : (memref<1x6x4xi8>, memref<1x6x4xi8>, memref<3x4xi8>) -> ()
  func.return
}
