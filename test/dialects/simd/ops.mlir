// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --check-prefix C

// CHECK-LABEL: func.func @dot
// CHECK: [[WORD:%[0-9a-z_]+]] = simd.pack %a, %b
// CHECK-NEXT: simd.dual_multiply_add [[WORD]], %w, %acc

// CHECK-LABEL: func.func @requantise
// CHECK: simd.multiply_high_add %v, %m, %nudge
// CHECK-NEXT: simd.scale_narrow_add %{{[a-z0-9_]+}}, %m, %nudge
// CHECK: simd.saturate {{%[a-z0-9_]+}} 8
// CHECK: simd.saturate {{%[a-z0-9_]+}} 16

// CHECK-LABEL: func.func @bytes
// CHECK: [[BYTES:%[0-9a-z_]+]] = simd.load_bytes %x[%i, %j] : memref<2x6xi8>
// CHECK-NEXT: [[EVEN:%[0-9a-z_]+]] = simd.unpack_even [[BYTES]]
// CHECK-NEXT: [[ODD:%[0-9a-z_]+]] = simd.unpack_odd [[BYTES]]
// CHECK-NEXT: simd.pack_high [[EVEN]], [[ODD]]
// CHECK-NEXT: simd.unpack_even_add [[BYTES]], [[EVEN]]
// CHECK-NEXT: simd.unpack_odd_add [[BYTES]], [[ODD]]

// CHECK-LABEL: func.func @lane_by_lane
// CHECK: [[SUM:%[0-9a-z_]+]] = simd.dual_add %a, %b
// CHECK-NEXT: simd.dual_subtract [[SUM]], %c

// The same bits with and without the processor's instructions.
// C:      #if defined(__ARM_FEATURE_SIMD32)
// C:      static inline int32_t simd_dual_add(int32_t lhs, int32_t rhs) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C-NEXT:   return __sadd16(lhs, rhs);
// C-NEXT: #else
// C-NEXT:   int32_t v1 = ((int32_t)(int16_t)lhs + (int32_t)(int16_t)rhs) & 65535;
// C-NEXT:   return v1 | (int32_t)((uint32_t)((lhs >> 16) + (rhs >> 16)) << 16u);
// C:      static inline int32_t simd_dual_multiply_add(int32_t lhs, int32_t rhs, int32_t acc) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C-NEXT:   return __smlad(lhs, rhs, acc);
// C-NEXT: #else
// C:      static inline int32_t simd_dual_subtract(int32_t lhs, int32_t rhs) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C-NEXT:   return __ssub16(lhs, rhs);
// C:      static inline int32_t simd_load_bytes(const int8_t *bytes) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C-NEXT:   int32_t word;
// C-NEXT:   __builtin_memcpy(&word, bytes, sizeof word);
// C:      #else
// C-NEXT:   int32_t v1 = (int32_t)((uint32_t)(int32_t)(uint8_t)bytes[1] << 8u);
// C:      static inline int32_t simd_multiply_high_add(int32_t lhs, int32_t rhs, int32_t acc) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C:      smmlar
// C:      #else
// C-NEXT: #if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1
// C:        int32_t middle = lhs_high * rhs_low + (int32_t)(low >> 16);
// C:      #else
// C-NEXT:   uint32_t v1 = (uint32_t)(int32_t)(((int64_t)lhs * (int64_t)rhs + INT64_C(2147483648)) >> 32);
// C:      static inline int32_t simd_pack(int32_t low, int32_t high) {
// C:      static inline int32_t simd_pack_high(int32_t low, int32_t high) {
// C:      static inline int32_t simd_saturate_16(
// C:      static inline int32_t simd_saturate_8(int32_t value) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C-NEXT: #if defined(__GNUC__) && !defined(__clang__)
// C-NEXT:   return (int32_t)__builtin_arm_ssat(value, 8);
// C-NEXT: #else
// C-NEXT:   return __ssat(value, 8);
// C-NEXT: #endif
// C-NEXT: #else
// C-NEXT:   int32_t raised = value > -128 ? value : -128;
// C:      static inline int32_t simd_unpack_even(int32_t word) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C-NEXT:   return __sxtb16(word);
// C:      static inline int32_t simd_unpack_even_add(int32_t word, int32_t lanes) {
// C-NEXT: #ifdef STILLPOOL_DSP
// C-NEXT:   return __sxtab16(lanes, word);
// C:      static inline int32_t simd_unpack_odd(int32_t word) {
// C:      static inline int32_t simd_unpack_odd_add(int32_t word, int32_t lanes) {
// C:      return simd_dual_multiply_add(simd_pack(a, b), w, acc_1);
// C: int32_t y = simd_saturate_8(simd_scale_narrow_add(simd_multiply_high_add(v, m, nudge), m, nudge));
// C-NEXT: return simd_saturate_16(y);
func.func @dot(%a: i32, %b: i32, %w: i32, %acc: i32) -> i32 {
  %x = simd.pack %a, %b
  %sum = simd.dual_multiply_add %x, %w, %acc
  func.return %sum : i32
}

