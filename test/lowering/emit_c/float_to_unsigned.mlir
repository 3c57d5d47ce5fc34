// RUN: stillpool-opt -p emit-c -t c %s | filecheck %s

// What is more than the most of the signed type is only defined by way of the unsigned one.

// CHECK-LABEL: int32_t word(float x)
// CHECK: (int32_t)(uint32_t)x
func.func @word(%x: f32) -> i32 {
  %0 = arith.fptoui %x : f32 to i32
  func.return %0 : i32
}

// CHECK-LABEL: int8_t byte(double x)
// CHECK: (int8_t)(uint8_t)x
func.func @byte(%x: f64) -> i8 {
  %0 = arith.fptoui %x : f64 to i8
  func.return %0 : i8
}
