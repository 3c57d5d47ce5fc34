// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 flash=100},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix NOTHING
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 flash=3000},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix BYTES
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 optimize=balanced},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix BYTES
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 optimize=balanced flash=9000},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix WORDS
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 optimize=balanced freed=9000},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix WORDS
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix WORDS

// The more flash there is, the faster: no schedule, constants of bytes that are taken apart, constants of words.
// NOTHING-NOT: schedule
// A remark for reports says what the other ways would change.
// BYTES: nn.remark = "dual 1 16 bytes, about {{[0-9,]+}} instructions; plain loops: +{{[0-9,]+}} instructions, -{{[0-9,]+}} bytes of flash; fast: -{{[0-9,]+}} instructions, +{{[0-9,]+}} bytes of flash"
// BYTES: schedule <split p 2, split oc 4, order (p_o, oc_o, p_i, oc_i, ic), jam p_i, jam oc_i, dual 1 16 bytes>
// WORDS: schedule <split p 2, split oc 4, order (p_o, oc_o, p_i, oc_i, ic), jam p_i, jam oc_i, dual 1 16>
"memref.global"() <{sym_name = "w", type = memref<64x64xi8>, initial_value = dense<30> : tensor<64x64xi8>, sym_visibility = "private", constant}> : () -> ()
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
