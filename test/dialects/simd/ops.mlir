// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --check-prefix C

// CHECK-LABEL: func.func @dot
// CHECK: [[WORD:%[0-9a-z_]+]] = simd.pack %a, %b
// CHECK-NEXT: simd.dual_multiply_add [[WORD]], %w, %acc

// The same bits with and without the processor's instructions.
// C:      #if defined(__ARM_FEATURE_SIMD32)
// C:      static inline int32_t simd_dual_multiply_add(int32_t lhs, int32_t rhs, int32_t acc) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C-NEXT:   return __smlad(lhs, rhs, acc);
// C-NEXT: #else
// C:      static inline int32_t simd_pack(int32_t low, int32_t high) {
// C:      return simd_dual_multiply_add(simd_pack(a, b), w, acc_1);
func.func @dot(%a: i32, %b: i32, %w: i32, %acc: i32) -> i32 {
  %x = simd.pack %a, %b
  %sum = simd.dual_multiply_add %x, %w, %acc
  func.return %sum : i32
}
