// RUN: stillpool-opt %s | filecheck %s
// RUN: stillpool-opt %s | stillpool-opt

// Names with a number in them meet those that are numbered, before them and behind them.
// CHECK:      func.func @numbered
// CHECK-NEXT:   %x_2 = arith.constant 1
// CHECK-NEXT:   %x = arith.constant 2
// CHECK-NEXT:   %x_1 = arith.constant 3
// CHECK-NEXT:   %x_3 = arith.constant 4
// CHECK-NEXT:   %x_3_1 = arith.constant 5
// CHECK-NEXT:   func.return %x_2, %x, %x_1, %x_3, %x_3_1
func.func @numbered() -> (i32, i32, i32, i32, i32) {
  %x_2_0 = arith.constant 1 : i32
  %x = arith.constant 2 : i32
  %x_5 = arith.constant 3 : i32
  %x_6 = arith.constant 4 : i32
  %x_3_0 = arith.constant 5 : i32
  func.return %x_2_0, %x, %x_5, %x_6, %x_3_0 : i32, i32, i32, i32, i32
}
