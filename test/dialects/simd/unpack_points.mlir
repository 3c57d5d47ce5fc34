// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --check-prefix C

// Two runs written out with one pointer to both points, a loop over one longer run with a pointer to each, bytes
// without a sign, and what is left of three rows.
// C: static inline void simd_unpack_points_in_c_runs(
// C: int32_t at = places[run] + n * 4;
// C-NEXT: int32_t first = (run * count + n) * 4;
// C: int32_t word_1 = simd_load_bytes(other + at);
// C-NEXT: lanes[first + 1] = simd_unpack_even(word_1);
// C-NEXT: lanes[first + 3] = simd_unpack_odd(word_1);
// C: STILLPOOL_TILE void simd_unpack_points_2_[[RUNS:places_[0-9]+]]_at_8(const int8_t *bytes, int32_t *lanes) {
// C-NEXT: #ifdef STILLPOOL_TILE_ASSEMBLY
// C: "ldr r4,[%[bytes],#28]\n"
// C-NEXT: "ldr r5,[%[bytes],#36]\n"
// C-NEXT: "sxtb16 r2,r4\n"
// C-NEXT: "sxtb16 r3,r5\n"
// C-NEXT: "sxtb16 r4,r4,ror#8\n"
// C-NEXT: "sxtb16 r5,r5,ror#8\n"
// C-NEXT: "stm %[lanes]!,{r2,r3,r4,r5}\n"
// C-NEXT: : [lanes]"+r"(lanes)
// C-NEXT: : [bytes]"r"(bytes)
// C: static const int32_t places[2] = {0, 24};
// C-NEXT: simd_unpack_points_in_c_runs(bytes, bytes + 8, places, 2, 2, lanes);
// C: STILLPOOL_TILE void simd_unpack_points_4_1(const int8_t *bytes, const int8_t *other, int32_t count, int32_t *lanes) {
// C: const int8_t *end = bytes + 4 * (count - 1);
// C: "1:\n"
// C-NEXT: "ldr r4,[%[bytes]],#4\n"
// C-NEXT: "ldr r5,[%[other]],#4\n"
// C: "cmp %[bytes],%[end]\n"
// C-NEXT: "bne 1b\n"
// C: static inline void simd_unpack_points_in_c_unsigned_runs(
// C: simd_unpack_even_unsigned(word);
// C: STILLPOOL_TILE void simd_unpack_points_unsigned_1_at_24(
// C: "uxtb16 r2,r4\n"
// C: lanes[{{v[0-9]+}}] = simd_pack((int32_t)bytes[singles[{{v[0-9]+}}]], (int32_t)bytes[singles[{{v[0-9]+}}]]);
// C: STILLPOOL_TILE void simd_unpack_points_1_[[SINGLES:places_[0-9]+]]_at_3(
// C: "ldrsb r2,[%[bytes],#4]\n"
// C-NEXT: "ldrsb r3,[%[bytes],#7]\n"
// C-NEXT: "ldrsb r4,[%[bytes],#28]\n"
// C-NEXT: "ldrsb r5,[%[bytes],#31]\n"
// C-NEXT: "pkhbt r2,r2,r4,lsl#16\n"
// C-NEXT: "pkhbt r3,r3,r5,lsl#16\n"
// C-NEXT: "stm %[lanes]!,{r2,r3}\n"
// C-NEXT: "ldrsb r2,[%[bytes],#52]\n"
// C-NEXT: "ldrsb r3,[%[bytes],#55]\n"
// C-NEXT: "stm %[lanes]!,{r2,r3}\n"
// C: static const int32_t singles[3] = {4, 28, 52};
// C-NEXT: simd_unpack_points_in_c_runs_singles(bytes, bytes + 3, places, 1, 1, singles, 3, lanes);
// C: void f(
// C: simd_unpack_points_2_[[RUNS]]_at_8(x + (i * 24 + 1), lanes_1);
// C: simd_unpack_points_4_1(z + i, z + j, 9, lanes_1);
// C: simd_unpack_points_unsigned_1_at_24(x + i * 24, lanes_1 + 4);
// C: simd_unpack_points_1_[[SINGLES]]_at_3(x + (i * 24 + 1), lanes_1);
// CHECK: simd.unpack_points %x[%i, %c1], %x[%i, %c9] [0, 24] 2 unroll 2 [2, 8], %lanes[%c0] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
// CHECK: simd.unpack_points %z[%i], %z[%j] [0] 9 unroll 4 [36], %lanes[%c0] : memref<64xi8>, memref<64xi8>, memref<36xi32>
// CHECK: simd.unpack_points unsigned %x[%i, %c0], %x[%next, %c0] [0] 1 unroll 1 [1, 4], %lanes[%c4] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
// CHECK: simd.unpack_points %x[%i, %c1], %x[%i, %c4] [0] 1 unroll 1 singles [4, 28, 52] [3, 5], %lanes[%c0] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
func.func @f(%x: memref<8x24xi8>, %z: memref<64xi8>, %lanes: memref<36xi32>, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  simd.unpack_points %x[%i, %c1], %x[%i, %c9] [0, 24] 2 unroll 2 [2, 8], %lanes[%c0] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
  simd.unpack_points %z[%i], %z[%j] [0] 9 unroll 4 [36], %lanes[%c0] : memref<64xi8>, memref<64xi8>, memref<36xi32>
  %next = arith.addi %i, %c1 : index
  simd.unpack_points unsigned %x[%i, %c0], %x[%next, %c0] [0] 1 unroll 1 [1, 4], %lanes[%c4] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
  simd.unpack_points %x[%i, %c1], %x[%i, %c4] [0] 1 unroll 1 singles [4, 28, 52] [3, 5], %lanes[%c0] : memref<8x24xi8>, memref<8x24xi8>, memref<36xi32>
  func.return
}
