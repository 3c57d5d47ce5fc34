// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// The weights of two channels in a word, 1 - 2 * 65536 among them; for two fold points those of two channels, then
// those of the others. What lacks a channel or a point is zero.
// CHECK: sym_name = "w_packed", type = memref<8xi32>, initial_value = dense<[-131071, -262142, 5, 6, -393213, 0, 7, 0]>
// Sums start from the zero point times the weights less.
// CHECK: sym_name = "b_packed", type = memref<3xi32>, initial_value = dense<[88, 224, 264]>

// CHECK-LABEL: func.func private @odd
// CHECK: %lanes = memref.alloc() {{.*}} : memref<4xi32>
// CHECK: %value = memref.load %input
// CHECK-NEXT: [[WIDE:%[0-9]+]] = arith.extsi %value
// CHECK-NEXT: memref.store [[WIDE]], %lanes
// A number for the point that there is not.
// CHECK: memref.store %c0_i32, %lanes[%c3
// CHECK: %sums = memref.alloca() : memref<4xi32>
// CHECK: memref.store %acc, %sums
// CHECK: memref.store %c0_i32, %sums[%c3
// CHECK-NEXT: simd.swar_products %lanes[%c0{{.*}}] 4, %filter[%c0{{.*}}], %sums
// CHECK-NEXT: memref.load %sums
"memref.global"() <{sym_name = "w", type = memref<3x3xi8>, initial_value = dense<[[1, 2, 3], [-2, -4, -6], [5, 6, 7]]> : tensor<3x3xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<3xi32>, initial_value = dense<[100, 200, 300]> : tensor<3xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @odd(%input: memref<6x3xi8>, %filter: memref<3x3xi8>, %bias: memref<3xi32>, %output: memref<6x3xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(x = 6, c = 3) fold(k = 3)
    start (%acc = %bias[c] : memref<3xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[x, k] : memref<6x3xi8>, %weight = %filter[c, k] : memref<3x3xi8>) into (%acc_1: i32) {
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
    writes (%output[x, c] : memref<6x3xi32>)
    schedule <jam c, swar 1>
  func.return
}

func.func @main(%input: memref<6x3xi8>, %output: memref<6x3xi32>) {
  %w = memref.get_global @w : memref<3x3xi8>
  %b = memref.get_global @b : memref<3xi32>
  func.call @odd(%input, %w, %b, %output) : (memref<6x3xi8>, memref<3x3xi8>, memref<3xi32>, memref<6x3xi32>) -> ()
  func.return
}
