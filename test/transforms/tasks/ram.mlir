// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 ram=0},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix NONE
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 ram=255},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix NONE
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 ram=256},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix TWO
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 optimize=balanced ram=0},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix LOOPS
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 optimize=size ram=255},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix SIZE

// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 lean=pointwise},schedule{cpu=cortex-m4}' | filecheck %s --check-prefix ONE
// RUN: not stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 optimize=balanced lean=pointwise}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 lean=other},schedule{cpu=cortex-m4}' | filecheck %s --check-prefix TWO

// Two points side by side take 256 bytes of scratch memory for their words; where there is no room, one point is read
// where it lies, and the remark says so. Bytes of two points take as much, and are not taken either.
// NONE: fast: -{{[0-9,]+}} instructions, {{[+-][0-9,]+}} bytes of flash, 256 bytes of scratch memory for {{0|255}}"
// NONE: schedule <split oc 4, order (p, oc_o, oc_i, ic), jam oc_i, dual 1 8, direct>
// TWO: schedule <split p 2, split oc 4, order (p_o, oc_o, p_i, oc_i, ic), jam p_i, jam oc_i, dual 1 16>
// A single function runs one point at a time where that is asked for.
// ONE: schedule <split oc 4, order (p, oc_o, oc_i, ic), jam oc_i, dual 1 8, direct>
// Where neither memory has room, loops stay in order.
// LOOPS: nn.remark = "plain loops, about {{[0-9,]+}} instructions; lean:
// LOOPS-NOT: schedule <
// REFUSED: prepare-tasks: lean is for optimize=speed without limits
// SIZE-NOT: schedule
"memref.global"() <{sym_name = "w", type = memref<64x64xi8>, initial_value = dense<3> : tensor<64x64xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<64xi32>, initial_value = dense<5> : tensor<64xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @pointwise(%input: memref<16x64xi8>, %filter: memref<64x64xi8>, %bias: memref<64xi32>, %output: memref<16x64xi32>) {
  task.nest space(p = 16, oc = 64) fold(ic = 64)
    start (%acc = %bias[oc] : memref<64xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[p, ic] : memref<16x64xi8>, %weight = %filter[oc, ic] : memref<64x64xi8>) into (%acc_1: i32) {
      %1 = arith.extsi %value : i8 to i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[p, oc] : memref<16x64xi32>)
  func.return
}

func.func @main(%input: memref<16x64xi8>, %output: memref<16x64xi32>) {
  %w = memref.get_global @w : memref<64x64xi8>
  %b = memref.get_global @b : memref<64xi32>
  func.call @pointwise(%input, %w, %b, %output) : (memref<16x64xi8>, memref<64x64xi8>, memref<64xi32>, memref<16x64xi32>) -> ()
  func.return
}
