// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --check-prefix C

// CHECK-LABEL: func.func @extremes
// CHECK: simd.maximum_bytes %a, %b
// CHECK-NEXT: simd.minimum_bytes
// CHECK-NEXT: simd.maximum_unsigned_bytes
// CHECK-NEXT: simd.minimum_unsigned_bytes
// CHECK-NEXT: simd.store_bytes %{{.*}}, %y[%i] : memref<8xi8>

// CHECK-LABEL: func.func @scale
// CHECK: simd.scale_byte_add %x, %factor, %acc
// CHECK-NEXT: simd.scale_low_add %{{.*}}, %factor, %acc
// CHECK-NEXT: simd.scale_high_add %{{.*}}, %factor, %acc
// CHECK-NEXT: simd.shift_saturate %{{.*}} 20 8

// C:      static inline int32_t simd_maximum_bytes(int32_t lhs, int32_t rhs) {
// C:        __asm__("ssub8 %0, %1, %2\n\tsel %0, %1, %2"
// C:        int32_t v1 = (int32_t)(int8_t)lhs;
// C:        return ((v1 > v2 ? v1 : v2) & 255) | v9 | v10 | v11;
// C:      static inline int32_t simd_minimum_unsigned_bytes(int32_t lhs, int32_t rhs) {
// C:        __asm__("usub8 %0, %1, %2\n\tsel %0, %2, %1"
// C:      static inline int32_t simd_saturate_8_after_20(int32_t value) {
// C:        __asm__("ssat %0, #8, %1, asr #20"
// C:        int32_t shifted = value >> 20;
// C:      static inline int32_t simd_scale_high_add(int32_t lanes, int32_t factor, int32_t acc) {
// C:        return __smlawt(factor, lanes, acc);
// C:      static inline void simd_store_bytes(int8_t *bytes, int32_t word) {
// C:        __builtin_memcpy(bytes, &word, sizeof word);
// C:      simd_store_bytes(y + i,
func.func @extremes(%a: i32, %b: i32, %y: memref<8xi8>, %i: index) {
  %0 = simd.maximum_bytes %a, %b
  %1 = simd.minimum_bytes %0, %b
  %2 = simd.maximum_unsigned_bytes %1, %a
  %3 = simd.minimum_unsigned_bytes %2, %b
  simd.store_bytes %3, %y[%i] : memref<8xi8>
  func.return
}

func.func @scale(%x: i32, %factor: i32, %acc: i32) -> i32 {
  %0 = simd.scale_byte_add %x, %factor, %acc
  %1 = simd.scale_low_add %0, %factor, %acc
  %2 = simd.scale_high_add %1, %factor, %acc
  %3 = simd.shift_saturate %2 20 8
  func.return %3 : i32
}
