// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 optimize=size},schedule{cpu=cortex-m4}" | filecheck %s

// Tasks of a function that are alike have code once: a function that it calls for each. The gates of an LSTM are four,
// whose tiles together would be too long.
// CHECK-COUNT-4: schedule <split unit 4 clamped, order (unit_o, unit_i, i), jam unit_i, dual 1 2 bytes, direct, collect>
// CHECK-NOT:     schedule
"memref.global"() <{sym_name = "w0", type = memref<8x28xi8>, initial_value = dense<101> : tensor<8x28xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b0", type = memref<8xi32>, initial_value = dense<5> : tensor<8xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "w1", type = memref<8x28xi8>, initial_value = dense<102> : tensor<8x28xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b1", type = memref<8xi32>, initial_value = dense<6> : tensor<8xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "w2", type = memref<8x28xi8>, initial_value = dense<103> : tensor<8x28xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b2", type = memref<8xi32>, initial_value = dense<7> : tensor<8xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "w3", type = memref<8x28xi8>, initial_value = dense<104> : tensor<8x28xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b3", type = memref<8xi32>, initial_value = dense<8> : tensor<8xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @gates(%row: memref<28xi8>, %w0: memref<8x28xi8>, %b0: memref<8xi32>, %o0: memref<8xi32>, %w1: memref<8x28xi8>, %b1: memref<8xi32>, %o1: memref<8xi32>, %w2: memref<8x28xi8>, %b2: memref<8xi32>, %o2: memref<8xi32>, %w3: memref<8x28xi8>, %b3: memref<8xi32>, %o3: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  scf.for %t = %c0 to %c20 step %c1 {
    task.nest space(unit = 8) fold(i = 28)
      start (%acc = %b0[unit] : memref<8xi32>) {
        task.yield %acc : i32
      }
      step (%value = %row[i] : memref<28xi8>, %weight = %w0[unit, i] : memref<8x28xi8>) into (%acc_1: i32) {
        %0 = arith.extsi %value : i8 to i32
        %1 = arith.extsi %weight : i8 to i32
        %2 = arith.muli %0, %1 overflow<nsw> : i32
        %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
        task.yield %acc_2 : i32
      }
      finish () of (%acc_3: i32) {
        task.yield %acc_3 : i32
      }
      writes (%o0[unit] : memref<8xi32>)
    task.nest space(unit = 8) fold(i = 28)
      start (%acc = %b1[unit] : memref<8xi32>) {
        task.yield %acc : i32
      }
      step (%value = %row[i] : memref<28xi8>, %weight = %w1[unit, i] : memref<8x28xi8>) into (%acc_1: i32) {
        %0 = arith.extsi %value : i8 to i32
        %1 = arith.extsi %weight : i8 to i32
        %2 = arith.muli %0, %1 overflow<nsw> : i32
        %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
        task.yield %acc_2 : i32
      }
      finish () of (%acc_3: i32) {
        task.yield %acc_3 : i32
      }
      writes (%o1[unit] : memref<8xi32>)
    task.nest space(unit = 8) fold(i = 28)
      start (%acc = %b2[unit] : memref<8xi32>) {
        task.yield %acc : i32
      }
      step (%value = %row[i] : memref<28xi8>, %weight = %w2[unit, i] : memref<8x28xi8>) into (%acc_1: i32) {
        %0 = arith.extsi %value : i8 to i32
        %1 = arith.extsi %weight : i8 to i32
        %2 = arith.muli %0, %1 overflow<nsw> : i32
        %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
        task.yield %acc_2 : i32
      }
      finish () of (%acc_3: i32) {
        task.yield %acc_3 : i32
      }
      writes (%o2[unit] : memref<8xi32>)
    task.nest space(unit = 8) fold(i = 28)
      start (%acc = %b3[unit] : memref<8xi32>) {
        task.yield %acc : i32
      }
      step (%value = %row[i] : memref<28xi8>, %weight = %w3[unit, i] : memref<8x28xi8>) into (%acc_1: i32) {
        %0 = arith.extsi %value : i8 to i32
        %1 = arith.extsi %weight : i8 to i32
        %2 = arith.muli %0, %1 overflow<nsw> : i32
        %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
        task.yield %acc_2 : i32
      }
      finish () of (%acc_3: i32) {
        task.yield %acc_3 : i32
      }
      writes (%o3[unit] : memref<8xi32>)
  }
  func.return
}

func.func @main(%row: memref<28xi8>, %o0: memref<8xi32>, %o1: memref<8xi32>, %o2: memref<8xi32>, %o3: memref<8xi32>) {
  %w0 = memref.get_global @w0 : memref<8x28xi8>
  %b0 = memref.get_global @b0 : memref<8xi32>
  %w1 = memref.get_global @w1 : memref<8x28xi8>
  %b1 = memref.get_global @b1 : memref<8xi32>
  %w2 = memref.get_global @w2 : memref<8x28xi8>
  %b2 = memref.get_global @b2 : memref<8xi32>
  %w3 = memref.get_global @w3 : memref<8x28xi8>
  %b3 = memref.get_global @b3 : memref<8xi32>
  func.call @gates(%row, %w0, %b0, %o0, %w1, %b1, %o1, %w2, %b2, %o2, %w3, %b3, %o3) : (memref<28xi8>, memref<8x28xi8>, memref<8xi32>, memref<8xi32>, memref<8x28xi8>, memref<8xi32>, memref<8xi32>, memref<8x28xi8>, memref<8xi32>, memref<8xi32>, memref<8x28xi8>, memref<8xi32>, memref<8xi32>) -> ()
  func.return
}
