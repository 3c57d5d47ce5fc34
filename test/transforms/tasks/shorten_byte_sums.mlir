// RUN: stillpool-opt %s -p shorten-byte-sums | filecheck %s

// What a product of a byte is rescaled to is one multiplication, tried for all bytes; limits that saturation gives go.
// CHECK-LABEL: func.func @scaled
// CHECK:      finish (%0 = %x[i] : memref<64xi8>) {
// CHECK-NOT:    fx.rescale
// CHECK:        %sum = simd.scale_byte_add %{{.*}}, %c{{[0-9]+}}_i32, %c
// CHECK-NEXT:   %[[RESULT:.*]] = simd.shift_saturate %sum {{[0-9]+}} 8
// CHECK-NEXT:   arith.trunci %[[RESULT]]
// CHECK-NEXT:   task.yield
func.func @scaled(%x: memref<64xi8>, %y: memref<64xi8>) {
  %zero_x = arith.constant 3 : i32
  %room = arith.constant 1048576 : i32
  %multiplier = arith.constant 1533916908 : i32
  %shift = arith.constant -20 : i32
  %zero = arith.constant 7 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 64)
    finish (%0 = %x[i] : memref<64xi8>) {
      %1 = arith.extsi %0 : i8 to i32
      %2 = arith.addi %1, %zero_x overflow<nsw> : i32
      %3 = arith.muli %2, %room overflow<nsw> : i32
      %4 = fx.rescale %3, %multiplier, %shift right_only
      %5 = arith.addi %4, %zero overflow<nsw> : i32
      %6 = arith.maxsi %5, %least : i32
      %7 = arith.minsi %6, %most : i32
      %8 = arith.trunci %7 : i32 to i8
      task.yield %8 : i8
    }
    writes (%y[i] : memref<64xi8>)
  func.return
}

// Products of two bytes are no sum of scaled bytes; those that were chosen to stay do.
// CHECK-LABEL: func.func @products
// CHECK:         fx.rescale
// CHECK-LABEL: func.func @plain
// CHECK:         fx.rescale
// CHECK-NOT:     simd.
func.func @products(%x: memref<64xi8>, %y: memref<64xi8>, %z: memref<64xi8>) {
  %multiplier = arith.constant 1533916908 : i32
  %shift = arith.constant -7 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 64)
    finish (%0 = %x[i] : memref<64xi8>, %1 = %y[i] : memref<64xi8>) {
      %2 = arith.extsi %0 : i8 to i32
      %3 = arith.extsi %1 : i8 to i32
      %4 = arith.muli %2, %3 overflow<nsw> : i32
      %5 = fx.rescale %4, %multiplier, %shift right_only
      %6 = arith.maxsi %5, %least : i32
      %7 = arith.minsi %6, %most : i32
      %8 = arith.trunci %7 : i32 to i8
      task.yield %8 : i8
    }
    writes (%z[i] : memref<64xi8>)
  func.return
}

func.func @plain(%x: memref<64xi8>, %y: memref<64xi8>) {
  %zero_x = arith.constant 3 : i32
  %room = arith.constant 1048576 : i32
  %multiplier = arith.constant 1533916908 : i32
  %shift = arith.constant -20 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 64) fold()
    finish (%0 = %x[i] : memref<64xi8>) {
      %1 = arith.extsi %0 : i8 to i32
      %2 = arith.addi %1, %zero_x overflow<nsw> : i32
      %3 = arith.muli %2, %room overflow<nsw> : i32
      %4 = fx.rescale %3, %multiplier, %shift right_only
      %5 = arith.maxsi %4, %least : i32
      %6 = arith.minsi %5, %most : i32
      %7 = arith.trunci %6 : i32 to i8
      task.yield %7 : i8
    }
    writes (%y[i] : memref<64xi8>) {task.form = "plain"}
  func.return
}
