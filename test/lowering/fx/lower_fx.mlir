// RUN: stillpool-opt -p lower-fx %s | filecheck %s
// RUN: stillpool-opt -p lower-fx,lower-fx %s | filecheck %s

// Each kind of operation becomes one function, callees before their callers; calls keep the names of the results.

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func private @fx_rescale_right(%value: i32, %multiplier: i32, %shift: i32) -> i32 attributes {nn.comment = "value * multiplier * 2^(shift - 31) for shift <= 0, rounded twice (TensorFlow Lite MultiplyByQuantizedMultiplier)"} {
// CHECK:          %[[WIDE:[0-9]+]] = arith.extsi %value : i32 to i64
// CHECK-NEXT:     %[[FACTOR:[0-9]+]] = arith.extsi %multiplier : i32 to i64
// CHECK-NEXT:     %product = arith.muli %[[WIDE]], %[[FACTOR]] overflow<nsw> : i64
// CHECK-NEXT:     %[[ROUNDED:[0-9]+]] = arith.addi %product, %c1073741824_i64 overflow<nsw> : i64
// CHECK-NEXT:     %[[SHIFTED:[0-9]+]] = arith.shrsi %[[ROUNDED]], %c31_i64 : i64
// CHECK-NEXT:     %high = arith.trunci %[[SHIFTED]] : i64 to i32
// CHECK-NEXT:     %[[AMOUNT:[0-9]+]] = arith.subi %c0_i32, %shift overflow<nsw> : i32
// CHECK-NEXT:     %[[BITS:[0-9]+]] = arith.subi %c31_i32, %[[AMOUNT]] overflow<nsw> : i32
// CHECK-NEXT:     %mask = arith.shrsi %c2147483647_i32, %[[BITS]] : i32
// CHECK-NEXT:     %[[NEGATIVE:[0-9]+]] = arith.cmpi slt, %high, %c0_i32 : i32
// CHECK-NEXT:     %[[ONE_MORE:[0-9]+]] = arith.extui %[[NEGATIVE]] : i1 to i32
// CHECK-NEXT:     %[[HALF:[0-9]+]] = arith.shrsi %mask, %c1_i32 : i32
// CHECK-NEXT:     %half = arith.addi %[[HALF]], %[[ONE_MORE]] overflow<nsw> : i32
// CHECK-NEXT:     %remainder = arith.andi %high, %mask : i32
// CHECK-NEXT:     %[[ABOVE:[0-9]+]] = arith.cmpi sgt, %remainder, %half : i32
// CHECK-NEXT:     %[[ROUND_UP:[0-9]+]] = arith.extui %[[ABOVE]] : i1 to i32
// CHECK-NEXT:     %[[QUOTIENT:[0-9]+]] = arith.shrsi %high, %[[AMOUNT]] : i32
// CHECK-NEXT:     %[[RESULT:[0-9]+]] = arith.addi %[[QUOTIENT]], %[[ROUND_UP]] overflow<nsw> : i32
// CHECK-NEXT:     func.return %[[RESULT]] : i32
// CHECK:        func.func private @fx_rescale(%value: i32, %multiplier: i32, %shift: i32) -> i32
// CHECK:          %left = arith.maxsi %shift, %c0_i32 : i32
// CHECK:          arith.shli %value, %left : i32
// CHECK:        func.func private @fx_rounding_doubling_high_mul(%lhs: i32, %rhs: i32) -> i32
// CHECK:          arith.minsi %{{[0-9]+}}, %c2147483647_i64 : i64
// CHECK:        func.func private @fx_one_over_one_plus(%value: i32) -> i32
// CHECK-COUNT-7:  func.call @fx_rounding_doubling_high_mul
// CHECK-NOT:      func.call
// CHECK:        func.func private @fx_rounding_shift_right(%value: i32, %amount: i32) -> i32
// CHECK:        func.func private @fx_count_leading_zeros(%value: i32) -> i32
// CHECK:        func.func @all(%a: i32, %b: i32, %c: i32) -> i32 {
// CHECK-NEXT:     %right = func.call @fx_rescale_right(%a, %b, %c) : (i32, i32, i32) -> i32
// CHECK-NEXT:     %both = func.call @fx_rescale(%right, %b, %c) : (i32, i32, i32) -> i32
// CHECK-NEXT:     %again = func.call @fx_rescale(%both, %b, %c) : (i32, i32, i32) -> i32
// CHECK-NEXT:     %inverse = func.call @fx_one_over_one_plus(%again) : (i32) -> i32
// CHECK-NEXT:     %high = func.call @fx_rounding_doubling_high_mul(%inverse, %a) : (i32, i32) -> i32
// CHECK-NEXT:     %shifted = func.call @fx_rounding_shift_right(%high, %b) : (i32, i32) -> i32
// CHECK-NEXT:     %zeros = func.call @fx_count_leading_zeros(%shifted) : (i32) -> i32
// CHECK-NEXT:     func.return %zeros : i32

func.func @all(%a: i32, %b: i32, %c: i32) -> i32 {
  %right = fx.rescale %a, %b, %c right_only
  %both = fx.rescale %right, %b, %c
  %again = fx.rescale %both, %b, %c
  %inverse = fx.one_over_one_plus %again
  %high = fx.rounding_doubling_high_mul %inverse, %a
  %shifted = fx.rounding_shift_right %high, %b
  %zeros = fx.count_leading_zeros %shifted
  func.return %zeros : i32
}
