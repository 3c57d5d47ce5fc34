// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// All steps are 32 bits wide: wider values would round differently.
// CHECK: Expected attribute i32 but got i64
func.func @f(%v: i64, %m: i32) -> i32 {
  %y = "fx.rounding_doubling_high_mul"(%v, %m) : (i64, i32) -> i32
  func.return %y : i32
}

// -----

// CHECK: Expected attribute i32 but got i8
func.func @f(%v: i32, %m: i32) -> i8 {
  %y = "fx.rounding_shift_right"(%v, %m) : (i32, i32) -> i8
  func.return %y : i8
}

// -----

// CHECK: Expected 3 operands, but got 2
func.func @f(%v: i32, %m: i32) -> i32 {
  %y = "fx.rescale"(%v, %m) : (i32, i32) -> i32
  func.return %y : i32
}
