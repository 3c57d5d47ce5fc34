// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s

// Rows of weights lie further apart than an instruction reaches: each has a pointer that compilers do not see through.
// CHECK: #define STILLPOOL_OPAQUE(pointer) __asm__("" : "+r"(pointer))
// CHECK: static void apart(
// CHECK: const float *x_1 = x;
// CHECK-NEXT: const float *w_1 = w;
// CHECK-NEXT: const float *w_2 = w + 300;
// CHECK-NEXT: for (int32_t i = 0; i < 300; ++i) {
// CHECK-NEXT: float value = x_1[0];
// CHECK-NEXT: acc = acc + value * w_1[0];
// CHECK-NEXT: acc_1 = acc_1 + value * w_2[0];
// CHECK-NEXT: x_1 = x_1 + 1;
// CHECK-NEXT: STILLPOOL_OPAQUE(x_1);
// CHECK-NEXT: w_1 = w_1 + 1;
// CHECK-NEXT: STILLPOOL_OPAQUE(w_1);
// CHECK-NEXT: w_2 = w_2 + 1;
// CHECK-NEXT: STILLPOOL_OPAQUE(w_2);
// CHECK-NEXT: }
func.func private @apart(%x: memref<300xf32>, %w: memref<2x300xf32>, %y: memref<2xf32>) attributes {no_inline, task.scheduled} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 300 : index
  %zero = arith.constant 0.0 : f32
  %a, %b = scf.for %i = %c0 to %end step %c1 iter_args(%acc = %zero, %acc_1 = %zero) -> (f32, f32) {
    %value = memref.load %x[%i] : memref<300xf32>
    %w0 = memref.load %w[%c0, %i] : memref<2x300xf32>
    %p0 = arith.mulf %value, %w0 : f32
    %s0 = arith.addf %acc, %p0 : f32
    %w1 = memref.load %w[%c1, %i] : memref<2x300xf32>
    %p1 = arith.mulf %value, %w1 : f32
    %s1 = arith.addf %acc_1, %p1 : f32
    scf.yield %s0, %s1 : f32, f32
  }
  memref.store %a, %y[%c0] : memref<2xf32>
  memref.store %b, %y[%c1] : memref<2xf32>
  func.return
}

// Rows that one pointer reaches share it, and functions without a schedule stay as they are.
// CHECK: static void near(
// CHECK-NOT: STILLPOOL_OPAQUE
func.func private @near(%x: memref<200xf32>, %w: memref<2x200xf32>, %y: memref<2xf32>) attributes {no_inline, task.scheduled} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 200 : index
  %zero = arith.constant 0.0 : f32
  %a, %b = scf.for %i = %c0 to %end step %c1 iter_args(%acc = %zero, %acc_1 = %zero) -> (f32, f32) {
    %value = memref.load %x[%i] : memref<200xf32>
    %w0 = memref.load %w[%c0, %i] : memref<2x200xf32>
    %p0 = arith.mulf %value, %w0 : f32
    %s0 = arith.addf %acc, %p0 : f32
    %w1 = memref.load %w[%c1, %i] : memref<2x200xf32>
    %p1 = arith.mulf %value, %w1 : f32
    %s1 = arith.addf %acc_1, %p1 : f32
    scf.yield %s0, %s1 : f32, f32
  }
  memref.store %a, %y[%c0] : memref<2xf32>
  memref.store %b, %y[%c1] : memref<2xf32>
  func.return
}

func.func private @plain(%x: memref<300xf32>, %w: memref<2x300xf32>, %y: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 300 : index
  %zero = arith.constant 0.0 : f32
  %a, %b = scf.for %i = %c0 to %end step %c1 iter_args(%acc = %zero, %acc_1 = %zero) -> (f32, f32) {
    %value = memref.load %x[%i] : memref<300xf32>
    %w0 = memref.load %w[%c0, %i] : memref<2x300xf32>
    %p0 = arith.mulf %value, %w0 : f32
    %s0 = arith.addf %acc, %p0 : f32
    %w1 = memref.load %w[%c1, %i] : memref<2x300xf32>
    %p1 = arith.mulf %value, %w1 : f32
    %s1 = arith.addf %acc_1, %p1 : f32
    scf.yield %s0, %s1 : f32, f32
  }
  memref.store %a, %y[%c0] : memref<2xf32>
  memref.store %b, %y[%c1] : memref<2xf32>
  func.return
}

func.func @run(%x: memref<300xf32>, %w: memref<2x300xf32>, %x1: memref<200xf32>, %w1: memref<2x200xf32>, %y: memref<2xf32>) {
  func.call @apart(%x, %w, %y) : (memref<300xf32>, memref<2x300xf32>, memref<2xf32>) -> ()
  func.call @near(%x1, %w1, %y) : (memref<200xf32>, memref<2x200xf32>, memref<2xf32>) -> ()
  func.call @plain(%x, %w, %y) : (memref<300xf32>, memref<2x300xf32>, memref<2xf32>) -> ()
  func.return
}
