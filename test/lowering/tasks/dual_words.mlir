// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// Four bytes in a row are read as one word. Taken apart these are the first with the third and the second with the
// fourth, and the weights are packed alike: (1, 3), (2, 4), then (5, 7), (6, 8).
// CHECK: sym_name = "w_packed", type = memref<4xi32>, initial_value = dense<[196609, 262146, 458757, 524294]>

// CHECK-LABEL: func.func private @conv
// CHECK: %[[zeros:.*]] = arith.constant 131074 : i32
// CHECK: %lanes = memref.alloc() {{.*}} : memref<4xi32>
// Inside of the operand.
// CHECK: scf.if
// CHECK:   scf.for %kx
// CHECK:     %bytes = simd.load_bytes %input[%ix, %c0{{.*}}] : memref<6x4xi8>
// CHECK:     %[[even:.*]] = simd.unpack_even %bytes
// CHECK:     %[[odd:.*]] = simd.unpack_odd %bytes
// CHECK:     memref.store %[[even]], %lanes
// CHECK:     memref.store %[[odd]], %lanes
// At its borders a run is inside as a whole, or it is zero points as a whole.
// CHECK:   } else {
// CHECK:     scf.for %kx
// CHECK:       scf.if
// CHECK:         simd.load_bytes
// CHECK:       } else {
// CHECK:         memref.store %[[zeros]], %lanes
// CHECK:         memref.store %[[zeros]], %lanes
// CHECK-NOT: simd.pack
// CHECK: simd.dual_multiply_add
"memref.global"() <{sym_name = "w", type = memref<2x4xi8>, initial_value = dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<6x4xi8>, %filter: memref<2x4xi8>, %output: memref<6xi32>) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 6) fold(kx = 2, ic = 4) where(ix = ox + kx - 1)
    start () {
      task.yield %c0 : i32
    }
    step (%value = clip %input[ix, ic] : memref<6x4xi8>, %weight = %filter[kx, ic] : memref<2x4xi8>) into (%acc_1: i32) {
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
    writes (%output[ox] : memref<6xi32>)
    schedule <order (ox, kx, ic), dual 1 1>
  func.return
}

func.func @model(%input: memref<6x4xi8>, %output: memref<6xi32>) {
  %w = memref.get_global @w : memref<2x4xi8>
  func.call @conv(%input, %w, %output) : (memref<6x4xi8>, memref<2x4xi8>, memref<6xi32>) -> ()
  func.return
}
