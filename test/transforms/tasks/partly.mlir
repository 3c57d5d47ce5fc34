// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 flash=4000},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix BYTES
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 flash=8000},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix PARTLY
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 flash=12000},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix WORDS

// Two sums of one function, as gates of an LSTM are. Where words of both do not fit, the first is in words: its remark
// compares with that.
// BYTES: schedule <{{.*}}, dual 1 16 bytes>
// BYTES: schedule <{{.*}}, dual 1 16 bytes>
// PARTLY: nn.remark = "dual 1 16, dual 1 16 bytes, {{.*}}; fast: -{{[0-9,]+}} instructions, +{{[0-9,]+}} bytes of flash"
// PARTLY: schedule <{{.*}}, dual 1 16>
// PARTLY: schedule <{{.*}}, dual 1 16 bytes>
// WORDS: schedule <{{.*}}, dual 1 16>
// WORDS: schedule <{{.*}}, dual 1 16>
"memref.global"() <{sym_name = "v", type = memref<64x64xi8>, initial_value = dense<20> : tensor<64x64xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "w", type = memref<64x64xi8>, initial_value = dense<30> : tensor<64x64xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @gates(%input: memref<16x64xi8>, %input_weights: memref<64x64xi8>, %forget_weights: memref<64x64xi8>, %entered: memref<16x64xi32>, %kept: memref<16x64xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(p = 16, oc = 64) fold(ic = 64)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[p, ic] : memref<16x64xi8>, %weight = %input_weights[oc, ic] : memref<64x64xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %next = arith.addi %acc, %2 overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%entered[p, oc] : memref<16x64xi32>)
  task.nest space(p = 16, oc = 64) fold(ic = 64)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[p, ic] : memref<16x64xi8>, %weight = %forget_weights[oc, ic] : memref<64x64xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %next = arith.addi %acc, %2 overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%kept[p, oc] : memref<16x64xi32>)
  func.return
}

func.func @main(%input: memref<16x64xi8>, %entered: memref<16x64xi32>, %kept: memref<16x64xi32>) {
  %v = memref.get_global @v : memref<64x64xi8>
  %w = memref.get_global @w : memref<64x64xi8>
  func.call @gates(%input, %v, %w, %entered, %kept) : (memref<16x64xi8>, memref<64x64xi8>, memref<64x64xi8>, memref<16x64xi32>, memref<16x64xi32>) -> ()
  func.return
}
