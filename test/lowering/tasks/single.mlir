// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// Elements in their own width in the order of use: those of two channels side by side, point by point.
// CHECK: sym_name = "w_packed", type = memref<12xi8>, initial_value = dense<[1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6]>
// CHECK: sym_name = "b_packed", type = memref<2xi32>, initial_value = dense<[58, 242]>
// Raised by the least of them, what is below zero is not; sums start from less, for bytes raised by 128, too.
// CHECK: sym_name = "v_packed", type = memref<12xi8>, initial_value = dense<[7, 5, 8, 4, 9, 3, 10, 2, 11, 1, 12, 0]>
// CHECK: sym_name = "c_packed", type = memref<2xi32>, initial_value = dense<[-2630, 2930]>

// CHECK-LABEL: func.func private @signed
// CHECK: %lanes = memref.alloc() {{.*}} : memref<6xi8>
// CHECK: %value = memref.load %input
// CHECK-NEXT: memref.store %value, %lanes
// CHECK: scf.for %block = %c0{{.*}} to %c3{{.*}} iter_args(
// CHECK: memref.load %lanes
// CHECK-NEXT: arith.extsi
// CHECK-COUNT-4: arith.addi {{.*}} overflow<nsw>

// CHECK-LABEL: func.func private @unsigned
// CHECK: arith.addi {{.*}}, %c128
// CHECK: arith.trunci
// What raised weights add to the sums is their number times all elements of the point.
// CHECK: arith.muli %total{{.*}}, %c6
// CHECK: arith.subi
// CHECK: memref.load %lanes
// CHECK-NEXT: arith.extui
"memref.global"() <{sym_name = "w", type = memref<2x2x3xi8>, initial_value = dense<[[[1, 2, 3], [4, 5, 6]], [[-1, -2, -3], [-4, -5, -6]]]> : tensor<2x2x3xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<2xi32>, initial_value = dense<[100, 200]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "v", type = memref<2x2x3xi8>, initial_value = dense<[[[1, 2, 3], [4, 5, 6]], [[-1, -2, -3], [-4, -5, -6]]]> : tensor<2x2x3xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "c", type = memref<2xi32>, initial_value = dense<[100, 200]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @signed(%input: memref<6x3xi8>, %filter: memref<2x2x3xi8>, %bias: memref<2xi32>, %output: memref<5x2xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 5, oc = 2) fold(kx = 2, ic = 3) where(ix = ox + kx)
    start (%acc = %bias[oc] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ix, ic] : memref<6x3xi8>, %weight = %filter[oc, kx, ic] : memref<2x2x3xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %c2 overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<5x2xi32>)
    schedule <order (ox, oc, kx, ic), jam oc, single 1 2>
  func.return
}

func.func private @unsigned(%input: memref<6x3xi8>, %filter: memref<2x2x3xi8>, %bias: memref<2xi32>, %output: memref<5x2xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 5, oc = 2) fold(kx = 2, ic = 3) where(ix = ox + kx)
    start (%acc = %bias[oc] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ix, ic] : memref<6x3xi8>, %weight = %filter[oc, kx, ic] : memref<2x2x3xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %c2 overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<5x2xi32>)
    schedule <order (ox, oc, kx, ic), jam oc, single 1 2 unsigned>
  func.return
}

func.func @main(%input: memref<6x3xi8>, %output: memref<5x2xi32>, %other: memref<5x2xi32>) {
  %w = memref.get_global @w : memref<2x2x3xi8>
  %b = memref.get_global @b : memref<2xi32>
  %v = memref.get_global @v : memref<2x2x3xi8>
  %c = memref.get_global @c : memref<2xi32>
  func.call @signed(%input, %w, %b, %output) : (memref<6x3xi8>, memref<2x2x3xi8>, memref<2xi32>, memref<5x2xi32>) -> ()
  func.call @unsigned(%input, %v, %c, %other) : (memref<6x3xi8>, memref<2x2x3xi8>, memref<2xi32>, memref<5x2xi32>) -> ()
  func.return
}