func.func @requantise(%v: i32, %m: i32, %nudge: i32) -> i32 {
  %u = simd.multiply_high_add %v, %m, %nudge
  %x = simd.scale_narrow_add %u, %m, %nudge
  %y = simd.saturate %x 8
  %z = simd.saturate %y 16
  func.return %z : i32
}

// An index of a dimension of one element is 0, whatever it is a sum of.
// C: int32_t alone(const int8_t *x, int32_t i, int32_t j) {
// C: simd_load_bytes(x + (j * 6 + 6)
func.func @alone(%x: memref<1x4x6xi8>, %i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = arith.subi %i, %c1 overflow<nsw> : index
  %z = arith.addi %j, %c1 overflow<nsw> : index
  %word = simd.load_bytes %x[%y, %z, %c0] : memref<1x4x6xi8>
  func.return %word : i32
}

// C: int32_t bytes(const int8_t *x, int32_t i, int32_t j) {
// C: simd_load_bytes(x + (i * 6 + j))
func.func @bytes(%x: memref<2x6xi8>, %i: index, %j: index) -> i32 {
  %word = simd.load_bytes %x[%i, %j] : memref<2x6xi8>
  %even = simd.unpack_even %word
  %odd = simd.unpack_odd %word
  %high = simd.pack_high %even, %odd
  %evens = simd.unpack_even_add %word, %even
  %odds = simd.unpack_odd_add %word, %odd
  %1 = arith.addi %high, %evens : i32
  %2 = arith.addi %1, %odds : i32
  func.return %2 : i32
}

func.func @lane_by_lane(%a: i32, %b: i32, %c: i32) -> i32 {
  %sum = simd.dual_add %a, %b
  %difference = simd.dual_subtract %sum, %c
  func.return %difference : i32
}

// Sums of two channels in a word: one product adds to both.
// C: simd_swar_products(x + i, 4, w + j, sums_1);
func.func @swar(%x: memref<8xi32>, %w: memref<16xi32>, %sums: memref<4xi32>, %i: index, %j: index) {
  simd.swar_products %x[%i] 4, %w[%j], %sums : memref<8xi32>, memref<16xi32>, memref<4xi32>
  func.return
}

// A nibble of each half becomes the highest four bits of a lane.
// C: return simd_unpack_nibbles_1(word_1);
func.func @nibbles(%word: i32) -> i32 {
  %lanes = simd.unpack_nibbles %word 1
  func.return %lanes : i32
}

// Bytes move down by one place or by several, in words where they may be read unaligned.
// C: simd_slide_bytes(x, 8);
// C: simd_slide_bytes_by(x, 8, 3);
func.func @slide(%x: memref<2x4xi8>) {
  simd.slide_bytes %x : memref<2x4xi8>
  simd.slide_bytes %x by 3 : memref<2x4xi8>
  func.return
}

// A tile of four channels with two points: one function for each way in which its words are written out.
// C: simd_dual_products_4(x + i, 4, w + j, b + k, sums_1);
// C: simd_dual_products_2_1(x + i, 5, w + j, b + k, sums_1);
// C: simd_dual_products_point_4(x + i, 4, w + j, b + k, few);
// C: simd_dual_products_bytes_3(x + i, 3, w + j, b + k, sums_1);
func.func @tile(%x: memref<12xi32>, %w: memref<40xi32>, %b: memref<8xi32>, %sums: memref<8xi32>, %few: memref<4xi32>, %i: index, %j: index, %k: index) {
  simd.dual_products %x[%i] 4 unroll 4, %w[%j], %b[%k], %sums : memref<12xi32>, memref<40xi32>, memref<8xi32>, memref<8xi32>
  simd.dual_products %x[%i] 5 unroll 2, %w[%j], %b[%k], %sums : memref<12xi32>, memref<40xi32>, memref<8xi32>, memref<8xi32>
  simd.dual_products %x[%i] 4 unroll 4, %w[%j], %b[%k], %few : memref<12xi32>, memref<40xi32>, memref<8xi32>, memref<4xi32>
  simd.dual_products %x[%i] 3 unroll 3 bytes, %w[%j], %b[%k], %sums : memref<12xi32>, memref<40xi32>, memref<8xi32>, memref<8xi32>
  func.return
}
