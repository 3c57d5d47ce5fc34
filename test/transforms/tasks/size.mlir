// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 optimize=size},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix M4
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m0plus optimize=size},schedule{cpu=cortex-m0plus}" | filecheck %s --check-prefix M0

// One body for all points, in which two pixels share constants of bytes; an odd last one would be computed twice. It may
// add an eighth to the table and the code.
// M4: schedule <split ox 2 clamped, order (ox_o, ox_i, oc, kx, ic), jam ox_i, jam oc, dual 2 1 bytes, collect>
// M0: schedule <order (ox, oc, kx, ic), jam oc, single 1 1, collect>
"memref.global"() <{sym_name = "table", type = memref<4000xi8>, initial_value = dense<1> : tensor<4000xi8>, sym_visibility = "private", constant}> {nn.table} : () -> ()
"memref.global"() <{sym_name = "w", type = memref<4x2x3xi8>, initial_value = dense<[[[1, 2, 3], [4, 5, 6]], [[-1, -2, -3], [-4, -5, -6]], [[7, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 8]]]> : tensor<4x2x3xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<4xi32>, initial_value = dense<[100, 200, 300, 400]> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<6x3xi8>, %filter: memref<4x2x3xi8>, %bias: memref<4xi32>, %output: memref<6x4xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 6, oc = 4) fold(kx = 2, ic = 3) where(ix = ox + kx - 1)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ix, ic] : memref<6x3xi8>, %weight = %filter[oc, kx, ic] : memref<4x2x3xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %c2 overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<6x4xi32>)
  func.return
}

func.func @main(%input: memref<6x3xi8>, %output: memref<6x4xi32>) {
  %w = memref.get_global @w : memref<4x2x3xi8>
  %b = memref.get_global @b : memref<4xi32>
  func.call @conv(%input, %w, %b, %output) : (memref<6x3xi8>, memref<4x2x3xi8>, memref<4xi32>, memref<6x4xi32>) -> ()
  func.return
}
