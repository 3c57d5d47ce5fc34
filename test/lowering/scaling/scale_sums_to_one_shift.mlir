// RUN: stillpool-opt %s --split-input-file -p scale-sums | filecheck %s
// RUN: stillpool-opt %s --split-input-file -p scale-sums,lower-tasks | filecheck %s --check-prefix LOOPS

// Signs are added before the shift, so that sums cannot be scaled; but all channels shift by 7, which records need not
// say then.
// LOOPS: "alike_w_stream", type = memref<16xi32>, initial_value = dense<[200, 202, 204, 206, 262146, 524294, 786442, 1048590, 1000, 2000, 1001, 2001, 1002, 2002, 1003, 2003]>
// LOOPS: simd.tile_bytes signed shift 7 %{{.*}}[%{{.*}}] 1 unroll 1

memref.global "private" constant @alike_w : memref<4x2xi8> = dense<[[1, 2], [3, 4], [5, 6], [7, 8]]>
memref.global "private" constant @alike_b : memref<4xi32> = dense<[100, 101, 102, 103]>
memref.global "private" constant @alike_r : memref<4x3xi32> = dense<[[1000, 2000, 7], [1001, 2001, 7], [1002, 2002, 7], [1003, 2003, 7]]>

func.func @alike(%x: memref<5x2xi8>, %y: memref<5x4xi8>) {
  %c2 = arith.constant 2 : i32
  %c31 = arith.constant 31 : i32
  %w = memref.get_global @alike_w : memref<4x2xi8>
  %b = memref.get_global @alike_b : memref<4xi32>
  %r = memref.get_global @alike_r : memref<4x3xi32>
  task.nest space(ox = 5, oc = 4) fold(ic = 2)
    start (%start = %b[oc] : memref<4xi32>) {
      task.yield %start : i32
    }
    step (%v = %x[ox, ic] : memref<5x2xi8>, %u = %w[oc, ic] : memref<4x2xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish (%multiplier = %r[oc, 0] : memref<4x3xi32>, %nudge = %r[oc, 1] : memref<4x3xi32>,
        %right = %r[oc, 2] : memref<4x3xi32>) of (%sum : i32) {
      %sign = arith.shrsi %sum, %c31 : i32
      %added = arith.addi %sign, %nudge : i32
      %doubled = arith.muli %sum, %c2 overflow<nsw> : i32
      %high = simd.multiply_high_add %doubled, %multiplier, %added
      %shifted = arith.shrsi %high, %right : i32
      %byte = simd.saturate %shifted 8
      %narrow = arith.trunci %byte : i32 to i8
      task.yield %narrow : i8
    }
    writes (%y[ox, oc] : memref<5x4xi8>)
    schedule <split ox 2, order (ox_o, ox_i, oc, ic), jam ox_i, jam oc, dual 1 1>
  func.return
}

// -----

// Of several distances records go on to say each.
// CHECK: "apart_w_scaled"
// CHECK: "apart_r", type = memref<4x3xi32>
// CHECK: [[HIGH:%.*]] = simd.multiply_high_add %sum, %multiplier, %added
// CHECK-NEXT: arith.shrsi [[HIGH]], %right
// LOOPS: "apart_w_stream", type = memref<20xi32>
// LOOPS: simd.tile_bytes signed %{{.*}}[%{{.*}}] 1 unroll 1

memref.global "private" constant @apart_w : memref<4x2xi8> = dense<[[1, 2], [3, 4], [5, 6], [7, 8]]>
memref.global "private" constant @apart_b : memref<4xi32> = dense<[100, 101, 102, 103]>
memref.global "private" constant @apart_r : memref<4x3xi32> = dense<[[1000, 2000, 7], [1001, 2001, 7], [1002, 2002, 8], [1003, 2003, 7]]>

func.func @apart(%x: memref<5x2xi8>, %y: memref<5x4xi8>) {
  %c2 = arith.constant 2 : i32
  %c31 = arith.constant 31 : i32
  %w = memref.get_global @apart_w : memref<4x2xi8>
  %b = memref.get_global @apart_b : memref<4xi32>
  %r = memref.get_global @apart_r : memref<4x3xi32>
  task.nest space(ox = 5, oc = 4) fold(ic = 2)
    start (%start = %b[oc] : memref<4xi32>) {
      task.yield %start : i32
    }
    step (%v = %x[ox, ic] : memref<5x2xi8>, %u = %w[oc, ic] : memref<4x2xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish (%multiplier = %r[oc, 0] : memref<4x3xi32>, %nudge = %r[oc, 1] : memref<4x3xi32>,
        %right = %r[oc, 2] : memref<4x3xi32>) of (%sum : i32) {
      %sign = arith.shrsi %sum, %c31 : i32
      %added = arith.addi %sign, %nudge : i32
      %doubled = arith.muli %sum, %c2 overflow<nsw> : i32
      %high = simd.multiply_high_add %doubled, %multiplier, %added
      %shifted = arith.shrsi %high, %right : i32
      %byte = simd.saturate %shifted 8
      %narrow = arith.trunci %byte : i32 to i8
      task.yield %narrow : i8
    }
    writes (%y[ox, oc] : memref<5x4xi8>)
    schedule <split ox 2, order (ox_o, ox_i, oc, ic), jam ox_i, jam oc, dual 1 1>
  func.return
}

// -----

// Weights that fill their lanes are scaled by 2 * 2**7 at most, so that no distance is above 8. The last channel, which
// shifts by 15, has a smaller multiplier: its sums give the same bytes with it.
// CHECK: "far_w_scaled", type = memref<4x2xi16>, initial_value = dense<[[32512, 512], [508, 16], [508, 24], [254, 16]]>
// CHECK: "far_b_packed", type = memref<4xi32>, initial_value = dense<[25600, 404, 408, 8000178]>
// CHECK: "far_r_packed", type = memref<4x2xi32>, initial_value = dense<[[1000, 256064], [1001, 4003], [1002, 4005], [15625000, 15]]>
// CHECK: simd.multiply_high_floor_add %sum, %multiplier, %nudge
// CHECK-NEXT: simd.shift_saturate %high 8 8
// LOOPS: "far_w_stream", type = memref<16xi32>, initial_value = dense<[25600, 33586944, 1000, 256064, 404, 1049084, 1001, 4003, 408, 1573372, 1002, 4005, 8000178, 1048830, 15625000, 15]>
// LOOPS: simd.tile_bytes held floor shift 8 %{{.*}}[%{{.*}}] 1 unroll 1

memref.global "private" constant @far_w : memref<4x2xi8> = dense<[[127, 2], [127, 4], [127, 6], [127, 8]]>
memref.global "private" constant @far_b : memref<4xi32> = dense<[100, 101, 102, 4000000]>
memref.global "private" constant @far_r : memref<4x3xi32> = dense<[[1000, 2000, 1], [1001, 2001, 7], [1002, 2002, 7], [2000000003, 2003, 15]]>

func.func @far(%x: memref<5x2xi8>, %y: memref<5x4xi8>) {
  %c2 = arith.constant 2 : i32
  %w = memref.get_global @far_w : memref<4x2xi8>
  %b = memref.get_global @far_b : memref<4xi32>
  %r = memref.get_global @far_r : memref<4x3xi32>
  task.nest space(ox = 5, oc = 4) fold(ic = 2)
    start (%start = %b[oc] : memref<4xi32>) {
      task.yield %start : i32
    }
    step (%v = %x[ox, ic] : memref<5x2xi8>, %u = %w[oc, ic] : memref<4x2xi8>) into (%acc : i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish (%multiplier = %r[oc, 0] : memref<4x3xi32>, %nudge = %r[oc, 1] : memref<4x3xi32>,
        %right = %r[oc, 2] : memref<4x3xi32>) of (%sum : i32) {
      %doubled = arith.muli %sum, %c2 overflow<nsw> : i32
      %high = simd.multiply_high_add %doubled, %multiplier, %nudge
      %shifted = arith.shrsi %high, %right : i32
      %byte = simd.saturate %shifted 8
      %narrow = arith.trunci %byte : i32 to i8
      task.yield %narrow : i8
    }
    writes (%y[ox, oc] : memref<5x4xi8>)
    schedule <split ox 2, order (ox_o, ox_i, oc, ic), jam ox_i, jam oc, dual 1 1>
  func.return
}
