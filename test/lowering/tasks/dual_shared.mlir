// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// Two channels share the lanes of a word: (-1, 2) of the first and (3, 4) of the second are the lanes -1 + 256 * 3 and
// 2 + 256 * 4. Their bytes from the lowest on are -1, 2, 2, 4: what the negative one borrows is taken off above it.
// CHECK: sym_name = "w_packed", type = memref<2xi32>, initial_value = dense<[67240703, 84215301]>
// What does not fit stays in bytes of its own: -128 with a borrow, and sums beyond 24 bits.
// CHECK: sym_name = "v_packed", type = memref<2xi32>, initial_value = dense<[67240959, 84215424]>
// CHECK: sym_name = "u_packed", type = memref<2xi32>, initial_value = dense<[67240959, 84215301]>

// CHECK-LABEL: func.func private @shared
// CHECK: simd.dual_products %lanes[%c0{{.*}}] 1 unroll 1 bytes, %filter[%c0{{.*}}], %bias[%c0{{.*}}], %sums
// So it is for the pixel that is left.
// CHECK: simd.dual_products %lanes[%c0{{.*}}] 1 unroll 1 bytes, %filter[%c0{{.*}}], %bias[%c0{{.*}}], {{.*}} memref<4xi32>, memref<4xi32>
// CHECK-LABEL: func.func private @lowest
// CHECK-NOT: simd.dual_products
// CHECK: simd.unpack_next
// CHECK-LABEL: func.func private @large
// CHECK-NOT: simd.dual_products
// CHECK: simd.unpack_next
// CHECK-LABEL: func.func private @rest
// CHECK: simd.dual_products
// Of two channels that are left the upper sum starts from both and is multiplied with both; the lower one is taken off.
// CHECK: [[RAISED:%.*]] = arith.muli %acc_{{[0-9]+}}, %c256
// CHECK-NEXT: %acc_{{[0-9]+}} = arith.addi [[RAISED]], %acc
// CHECK: simd.unpack_even %w0
// CHECK: simd.dual_multiply_add %x0, %w0
// CHECK: [[LEFT:%.*]] = arith.subi
// CHECK-NEXT: arith.shrsi [[LEFT]], %c8
"memref.global"() <{sym_name = "s", type = memref<6x2xi8>, initial_value = dense<[[-1, 2], [3, 4], [5, 5], [6, 5], [1, 1], [2, 2]]> : tensor<6x2xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "d", type = memref<6xi32>, initial_value = dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "w", type = memref<4x2xi8>, initial_value = dense<[[-1, 2], [3, 4], [5, 5], [6, 5]]> : tensor<4x2xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "v", type = memref<4x2xi8>, initial_value = dense<[[-1, 2], [3, 4], [-128, 5], [6, 5]]> : tensor<4x2xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "u", type = memref<4x2xi8>, initial_value = dense<[[-1, 2], [3, 4], [5, 5], [6, 5]]> : tensor<4x2xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<4xi32>, initial_value = dense<[1, 2, 3, 4]> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "c", type = memref<4xi32>, initial_value = dense<[1, 2, 3, 8388600]> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @shared(%input: memref<3x2xi8>, %filter: memref<4x2xi8>, %bias: memref<4xi32>, %output: memref<3x4xi32>) {
  task.nest space(ox = 3, oc = 4) fold(ic = 2)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ox, ic] : memref<3x2xi8>, %weight = %filter[oc, ic] : memref<4x2xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<3x4xi32>)
    schedule <split ox 2, order (ox_o, ox_i, oc, ic), jam ox_i, jam oc, dual 1 1 bytes>
  func.return
}

func.func private @lowest(%input: memref<3x2xi8>, %filter: memref<4x2xi8>, %bias: memref<4xi32>, %output: memref<3x4xi32>) {
  task.nest space(ox = 3, oc = 4) fold(ic = 2)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ox, ic] : memref<3x2xi8>, %weight = %filter[oc, ic] : memref<4x2xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<3x4xi32>)
    schedule <split ox 2, order (ox_o, ox_i, oc, ic), jam ox_i, jam oc, dual 1 1 bytes>
  func.return
}

func.func private @large(%input: memref<3x2xi8>, %filter: memref<4x2xi8>, %bias: memref<4xi32>, %output: memref<3x4xi32>) {
  task.nest space(ox = 3, oc = 4) fold(ic = 2)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ox, ic] : memref<3x2xi8>, %weight = %filter[oc, ic] : memref<4x2xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<3x4xi32>)
    schedule <split ox 2, order (ox_o, ox_i, oc, ic), jam ox_i, jam oc, dual 1 1 bytes>
  func.return
}

func.func private @rest(%input: memref<3x2xi8>, %filter: memref<6x2xi8>, %bias: memref<6xi32>, %output: memref<3x6xi32>) {
  task.nest space(ox = 3, oc = 6) fold(ic = 2)
    start (%acc = %bias[oc] : memref<6xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ox, ic] : memref<3x2xi8>, %weight = %filter[oc, ic] : memref<6x2xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<3x6xi32>)
    schedule <split ox 2, split oc 4, order (ox_o, oc_o, ox_i, oc_i, ic), jam ox_i, jam oc_i, dual 1 1 bytes>
  func.return
}

func.func @main(%input: memref<3x2xi8>, %output: memref<3x4xi32>) {
  %shared_w = memref.get_global @w : memref<4x2xi8>
  %shared_b = memref.get_global @b : memref<4xi32>
  func.call @shared(%input, %shared_w, %shared_b, %output) : (memref<3x2xi8>, memref<4x2xi8>, memref<4xi32>, memref<3x4xi32>) -> ()
  %lowest_w = memref.get_global @v : memref<4x2xi8>
  %lowest_b = memref.get_global @b : memref<4xi32>
  func.call @lowest(%input, %lowest_w, %lowest_b, %output) : (memref<3x2xi8>, memref<4x2xi8>, memref<4xi32>, memref<3x4xi32>) -> ()
  %large_w = memref.get_global @u : memref<4x2xi8>
  %large_b = memref.get_global @c : memref<4xi32>
  func.call @large(%input, %large_w, %large_b, %output) : (memref<3x2xi8>, memref<4x2xi8>, memref<4xi32>, memref<3x4xi32>) -> ()
  func.return
}

func.func @other(%input: memref<3x2xi8>, %output: memref<3x6xi32>) {
  %w = memref.get_global @s : memref<6x2xi8>
  %b = memref.get_global @d : memref<6xi32>
  func.call @rest(%input, %w, %b, %output) : (memref<3x2xi8>, memref<6x2xi8>, memref<6xi32>, memref<3x6xi32>) -> ()
  func.return
}
