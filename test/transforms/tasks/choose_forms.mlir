// RUN: stillpool-opt %s -p "choose-forms{cpu=cortex-m4 flash=100}" | filecheck %s --check-prefix NOTHING
// RUN: stillpool-opt %s -p "choose-forms{cpu=cortex-m4 flash=3000}" | filecheck %s --check-prefix BYTES
// RUN: stillpool-opt %s -p "choose-forms{cpu=cortex-m4}" | filecheck %s --check-prefix WORDS
// RUN: stillpool-opt %s -p "choose-forms{cpu=cortex-m4 optimize=size}" | filecheck %s --check-prefix SMALL
// RUN: stillpool-opt %s -p "choose-forms{cpu=cortex-m4},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix STEPS
// RUN: not stillpool-opt %s -p "schedule{cpu=cortex-m4}" --split-input-file 2>&1 | filecheck %s --check-prefix UNKNOWN

// The more flash there is, the faster. A remark for reports says what the other forms would change.
// NOTHING: writes (%output[p, oc] : memref<16x64xi32>) {task.form = "plain"}
// BYTES: nn.remark = "about {{[0-9,]+}} instructions; plain loops: +{{[0-9,]+}} instructions, -{{[0-9,]+}} bytes of flash; fast: -
// BYTES: {task.form = "compact", task.measured}
// WORDS: {task.form = "fast", task.measured}
// SMALL: {task.form = "short"}
// The schedule obeys, and takes the form away.
// STEPS: dual 1 16>
// STEPS-NOT: task.form
// UNKNOWN: 'task.nest' op has an unknown 'task.form'; did you mean 'fast'? available: plain, short, small, compact, fast, winograd, lean, loops
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

// -----

func.func @unknown(%x: memref<64xi8>, %y: memref<64xi8>) {
  task.nest space(i = 64)
    finish (%0 = %x[i] : memref<64xi8>) {
      task.yield %0 : i8
    }
    writes (%y[i] : memref<64xi8>) {task.form = "fats"}
  func.return
}
