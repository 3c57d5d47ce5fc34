// RUN: stillpool-opt %s -p double-early | filecheck %s
// RUN: stillpool-opt %s -p prepare-tasks{cpu=cortex-m3} | filecheck %s --check-prefix M3

// The product of two bytes that stand in words is doubled for the high half: twice one of the bytes is as much.
// CHECK-LABEL: func.func @products
// CHECK:       %twice = arith.addi %[[A:.*]], %[[A]]
// CHECK-NEXT:  %product = arith.muli %twice, %{{.*}}
// CHECK-NEXT:  simd.multiply_high_add %product,
// M3-LABEL: func.func @products
// M3:          arith.muli %{{.*}}, %{{.*}} : i32
// M3-NOT:      %twice
func.func @products(%x: memref<64xi8>, %y: memref<64xi8>, %z: memref<64xi8>) {
  %two = arith.constant 2 : i32
  %multiplier = arith.constant 1533916908 : i32
  %nudge = arith.constant 64 : i32
  %right = arith.constant 7 : i32
  task.nest space(i = 64)
    finish (%0 = %x[i] : memref<64xi8>, %1 = %y[i] : memref<64xi8>) {
      %2 = arith.extsi %0 : i8 to i32
      %3 = arith.extsi %1 : i8 to i32
      %4 = arith.muli %2, %3 : i32
      %5 = arith.muli %4, %two : i32
      %6 = simd.multiply_high_add %5, %multiplier, %nudge
      %7 = arith.shrsi %6, %right : i32
      %8 = simd.saturate %7 8
      %9 = arith.trunci %8 : i32 to i8
      task.yield %9 : i8
    }
    writes (%z[i] : memref<64xi8>)
  func.return
}

// The product itself is read, too: it stays.
// CHECK-LABEL: func.func @read
// CHECK-NOT:     %twice
// CHECK:         func.return
func.func @read(%x: memref<64xi8>, %y: memref<64xi8>, %z: memref<64xi32>, %p: memref<64xi32>) {
  %two = arith.constant 2 : i32
  task.nest space(i = 64)
    finish (%0 = %x[i] : memref<64xi8>, %1 = %y[i] : memref<64xi8>) {
      %2 = arith.extsi %0 : i8 to i32
      %3 = arith.extsi %1 : i8 to i32
      %4 = arith.muli %2, %3 : i32
      %5 = arith.muli %4, %two : i32
      task.yield %4, %5 : i32, i32
    }
    writes (%z[i] : memref<64xi32>, %p[i] : memref<64xi32>)
  func.return
}
