// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: a word is saturated to 1 to 32 bits, not 33
func.func @f(%v: i32) -> i32 {
  %y = simd.saturate %v 33
  func.return %y : i32
}
