// RUN: stillpool-opt %s -p shorten-rescaling | filecheck %s

// The product of what 15 bits hold with a number of 16 is below 2^30, so that rescaling it is short; that of two numbers
// of 16 bits may be 2^30.
// CHECK-LABEL: func.func private @products
// CHECK:         %gate = arith.trunci %{{.*}} : i32 to i16
// CHECK:         %high = simd.multiply_high_add
// CHECK-NEXT:    %short = arith.shrsi %high, %c2_i32 : i32
// CHECK:         fx.rescale
func.func private @products(%x: memref<8xi16>, %y: memref<8xi16>, %o: memref<8xi32>, %p: memref<8xi32>) {
  %mask = arith.constant 32767 : i32
  %multiplier = arith.constant 1300000000 : i32
  %shift = arith.constant -2 : i32
  task.nest space(i = 8)
    finish (%a = %x[i] : memref<8xi16>, %b = %y[i] : memref<8xi16>) {
      %left = arith.extsi %a : i16 to i32
      %right = arith.extsi %b : i16 to i32
      %masked = arith.andi %left, %mask : i32
      %gate = arith.trunci %masked : i32 to i16
      %wide = arith.extsi %gate : i16 to i32
      %product = arith.muli %wide, %right overflow<nsw> : i32
      %short = fx.rescale %product, %multiplier, %shift right_only
      %other = arith.muli %left, %right overflow<nsw> : i32
      %long = fx.rescale %other, %multiplier, %shift right_only
      task.yield %short, %long : i32, i32
    }
    writes (%o[i] : memref<8xi32>, %p[i] : memref<8xi32>)
  func.return
}
