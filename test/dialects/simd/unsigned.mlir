// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --check-prefix C

// Bytes without a sign.
// C:      static inline int32_t simd_saturate_unsigned_8(int32_t value) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C-NEXT: #if defined(__GNUC__) && !defined(__clang__)
// C-NEXT:   return (int32_t)__builtin_arm_usat(value, 8);
// C-NEXT: #else
// C-NEXT:   return (int32_t)__usat(value, 8);
// C-NEXT: #endif
// C-NEXT: #else
// C-NEXT:   int32_t raised = value > 0 ? value : 0;
// C-NEXT:   return raised < 255 ? raised : 255;
// C:      static inline int32_t simd_unpack_even_unsigned(int32_t word) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C-NEXT:   return (int32_t)__uxtb16((uint32_t)word);
// C-NEXT: #else
// C-NEXT:   return word & 16711935;
// C:      static inline int32_t simd_unpack_odd_unsigned(int32_t word) {
// C:        uxtb16 %0, %1, ror #8
// C:        return (word >> 8) & 16711935;

// CHECK-LABEL: func.func @bytes
// CHECK:      simd.unpack_even_unsigned %word
// CHECK-NEXT: simd.unpack_odd_unsigned %word
// CHECK:      simd.saturate_unsigned {{%[a-z0-9_]+}} 8
func.func @bytes(%word: i32) -> i32 {
  %even = simd.unpack_even_unsigned %word
  %odd = simd.unpack_odd_unsigned %word
  %sum = arith.addi %even, %odd : i32
  %y = simd.saturate_unsigned %sum 8
  func.return %y : i32
}

// C: "ldr %[t0],[%[bytes]]\n"
// C-NEXT: "mov.w %[t1],#0xc8c8c8c8\n"
// C-NEXT: "ldrd %[t2],%[t3],[%[words],#16]\n"
// C: "uxtb16 %[t4],%[t4],ror#8\n"
// C: simd_sum_taps_in_c_unsigned(bytes, places, 2, 200, words, sums);
// C: usat %[sums0],#8,%[sums0]
// C: bytes[c] = (int8_t)simd_saturate_unsigned_8(high >> words[record + 2]);
// CHECK-LABEL: func.func @taps
// CHECK: simd.sum_taps unsigned %x[%i] [0, -1] 200 [4], %w[%i], %sums
// CHECK: simd.scale_bytes unsigned %sums, %w[%i] 8, %y[%i]
func.func @taps(%x: memref<16xi8>, %w: memref<48xi32>, %y: memref<16xi8>, %i: index) {
  %sums = memref.alloca() : memref<4xi32>
  simd.sum_taps unsigned %x[%i] [0, -1] 200 [4], %w[%i], %sums : memref<16xi8>, memref<48xi32>, memref<4xi32>
  simd.scale_bytes unsigned %sums, %w[%i] 8, %y[%i] : memref<4xi32>, memref<48xi32>, memref<16xi8>
  func.return
}
