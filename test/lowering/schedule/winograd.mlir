// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 winograd=true},schedule{cpu=cortex-m4 winograd=true}" --split-input-file | filecheck %s
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 winograd=true flash=100000},schedule{cpu=cortex-m4 winograd=true}" --split-input-file | filecheck %s --check-prefixes CHECK,REMARK
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4}" --split-input-file | filecheck %s --check-prefix WITHOUT
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 optimize=size winograd=true},schedule{cpu=cortex-m4 winograd=true}" --split-input-file | filecheck %s --check-prefix WITHOUT
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m0plus winograd=true},schedule{cpu=cortex-m0plus winograd=true}" --split-input-file | filecheck %s --check-prefix WITHOUT

// Only where it is asked for, and where the processor multiplies in pairs.
// WITHOUT-NOT: winograd
// REMARK: func.func private @conv{{.*}}nn.remark = "winograd (oy, ox) 4, about {{[0-9,]+}} instructions; plain loops: +{{[0-9,]+}} instructions, -{{[0-9,]+}} bytes of flash; compact: +
// CHECK: schedule <split oy 2, split ox 4, order (oy_o, ox_o, oy_i, ox_i, oc, ky, kx, ic), jam oy_i, jam ox_i, jam oc, winograd (oy, ox) 4>
"memref.global"() <{sym_name = "w", type = memref<4x3x3x8xi8>, initial_value = dense<3> : tensor<4x3x3x8xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<4xi32>, initial_value = dense<5> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<8x8x8xi8>, %filter: memref<4x3x3x8xi8>, %bias: memref<4xi32>, %output: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, oc = 4) fold(ky = 3, kx = 3, ic = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[iy, ix, ic] : memref<8x8x8xi8>, %weight = %filter[oc, ky, kx, ic] : memref<4x3x3x8xi8>) into (%acc_1: i32) {
      %1 = arith.extsi %value : i8 to i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[oy, ox, oc] : memref<8x8x4xi32>)
  func.return
}

func.func @main(%input: memref<8x8x8xi8>, %output: memref<8x8x4xi32>) {
  %w = memref.get_global @w : memref<4x3x3x8xi8>
  %b = memref.get_global @b : memref<4xi32>
  func.call @conv(%input, %w, %b, %output) : (memref<8x8x8xi8>, memref<4x3x3x8xi8>, memref<4xi32>, memref<8x8x4xi32>) -> ()
  func.return
}

// -----

// Twice the results would not fit 32 bits.
// CHECK-LABEL: func.func private @large
// CHECK-NOT: winograd
// CHECK: dual
"memref.global"() <{sym_name = "w", type = memref<4x3x3x8xi8>, initial_value = dense<3> : tensor<4x3x3x8xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<4xi32>, initial_value = dense<1073741824> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @large(%input: memref<8x8x8xi8>, %filter: memref<4x3x3x8xi8>, %bias: memref<4xi32>, %output: memref<8x8x4xi32>) {
  task.nest space(oy = 8, ox = 8, oc = 4) fold(ky = 3, kx = 3, ic = 8) where(y0 = oy - 1, x0 = ox - 1, iy = y0 + ky, ix = x0 + kx)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[iy, ix, ic] : memref<8x8x8xi8>, %weight = %filter[oc, ky, kx, ic] : memref<4x3x3x8xi8>) into (%acc_1: i32) {
      %1 = arith.extsi %value : i8 to i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[oy, ox, oc] : memref<8x8x4xi32>)
  func.return
}

func.func @main(%input: memref<8x8x8xi8>, %output: memref<8x8x4xi32>) {
  %w = memref.get_global @w : memref<4x3x3x8xi8>
  %b = memref.get_global @b : memref<4xi32>
  func.call @large(%input, %w, %b, %output) : (memref<8x8x8xi8>, memref<4x3x3x8xi8>, memref<4xi32>, memref<8x8x4xi32>) -> ()
  func.return
}
