// RUN: stillpool-opt %s -p scale-sums | filecheck %s
// RUN: stillpool-opt %s -p scale-sums,lower-tasks | filecheck %s --check-prefix LOOPS
// RUN: stillpool-opt %s -p lower-to-loops | filecheck %s --check-prefix LOOPS

// What doubles a sum is in the weights and in where it starts; the sign is that of the double.
// LOOPS: sym_name = "w_packed", type = memref<12xi32>, initial_value = dense<[393218, -327682, 1048590, 524292, -458756, 1048590, 786442, -720906, 1179666, 0, 0, 20]>
// LOOPS: sym_name = "b_packed", type = memref<3xi32>, initial_value = dense<[200, 400, 600]>
// LOOPS-LABEL: func.func private @conv
// LOOPS: [[SUM:%.*]], %{{.*}}, %{{.*}} = scf.for
// LOOPS: scf.yield
// LOOPS: arith.shrsi [[SUM]]
// LOOPS-NEXT: arith.addi [[SUM]]
// CHECK: "w_scaled", type = memref<3x7xi16>, initial_value = dense<[[2, 4, 6, 8, 10, 12, 0], [-2, -4, -6, -8, -10, -12, 0], [14, 14, 16, 16, 18, 18, 20]]>
// CHECK: "b_packed", type = memref<3xi32>, initial_value = dense<[200, 400, 600]>
// CHECK-LABEL: func.func private @conv
// A sum may wrap on its way.
// CHECK: %acc_2 = arith.addi %acc_1, %2 : i32
// CHECK: [[SIGN:%.*]] = arith.shrsi %acc_3, %far
// CHECK-NEXT: arith.addi %acc_3, [[SIGN]]
// Bytes do not hold it.
// CHECK-LABEL: func.func private @bytes
// CHECK: arith.muli %acc_3, %two
// LOOPS: sym_name = "w2_packed", type = memref<8xi32>, initial_value = dense<[-50069759,
// LOOPS: sym_name = "b2", type = memref<3xi32>, initial_value = dense<[100, 200, 300]>
// LOOPS-LABEL: func.func private @bytes
// LOOPS: [[SUM:%.*]], %{{.*}}, %{{.*}} = scf.for
// LOOPS: scf.yield
// LOOPS: arith.muli [[SUM]]
"memref.global"() <{sym_name = "w", type = memref<3x7xi8>, initial_value = dense<[[1, 2, 3, 4, 5, 6, 0], [-1, -2, -3, -4, -5, -6, 0], [7, 7, 8, 8, 9, 9, 10]]> : tensor<3x7xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<3xi32>, initial_value = dense<[100, 200, 300]> : tensor<3xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<6x7xi8>, %filter: memref<3x7xi8>, %bias: memref<3xi32>, %output: memref<6x3xi32>) {
  task.nest space(ox = 6, oc = 3) fold(ic = 7)
    start (%acc = %bias[oc] : memref<3xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ox, ic] : memref<6x7xi8>, %weight = %filter[oc, ic] : memref<3x7xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      %two = arith.constant 2 : i32
      %d = arith.muli %acc_3, %two overflow<nsw> : i32
      %far = arith.constant 31 : i32
      %sign = arith.shrsi %acc_3, %far : i32
      %out = arith.addi %d, %sign : i32
      task.yield %out : i32
    }
    writes (%output[ox, oc] : memref<6x3xi32>)
    schedule <order (ox, oc, ic), jam oc, dual 1 1>
  func.return
}

func.func @main(%input: memref<6x7xi8>, %output: memref<6x3xi32>) {
  %w = memref.get_global @w : memref<3x7xi8>
  %b = memref.get_global @b : memref<3xi32>
  func.call @conv(%input, %w, %b, %output) : (memref<6x7xi8>, memref<3x7xi8>, memref<3xi32>, memref<6x3xi32>) -> ()
  func.return
}
"memref.global"() <{sym_name = "w2", type = memref<3x7xi8>, initial_value = dense<[[1, 2, 3, 4, 5, 6, 0], [-1, -2, -3, -4, -5, -6, 0], [7, 7, 8, 8, 9, 9, 10]]> : tensor<3x7xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b2", type = memref<3xi32>, initial_value = dense<[100, 200, 300]> : tensor<3xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @bytes(%input: memref<6x7xi8>, %filter: memref<3x7xi8>, %bias: memref<3xi32>, %output: memref<6x3xi32>) {
  task.nest space(ox = 6, oc = 3) fold(ic = 7)
    start (%acc = %bias[oc] : memref<3xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ox, ic] : memref<6x7xi8>, %weight = %filter[oc, ic] : memref<3x7xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      %two = arith.constant 2 : i32
      %d = arith.muli %acc_3, %two overflow<nsw> : i32
      %far = arith.constant 31 : i32
      %sign = arith.shrsi %acc_3, %far : i32
      %out = arith.addi %d, %sign : i32
      task.yield %out : i32
    }
    writes (%output[ox, oc] : memref<6x3xi32>)
    schedule <order (ox, oc, ic), jam oc, dual 1 1 bytes>
  func.return
}

func.func @main_bytes(%input: memref<6x7xi8>, %output: memref<6x3xi32>) {
  %w = memref.get_global @w2 : memref<3x7xi8>
  %b = memref.get_global @b2 : memref<3xi32>
  func.call @bytes(%input, %w, %b, %output) : (memref<6x7xi8>, memref<3x7xi8>, memref<3xi32>, memref<6x3xi32>) -> ()
  func.return
}
