// RUN: stillpool-opt -p scale-sums,apply-steps %s | filecheck %s
// RUN: stillpool-opt -p scale-sums,apply-steps %s | stillpool-opt -p scale-sums,lower-tasks,dce > %t.of_steps
// RUN: stillpool-opt -p scale-sums,lower-tasks,dce %s | diff - %t.of_steps

// A pointwise convolution: two points are copied as words of two lanes each, and one kernel has all channels. What has
// plain loops stays a task.
// CHECK:       "w_stream", type = memref<40xi32>
// CHECK-LABEL: func.func @pointwise(
// CHECK-SAME:    %[[X:.*]]: memref<6x4xi8>, %[[Y:.*]]: memref<6x8xi8>, %[[Z:.*]]: memref<6x8xi8>
// CHECK:         %[[W:.*]] = memref.get_global @w_stream : memref<40xi32>
// CHECK:         %[[LANES:.*]] = memref.alloc() {{.*}}scratch{{.*}} : memref<4xi32>
// CHECK-NEXT:    scf.for %[[O:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:      %[[P:.*]] = arith.muli %[[O]], %{{.*}} : index
// CHECK-NEXT:      %[[Q:.*]] = arith.addi %[[P]], %{{.*}} : index
// CHECK-NEXT:      simd.unpack_points %[[X]][%[[P]], %{{.*}}], %[[X]][%[[Q]], %{{.*}}] [0] 1 unroll 1 [1, 4], %[[LANES]][%{{.*}}]
// CHECK-NEXT:      simd.tile_bytes held floor shift {{[0-9]+}} %[[LANES]][%{{.*}}] 2 unroll 2, %[[W]][%{{.*}}] 2, %[[Y]][%[[P]], %{{.*}}] along 0
// CHECK-NEXT:    }
// CHECK-NEXT:    task.nest space(ox = 6, c = 8)
// CHECK:           schedule <split c 4, jam c_i>

memref.global "private" constant @w : memref<8x4xi8> = dense<[[1, 2, 3, 4], [3, 4, 5, 6], [5, 6, 7, 8], [7, 8, 9, 10], [1, 2, 3, 4], [3, 4, 5, 6], [5, 6, 7, 8], [7, 8, 9, 10]]>
memref.global "private" constant @b : memref<8xi32> = dense<[100, 101, 102, 103, 104, 105, 106, 107]>
memref.global "private" constant @r : memref<8x3xi32> = dense<[[1000, 2000, 4], [1001, 2001, 4], [1002, 2002, 5], [1003, 2003, 5], [1004, 2004, 4], [1005, 2005, 4], [1006, 2006, 5], [1007, 2007, 5]]>

func.func @pointwise(%x: memref<6x4xi8>, %y: memref<6x8xi8>, %z: memref<6x8xi8>) {
  %c2 = arith.constant 2 : i32
  %w = memref.get_global @w : memref<8x4xi8>
  %b = memref.get_global @b : memref<8xi32>
  %r = memref.get_global @r : memref<8x3xi32>
  task.nest space(ox = 6, oc = 8) fold(ic = 4)
    start (%start = %b[oc] : memref<8xi32>) {
      task.yield %start : i32
    }
    step (%v = %x[ox, ic] : memref<6x4xi8>, %u = %w[oc, ic] : memref<8x4xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish (%multiplier = %r[oc, 0] : memref<8x3xi32>, %nudge = %r[oc, 1] : memref<8x3xi32>,
        %right = %r[oc, 2] : memref<8x3xi32>) of (%sum : i32) {
      %doubled = arith.muli %sum, %c2 overflow<nsw> : i32
      %high = simd.multiply_high_add %doubled, %multiplier, %nudge
      %shifted = arith.shrsi %high, %right : i32
      %byte = simd.saturate %shifted 8
      %narrow = arith.trunci %byte : i32 to i8
      task.yield %narrow : i8
    }
    writes (%y[ox, oc] : memref<6x8xi8>)
    schedule <split ox 2, split oc 4, order (ox_o, oc_o, ox_i, oc_i, ic), jam ox_i, jam oc_i, dual 1 2>
  task.nest space(ox = 6, c = 8)
    finish (%v = %y[ox, c] : memref<6x8xi8>) {
      %0 = arith.addi %v, %v : i8
      task.yield %0 : i8
    }
    writes (%z[ox, c] : memref<6x8xi8>)
    schedule <split c 4, jam c_i>
  func.return
}
