// RUN: stillpool-opt %s --split-input-file -p scale-sums,lower-tasks | filecheck %s

// Two points with all channels are one operation, and the last point alone is another: they read one stream of where
// sums start, weights and records, channel by channel, for the words of both points stay in registers. What is shifted by
// is 12 for all channels instead of 0 to 7, and sums are scaled by 2**13 to 2**6 in starts and weights.
// CHECK: "words_w_stream", type = memref<32xi32>, initial_value = dense<[819200, 1073750016, 1000, 8194048, 413696, 1073754112, 1001, 4099072,
// CHECK-LABEL: func.func @words(
// CHECK: simd.tile_bytes held floor shift 12 %{{.*}}[%{{.*}}] 1 unroll 1, %{{.*}}[%{{.*}}] 2, %{{.*}}[%{{.*}}, %{{.*}}] along 0 : memref<2xi32>, memref<32xi32>, memref<5x8xi8>
// CHECK: simd.tile_bytes held floor shift 12 %{{.*}}[%{{.*}}] 1 unroll 1, %{{.*}}[%{{.*}}] 2, %{{.*}}[%{{.*}}, %{{.*}}] : memref<{{.*}}xi32>, memref<32xi32>, memref<5x8xi8>
// CHECK-NOT: simd.multiply_high

memref.global "private" constant @words_w : memref<8x2xi8> = dense<[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12], [13, 14], [15, 16]]>
memref.global "private" constant @words_b : memref<8xi32> = dense<[100, 101, 102, 103, 104, 105, 106, 107]>
memref.global "private" constant @words_r : memref<8x3xi32> = dense<[[1000, 2000, 0], [1001, 2001, 1], [1002, 2002, 2], [1003, 2003, 3], [1004, 2004, 4], [1005, 2005, 5], [1006, 2006, 6], [1007, 2007, 7]]>

func.func @words(%x: memref<5x2xi8>, %y: memref<5x8xi8>) {
  %c2 = arith.constant 2 : i32
  %w = memref.get_global @words_w : memref<8x2xi8>
  %b = memref.get_global @words_b : memref<8xi32>
  %r = memref.get_global @words_r : memref<8x3xi32>
  task.nest space(ox = 5, oc = 8) fold(ic = 2)
    start (%start = %b[oc] : memref<8xi32>) {
      task.yield %start : i32
    }
    step (%v = %x[ox, ic] : memref<5x2xi8>, %u = %w[oc, ic] : memref<8x2xi8>) into (%acc : i32) {
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
    writes (%y[ox, oc] : memref<5x8xi8>)
    schedule <split ox 2, split oc 4, order (ox_o, oc_o, ox_i, oc_i, ic), jam ox_i, jam oc_i, dual 1 1>
  func.return
}

// -----

// With bytes two channels share a word, and the operation doubles their sums.
// CHECK: "bytes_w_stream", type = memref<36xi32>, initial_value = dense<[100, 101, 102, 103, 67240705,
// CHECK-LABEL: func.func @bytes(
// CHECK: simd.tile_bytes bytes %{{.*}}[%{{.*}}] 1 unroll 1, %{{.*}}[%{{.*}}] 2, %{{.*}}[%{{.*}}, %{{.*}}] along 0 : memref<2xi32>, memref<36xi32>, memref<5x8xi8>

memref.global "private" constant @bytes_w : memref<8x2xi8> = dense<[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12], [13, 14], [15, 16]]>
memref.global "private" constant @bytes_b : memref<8xi32> = dense<[100, 101, 102, 103, 104, 105, 106, 107]>
memref.global "private" constant @bytes_r : memref<8x3xi32> = dense<[[1000, 2000, 0], [1001, 2001, 1], [1002, 2002, 2], [1003, 2003, 3], [1004, 2004, 4], [1005, 2005, 5], [1006, 2006, 6], [1007, 2007, 7]]>

func.func @bytes(%x: memref<5x2xi8>, %y: memref<5x8xi8>) {
  %c2 = arith.constant 2 : i32
  %w = memref.get_global @bytes_w : memref<8x2xi8>
  %b = memref.get_global @bytes_b : memref<8xi32>
  %r = memref.get_global @bytes_r : memref<8x3xi32>
  task.nest space(ox = 5, oc = 8) fold(ic = 2)
    start (%start = %b[oc] : memref<8xi32>) {
      task.yield %start : i32
    }
    step (%v = %x[ox, ic] : memref<5x2xi8>, %u = %w[oc, ic] : memref<8x2xi8>) into (%acc : i32) {
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
    writes (%y[ox, oc] : memref<5x8xi8>)
    schedule <split ox 2, split oc 4, order (ox_o, oc_o, ox_i, oc_i, ic), jam ox_i, jam oc_i, dual 1 1 bytes>
  func.return
}

// -----

// One row of an image: what it reads does not depend on the row's number.
// CHECK-LABEL: func.func @row(
// CHECK: simd.tile_bytes held floor shift 12 %{{.*}}[%{{.*}}] 1 unroll 1, %{{.*}}[%{{.*}}] 2, %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] along 1 : memref<2xi32>, memref<32xi32>, memref<1x5x8xi8>

memref.global "private" constant @row_w : memref<8x2xi8> = dense<[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12], [13, 14], [15, 16]]>
memref.global "private" constant @row_b : memref<8xi32> = dense<[100, 101, 102, 103, 104, 105, 106, 107]>
memref.global "private" constant @row_r : memref<8x3xi32> = dense<[[1000, 2000, 0], [1001, 2001, 1], [1002, 2002, 2], [1003, 2003, 3], [1004, 2004, 4], [1005, 2005, 5], [1006, 2006, 6], [1007, 2007, 7]]>

func.func @row(%x: memref<5x2xi8>, %y: memref<1x5x8xi8>) {
  %c2 = arith.constant 2 : i32
  %w = memref.get_global @row_w : memref<8x2xi8>
  %b = memref.get_global @row_b : memref<8xi32>
  %r = memref.get_global @row_r : memref<8x3xi32>
  task.nest space(oy = 1, ox = 5, oc = 8) fold(ic = 2)
    start (%start = %b[oc] : memref<8xi32>) {
      task.yield %start : i32
    }
    step (%v = %x[ox, ic] : memref<5x2xi8>, %u = %w[oc, ic] : memref<8x2xi8>) into (%acc : i32) {
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
    writes (%y[oy, ox, oc] : memref<1x5x8xi8>)
    schedule <split ox 2, split oc 4, order (ox_o, oy, oc_o, ox_i, oc_i, ic), jam ox_i, jam oc_i, dual 1 1>
  func.return
}
