// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// The sum of each channel's weights stands beside them.
// CHECK: sym_name = "w_packed", type = memref<8xi32>, initial_value = dense<[196609, -131073, 7, 0, 262146, -196610, 0, 524288]>
// CHECK: sym_name = "w_weights", type = memref<4xi32>, initial_value = dense<[10, -10, 7, 8]>

// CHECK-LABEL: func.func private @conv(%input: memref<3x6x2xi8>, %filter: memref<8xi32>, %zero_points: memref<3xi32>, %output: memref<3x6x4xi32>, %weights: memref<4xi32>)
// CHECK: scf.for %n
// What is clipped is the zero point of the row.
// CHECK:   scf.if
// CHECK-NOT: %zero_points
// CHECK:     simd.unpack_points %input[%n, {{.*}}], %input[%n, {{.*}}] [0] 1 unroll 1 [1, 2, 2], %lanes[%c0
// CHECK:   } else {
// CHECK-NEXT: scf.for %ox_i
// CHECK:     } else {
// CHECK-NEXT: %zero_point = memref.load %zero_points[%n] : memref<3xi32>
// CHECK:     scf.if
// CHECK:     } else {
// CHECK-NEXT: scf.yield %zero_point : i32
// The sums of a tile are of elements as they lie; what the zero point adds to them is taken off.
// CHECK:   simd.dual_products
// CHECK-COUNT-8: memref.load %sums
// CHECK-NEXT: [[ZERO:%zero_point[_0-9]*]] = memref.load %zero_points[%n] : memref<3xi32>
// CHECK-NEXT: [[SUM:%weights[_0-9]*]] = memref.load %weights[%c0
// CHECK-NEXT: [[LESS:%[0-9]+]] = arith.muli [[ZERO]], [[SUM]] : i32
// CHECK-NEXT: arith.subi %acc{{.*}}, [[LESS]] : i32
// CHECK-COUNT-7: arith.subi %acc
// CHECK-COUNT-8: memref.store {{.*}}, %output
"memref.global"() <{sym_name = "w", type = memref<4x2x2xi8>, initial_value = dense<[[[1, 2], [3, 4]], [[-1, -2], [-3, -4]], [[7, 0], [0, 0]], [[0, 0], [0, 8]]]> : tensor<4x2x2xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<3x6x2xi8>, %filter: memref<4x2x2xi8>, %zero_points: memref<3xi32>, %output: memref<3x6x4xi32>) {
  %c0 = arith.constant 0 : i32
  task.nest space(n = 3, ox = 6, oc = 4) fold(kx = 2, ic = 2) where(ix = ox + kx - 1)
    start () {
      task.yield %c0 : i32
    }
    step (%value = clip %input[n, ix, ic] : memref<3x6x2xi8>, %weight = %filter[oc, kx, ic] : memref<4x2x2xi8>, %zero_point = %zero_points[n] : memref<3xi32>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %zero_point overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[n, ox, oc] : memref<3x6x4xi32>)
    schedule <split ox 2, order (n, ox_o, ox_i, oc, kx, ic), jam ox_i, jam oc, dual 2 1>
  func.return
}

func.func @main(%input: memref<3x6x2xi8>, %zero_points: memref<3xi32>, %output: memref<3x6x4xi32>) {
  %w = memref.get_global @w : memref<4x2x2xi8>
  func.call @conv(%input, %w, %zero_points, %output) : (memref<3x6x2xi8>, memref<4x2x2xi8>, memref<3xi32>, memref<3x6x4xi32>) -> ()
  func.return
}
