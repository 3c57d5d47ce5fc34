// RUN: stillpool-opt -p lower-fx %s | filecheck %s

// A function of the same name that computes something else stays, and is not called.

// CHECK:      func.func private @fx_rounding_shift_right_0(%value: i32, %amount: i32) -> i32 attributes
// CHECK:      func.func private @fx_rounding_shift_right(%a: i32, %b: i32) -> i32 {
// CHECK-NEXT:   func.return %b : i32
// CHECK:        func.call @fx_rounding_shift_right_0(%a, %b) : (i32, i32) -> i32

func.func private @fx_rounding_shift_right(%a: i32, %b: i32) -> i32 {
  func.return %b : i32
}

func.func @use(%a: i32, %b: i32) -> i32 {
  %r = fx.rounding_shift_right %a, %b
  func.return %r : i32
}
