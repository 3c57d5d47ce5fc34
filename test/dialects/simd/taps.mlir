// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --check-prefix C

// C: STILLPOOL_TAPS void simd_scale_bytes_12_floor_12(int32_t *sums, const int32_t *words, int8_t *bytes) {
// C:   int32_t t0, t1;
// C: "ldrd %[sums0],%[t0],[%[words],#56]\n"
// C-NEXT: "smmla %[sums1],%[sums1],%[sums0],%[t0]\n"
// C-NEXT: "ssat %[sums1],#8,%[sums1],asr#12\n"
// C-NEXT: "strb %[sums1],[%[bytes],#1]\n"
// C: int32_t record = 12 + c * 2;
// C-NEXT: int32_t v1 = simd_multiply_high_floor_add(sums[c], words[record], words[record + 1]) >> 12;
// C-NEXT: bytes[c] = (int8_t)simd_saturate_8(v1);
// C: STILLPOOL_TAPS void simd_scale_bytes_12_by_9_signed_to_unsigned(
// C: "add %[t1],%[t1],%[sums0],asr#31\n"
// C-NEXT: "smmlar %[sums0],%[sums0],%[t0],%[t1]\n"
// C-NEXT: "usat %[sums0],#8,%[sums0],asr#9\n"

// Pointers that change with a loop walk along it, those that walk backward in front of their use.
// C: const int32_t *words{{.*}} = w;
// C: const int8_t *bytes_1 = x + i * 8;
// C: int8_t *out = y + (i * 8 + 8);
// C: simd_sum_taps_3_{{[0-9]+}}(bytes_1, words_1, (int32_t *)sums_1);
// C-NEXT: bytes_1 = bytes_1 + 4;
// C-NEXT: out = out - 4;
// C-NEXT: simd_scale_bytes_12_signed((int32_t *)sums_1, words_1, out);
// C-NEXT: words_1 = words_1 + 24;
// CHECK: simd.sum_taps %x[%i, %c] [0, -1, 8] 5 [2, 4], %w[%{{.*}}], %sums : memref<4x8xi8>, memref<48xi32>, memref<4xi32>
// CHECK: simd.scale_bytes signed %sums, %w[%{{.*}}] 12, %y[%i, %{{.*}}] : memref<4xi32>, memref<48xi32>, memref<4x8xi8>
func.func @taps(%x: memref<4x8xi8>, %w: memref<48xi32>, %y: memref<4x8xi8>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c24 = arith.constant 24 : index
  scf.for %block = %c0 to %c2 step %c1 {
    %c = arith.muli %block, %c4 : index
    %word = arith.muli %block, %c24 : index
    %back = arith.subi %c4, %c : index
    %sums = memref.alloca() : memref<4xi32>
    simd.sum_taps %x[%i, %c] [0, -1, 8] 5 [2, 4], %w[%word], %sums : memref<4x8xi8>, memref<48xi32>, memref<4xi32>
    simd.scale_bytes signed %sums, %w[%word] 12, %y[%i, %back] : memref<4xi32>, memref<48xi32>, memref<4x8xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @one_shift
// CHECK: simd.scale_bytes floor shift 12 %sums, %w[%i] 12, %y[%i, %i]
// CHECK: simd.scale_bytes signed unsigned shift 9 %sums, %w[%i] 12, %y[%i, %i]
func.func @one_shift(%sums: memref<4xi32>, %w: memref<48xi32>, %y: memref<4x8xi8>, %i: index) {
  simd.scale_bytes floor shift 12 %sums, %w[%i] 12, %y[%i, %i] : memref<4xi32>, memref<48xi32>, memref<4x8xi8>
  simd.scale_bytes signed unsigned shift 9 %sums, %w[%i] 12, %y[%i, %i] : memref<4xi32>, memref<48xi32>, memref<4x8xi8>
  func.return
}
