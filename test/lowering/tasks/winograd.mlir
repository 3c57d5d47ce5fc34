// RUN: stillpool-opt %s -p lower-tasks --split-input-file | filecheck %s
// RUN: stillpool-opt %s -p lower-tasks,usmp,emit-c -t c --split-input-file | filecheck %s --check-prefix C

// Three taps along one dimension: weights (1, 2, 3) become (2, 6, 2, 6), each in lanes of channels (1, 3) and (2, 4).
// CHECK: sym_name = "w_packed", type = memref<8xi32>, initial_value = dense<[131074, 131074, 393222, 393222, 131074, 131074, 393222, 393222]>
// Sums are twice the results: where they start from is doubled, the zero point in it: 2 * (5 - 2 * 24).
// CHECK: sym_name = "b_packed", type = memref<1xi32>, initial_value = dense<-86>
// CHECK-LABEL: func.func private @conv
// CHECK: %lanes = memref.alloc() {{.*}} : memref<8xi32>
// CHECK: %patch = memref.alloc() {{.*}} : memref<4xi32>
// Differences and sums of elements, straight from the operand.
// CHECK: scf.if
// CHECK:   simd.load_bytes %input
// CHECK:   simd.dual_subtract
// CHECK:   memref.store %{{.*}}, %lanes
// CHECK:   simd.dual_add
// At borders, from a copy with the zero point.
// CHECK: } else {
// CHECK:   memref.store %{{.*}}, %patch
// CHECK:   memref.load %patch
// Four sums of products,
// CHECK: %sums = memref.alloca() : memref<4xi32>
// CHECK: scf.for %product
// CHECK:   simd.dual_multiply_add
// CHECK:   simd.dual_multiply_add
// CHECK:   memref.store %{{.*}}, %sums
// and two results of them, which are shifted back.
// CHECK: arith.shrsi
// CHECK: arith.shrsi
// CHECK: memref.store %{{.*}}, %output
// CHECK: memref.store %{{.*}}, %output
// C: simd_dual_subtract(
"memref.global"() <{sym_name = "w", type = memref<1x3x4xi8>, initial_value = dense<[[[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]]]> : tensor<1x3x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<1xi32>, initial_value = dense<5> : tensor<1xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<6x4xi8>, %filter: memref<1x3x4xi8>, %bias: memref<1xi32>, %output: memref<6x1xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 6, oc = 1) fold(kx = 3, ic = 4) where(ix = ox + kx - 1)
    start (%acc = %bias[oc] : memref<1xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ix, ic] : memref<6x4xi8>, %weight = %filter[oc, kx, ic] : memref<1x3x4xi8>) into (%acc_1: i32) {
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
    writes (%output[ox, oc] : memref<6x1xi32>)
    schedule <split ox 2, order (ox_o, oc, ox_i, kx, ic), jam ox_i, winograd (ox) 2>
  func.return
}

func.func @main(%input: memref<6x4xi8>, %output: memref<6x1xi32>) {
  %w = memref.get_global @w : memref<1x3x4xi8>
  %b = memref.get_global @b : memref<1xi32>
  func.call @conv(%input, %w, %b, %output) : (memref<6x4xi8>, memref<1x3x4xi8>, memref<1xi32>, memref<6x1xi32>) -> ()
  func.return
}
