// RUN: stillpool-opt %s -p "choose-forms{cpu=cortex-m4 flash=945}" | filecheck %s --check-prefix VIEW
// RUN: sed 's/{pool.parts = .*>]} //' %s | stillpool-opt -p "choose-forms{cpu=cortex-m4 flash=945}" | filecheck %s --check-prefix COPY

// What may become a view takes the flash that the others leave: as a view it has no code.
// VIEW:     func.func private @pointwise
// VIEW:       task.form = "compact"
// VIEW:     func.func private @take
// VIEW-NOT:   task.form = "compact"
// COPY:     func.func private @pointwise
// COPY-NOT:   task.form = "compact"
// COPY:     func.func private @take
// COPY:       task.form = "compact"
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

func.func private @take(%x: memref<32768xi8>, %y: memref<16384xi8>) {
  task.nest space(i = 16384)
    finish (%v = %x[i + 16384] : memref<32768xi8>) {
      task.yield %v : i8
    }
    writes (%y[i] : memref<16384xi8>)
  func.return
}

func.func @main(%input: memref<16x64xi8>, %whole: memref<32768xi8>, %output: memref<16x64xi32>, %half: memref<16384xi8>) {
  %w = memref.get_global @w : memref<64x64xi8>
  %b = memref.get_global @b : memref<64xi32>
  func.call @pointwise(%input, %w, %b, %output) : (memref<16x64xi8>, memref<64x64xi8>, memref<64xi32>, memref<16x64xi32>) -> ()
  func.call @take(%whole, %half) {pool.parts = [#pool.part<1 in 0, offset 16384, [16384] strides [1]>]} : (memref<32768xi8>, memref<16384xi8>) -> ()
  func.return
}
