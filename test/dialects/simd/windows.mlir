// RUN: stillpool-opt %s | stillpool-opt | filecheck %s --check-prefix IR
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s

// IR: simd.windows %pass = %c0 to %c2 step %c1 {
// IR: simd.windows %block = %c0 to %c2 step %c1 {

// A loop over windows is a call.
// CHECK: STILLPOOL_WINDOWS void [[WINDOWS:simd_windows_3_[0-9]+_signed_backward]](
// CHECK: "ldr r8,[r0],#-4\n"
// CHECK-NEXT: "mov.w r7,#0x05050505\n"
// CHECK: "ldr r8,[r0,#12]\n"
// CHECK: "subw r1,r1,#192\n"
//
// Each row that is a memref of its own has a pointer, which the load of its least place moves on.
// CHECK: STILLPOOL_WINDOWS void [[ROWS:simd_windows_3_[0-9]+]](
// CHECK-NEXT: const int8_t *bytes, const int8_t *bytes_1,
// CHECK: *byte_1 __asm__("r11") = bytes_1 + 4;
// CHECK: "ldr r7,[r0],#4\n"
// CHECK-NEXT: "ldr r6,[fp],#4\n"
// CHECK-NEXT: "ldm r1!,{r2,r3}\n"
// CHECK: "ldr r7,[fp,#8]\n"
//
// What two taps read moves the pointer on once.
// CHECK: STILLPOOL_WINDOWS void [[TWICE:simd_windows_3_[0-9]+]](
// CHECK: "ldr r8,[r0],#4\n"
// CHECK-NEXT: "ldr r7,[r0,#-4]\n"
//
// CHECK: void f(
// CHECK-NEXT: [[WINDOWS]](x{{.*}} + (i * 8 + 4), w + 24, 2, y{{.*}} + (i * 8 + 4));
func.func @f(%x: memref<4x8xi8>, %w: memref<48xi32>, %y: memref<4x8xi8>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c24 = arith.constant 24 : index
  simd.windows %pass = %c0 to %c2 step %c1 {
    %block = arith.subi %c1, %pass : index
    %c = arith.muli %block, %c4 : index
    %word = arith.muli %block, %c24 : index
    %sums = memref.alloca() : memref<4xi32>
    simd.sum_taps %x[%i, %c] [0, -1, 8] 5 [2, 4], %w[%word], %sums : memref<4x8xi8>, memref<48xi32>, memref<4xi32>
    simd.scale_bytes signed %sums, %w[%word] 12, %y[%i, %c] : memref<4xi32>, memref<48xi32>, memref<4x8xi8>
  }
  func.return
}

// CHECK: void rows(
// CHECK-NEXT: [[ROWS]](x{{.*}}, below{{.*}}, w, 2, y{{.*}});
func.func @rows(%x: memref<4x12xi8>, %below: memref<4x12xi8>, %w: memref<48xi32>, %y: memref<4x8xi8>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c24 = arith.constant 24 : index
  simd.windows %block = %c0 to %c2 step %c1 {
    %c = arith.muli %block, %c4 : index
    %word = arith.muli %block, %c24 : index
    %sums = memref.alloca() : memref<4xi32>
    simd.sum_taps %x[%i, %c] [0, 4, 16] 5 [2, 8], %w[%word], %sums : memref<4x12xi8>, memref<48xi32>, memref<4xi32> beside %below of [0, 1, 1] : memref<4x12xi8>
    simd.scale_bytes %sums, %w[%word] 12, %y[%i, %c] : memref<4xi32>, memref<48xi32>, memref<4x8xi8>
  }
  func.return
}

// CHECK: void twice(
// CHECK-NEXT: [[TWICE]](x{{.*}}, w, 2, y{{.*}});
func.func @twice(%x: memref<4x12xi8>, %w: memref<48xi32>, %y: memref<4x8xi8>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c24 = arith.constant 24 : index
  simd.windows %block = %c0 to %c2 step %c1 {
    %c = arith.muli %block, %c4 : index
    %word = arith.muli %block, %c24 : index
    %sums = memref.alloca() : memref<4xi32>
    simd.sum_taps %x[%i, %c] [0, 0, 12] 5 [2, 4], %w[%word], %sums : memref<4x12xi8>, memref<48xi32>, memref<4xi32>
    simd.scale_bytes %sums, %w[%word] 12, %y[%i, %c] : memref<4xi32>, memref<48xi32>, memref<4x8xi8>
  }
  func.return
}
