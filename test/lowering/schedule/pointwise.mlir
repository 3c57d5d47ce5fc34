// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4}" | filecheck %s
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m3},schedule{cpu=cortex-m3}" | filecheck %s --check-prefix M3
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4 optimize=size},schedule{cpu=cortex-m4}" | filecheck %s --check-prefix M3

// What a sum of bytes is rescaled to is one sum with factors, tried for all pairs; its bytes are those of words.
// CHECK-LABEL: func.func @sum
// CHECK:      %sum = simd.scale_byte_add %{{.*}}, %c{{[0-9]+}}_i32, %c
// CHECK-NEXT: arith.extsi
// CHECK-NEXT: %[[SUM:.*]] = simd.scale_byte_add %{{.*}}, %c{{[0-9]+}}_i32, %sum
// CHECK-NEXT: %[[RESULT:.*]] = simd.shift_saturate %[[SUM]] {{[0-9]+}} 8
// CHECK-NEXT: arith.trunci %[[RESULT]]
// CHECK-NEXT: task.yield
// CHECK:      schedule <split i 4, jam i_i, packed>
// M3-LABEL: func.func @sum
// M3-NOT:   scale_byte_add
// M3-NOT:   schedule <
func.func @sum(%x: memref<64xi8>, %y: memref<64xi8>, %z: memref<64xi8>) {
  %zero_x = arith.constant 3 : i32
  %zero_y = arith.constant -5 : i32
  %room = arith.constant 1048576 : i32
  %mx = arith.constant 1533916908 : i32
  %my = arith.constant 1273741824 : i32
  %mz = arith.constant 1670265000 : i32
  %sx = arith.constant -1 : i32
  %sy = arith.constant 0 : i32
  %sz = arith.constant -19 : i32
  %zero = arith.constant 7 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 64)
    finish (%0 = %x[i] : memref<64xi8>, %1 = %y[i] : memref<64xi8>) {
      %2 = arith.extsi %0 : i8 to i32
      %3 = arith.addi %2, %zero_x overflow<nsw> : i32
      %4 = arith.muli %3, %room overflow<nsw> : i32
      %5 = fx.rescale %4, %mx, %sx right_only
      %6 = arith.extsi %1 : i8 to i32
      %7 = arith.subi %6, %zero_y overflow<nsw> : i32
      %8 = arith.muli %7, %room overflow<nsw> : i32
      %9 = fx.rescale %8, %my, %sy right_only
      %10 = arith.addi %5, %9 overflow<nsw> : i32
      %11 = fx.rescale %10, %mz, %sz right_only
      %12 = arith.subi %11, %zero overflow<nsw> : i32
      %13 = arith.maxsi %12, %least : i32
      %14 = arith.minsi %13, %most : i32
      %15 = arith.trunci %14 : i32 to i8
      task.yield %15 : i8
    }
    writes (%z[i] : memref<64xi8>)
  func.return
}

// A short body is written out four times, so that the loop counts less; a row too short for that stays.
// CHECK-LABEL: func.func @table
// CHECK: schedule <split i 4, order (n, i_o, i_i), unroll i_i>
// CHECK-NOT: schedule <
func.func @table(%x: memref<2x64xi8>, %y: memref<2x64xi8>, %short: memref<2x6xi8>, %z: memref<2x6xi8>) {
  %half = arith.constant 1 : i8
  task.nest space(n = 2, i = 64)
    finish (%0 = %x[n, i] : memref<2x64xi8>) {
      %1 = arith.shrsi %0, %half : i8
      task.yield %1 : i8
    }
    writes (%y[n, i] : memref<2x64xi8>)
  task.nest space(n = 2, i = 6)
    finish (%0 = %short[n, i] : memref<2x6xi8>) {
      %1 = arith.shrsi %0, %half : i8
      task.yield %1 : i8
    }
    writes (%z[n, i] : memref<2x6xi8>)
  func.return
}

// Bytes that only move do so in words where they lie side by side on both sides; from columns they do not.
// CHECK-LABEL: func.func @moved
// CHECK: schedule <split i 4, order (n, i_o, i_i), jam i_i, packed>
// CHECK-NOT: schedule <
// M3-LABEL: func.func @moved
func.func @moved(%x: memref<256xi8>, %y: memref<64xi8>, %z: memref<64xi8>) {
  task.nest space(n = 2, i = 32)
    finish (%0 = %x[64 * n + i] : memref<256xi8>) {
      task.yield %0 : i8
    }
    writes (%y[32 * n + i] : memref<64xi8>)
  task.nest space(n = 2, i = 32)
    finish (%0 = %x[n + 2 * i] : memref<256xi8>) {
      task.yield %0 : i8
    }
    writes (%z[32 * n + i] : memref<64xi8>)
  func.return
}
