// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4}" | filecheck %s
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m3},schedule{cpu=cortex-m3}" | filecheck %s --check-prefix M3
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m0plus},schedule{cpu=cortex-m0plus}" | filecheck %s --check-prefix M0
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=host},schedule{cpu=host}" | filecheck %s --check-prefix HOST

// A zero point that is known with the row only: as one that is a constant.
// CHECK: schedule <split ox 2, order (n, ox_o, ox_i, oc, kx, ic), jam ox_i, jam oc, dual 1 2>
// M3: schedule <split ox 2, order (n, ox_o, ox_i, oc, kx, ic), jam ox_i, jam oc, single 1 4>
// M0: schedule <order (n, ox, oc, kx, ic), jam oc, swar 1>
// Vectors of compilers take it off every element.
// HOST-NOT: schedule
"memref.global"() <{sym_name = "w", type = memref<4x2x2xi8>, initial_value = dense<[[[1, 2], [3, 4]], [[-1, -2], [-3, -4]], [[7, 0], [0, 0]], [[0, 0], [0, 8]]]> : tensor<4x2x2xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<3x6x2xi8>, %filter: memref<4x2x2xi8>, %zero_points: memref<3xi32>, %output: memref<3x6x4xi32>) {
  %c0 = arith.constant 0 : i32
  task.nest space(n = 3, ox = 6, oc = 4) fold(kx = 2, ic = 2) where(ix = ox + kx - 1)
    start () {
      task.yield %c0 : i32
    }
    step (%value = clip %input[n, ix, ic] : memref<3x6x2xi8>, %weight = %filter[oc, kx, ic] : memref<4x2x2xi8>, %zero_point = %zero_points[n] : memref<3xi32>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %zero_point overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[n, ox, oc] : memref<3x6x4xi32>)
  func.return
}

func.func @main(%input: memref<3x6x2xi8>, %zero_points: memref<3xi32>, %output: memref<3x6x4xi32>) {
  %w = memref.get_global @w : memref<4x2x2xi8>
  func.call @conv(%input, %w, %zero_points, %output) : (memref<3x6x2xi8>, memref<4x2x2xi8>, memref<3xi32>, memref<3x6x4xi32>) -> ()
  func.return
}
