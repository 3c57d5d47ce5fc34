// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s --print-op-generic | stillpool-opt | filecheck %s

// CHECK-LABEL: func.func @steps
func.func @steps(%v: i32, %m: i32, %s: i32) -> i32 {
  // CHECK-NEXT: %a = fx.rescale %v, %m, %s
  %a = fx.rescale %v, %m, %s
  // CHECK-NEXT: %b = fx.rescale %a, %m, %s right_only
  %b = fx.rescale %a, %m, %s right_only
  // CHECK-NEXT: %c = fx.rounding_doubling_high_mul %b, %m
  %c = fx.rounding_doubling_high_mul %b, %m
  // CHECK-NEXT: %d = fx.rounding_shift_right %c, %s
  %d = fx.rounding_shift_right %c, %s
  func.return %d : i32
}

// CHECK-LABEL: func.func @wide
func.func @wide(%v: i64, %m: i32, %s: i32) -> i32 {
  // CHECK-NEXT: %a = fx.rescale_wide %v, %m, %s
  %a = fx.rescale_wide %v, %m, %s
  // CHECK-NEXT: %b = fx.log %a
  %b = fx.log %a
  // CHECK-NEXT: %c = fx.inverse_sqrt %b
  %c = fx.inverse_sqrt %b
  func.return %a : i32
}

// CHECK-LABEL: func.func @real
func.func @real(%v: i32, %m: i32, %s: i32) -> i32 {
  // CHECK-NEXT: %a = fx.rescale_real %v, %m, %s
  %a = fx.rescale_real %v, %m, %s
  func.return %a : i32
}
