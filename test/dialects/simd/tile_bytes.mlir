// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --check-prefix C

// Two points beside each other, and one point alone with a loop over its words.
// C: STILLPOOL_TILE void simd_tile_bytes_8_at_16(
// C: "smlad r5,r3,r7,r4\n"
// C-NEXT: "smlad r4,r2,r7,r4\n"
// C: "strb r5,[lr,#16]\n"
// C-NEXT: "strb r4,[lr],#1\n"
// C: STILLPOOL_TILE void simd_tile_bytes_5_2_point_signed_to_unsigned(
// C: "add r0,r3,r4,asr#31\n"
// C: "usat r4,#8,r4\n"
// C: STILLPOOL_TILE void simd_tile_bytes_8_point_shared(
// C: "sxtb16 r3,r3\n"
// C: "sub r6,r4\n"
// C-NEXT: "asr r6,#7\n"
// C-NEXT: "lsl r4,#1\n"
// C: int32_t both = block[2 * n + 4 + c / 2];
// C: STILLPOOL_TILE void simd_tile_bytes_8_at_16_floor_12(
// C: "ldm r1!,{r0,r2,r3,r7}\n"
// C-NEXT: "smmla r4,r4,r0,r2\n"
// C-NEXT: "smmla r5,r5,r0,r2\n"
// C-NEXT: "ssat r4,#8,r4,asr#12\n"
// C: "smmla r6,r6,r3,r7\n"
// C: const int32_t *record = block + 4 * (count + 1) + 2 * c;
// C: int32_t high = simd_multiply_high_floor_add(total, record[0], record[1]);
// C-NEXT: bytes[4 * b + c + p * 16] = (int8_t)simd_saturate_8(high >> 12);
// Words of points that stay in registers.
// C: STILLPOOL_TILE void simd_tile_bytes_3_at_16_held_floor_12(
// C: "ldm r0,{r4,r5,r6,r8,r9,sl}\n"
// C-NEXT: "1:\n"
// C-NEXT: "ldm r1!,{r0,r2,r3}\n"
// C-NEXT: "smlad r7,r5,r2,r0\n"
// C-NEXT: "smlad r0,r4,r2,r0\n"
// C-NEXT: "smlad r7,r8,r3,r7\n"
// C-NEXT: "smlad r0,r6,r3,r0\n"
// C-NEXT: "ldr r2,[r1],#4\n"
// C-NEXT: "smlad r7,sl,r2,r7\n"
// C-NEXT: "smlad r0,r9,r2,r0\n"
// C-NEXT: "ldm r1!,{r2,r3}\n"
// C-NEXT: "smmla r0,r0,r2,r3\n"
// C: int32_t weight = block[c * (count + 3) + 1 + n];
// C: STILLPOOL_TILE void simd_tile_bytes_8_point_held_to_unsigned(
// C: "ldr r2,[r1],#4\n"
// C-NEXT: "asr r0,r2\n"
// C-NEXT: "usat r0,#8,r0\n"
// C: simd_tile_bytes_8_at_16(x, 8, w, 4, y + i * 16);
// C: simd_tile_bytes_5_2_point_signed_to_unsigned(x, 12, w, 1, y + (i * 16 + 64));
// C: simd_tile_bytes_8_point_shared(x, 8, w, 3, y + (i * 16 + 64));
// CHECK: simd.tile_bytes %x[%c0] 8 unroll 8, %w[%c0] 4, %y[%c0, %i, %c0] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
// CHECK: simd.tile_bytes signed unsigned %x[%c0] 12 unroll 5, %w[%c0] 1, %y[%c1, %i, %c0] : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
// CHECK: simd.tile_bytes bytes %x[%c0] 8 unroll 8, %w[%c0] 3, %y[%c1, %i, %c0] : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
// CHECK: simd.tile_bytes floor shift 12 %x[%c0] 8 unroll 8, %w[%c0] 4, %y[%c0, %i, %c0] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
// CHECK: simd.tile_bytes held floor shift 12 %x[%c0] 3 unroll 3, %w[%c0] 4, %y[%c0, %i, %c0] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
// CHECK: simd.tile_bytes held unsigned %x[%c0] 8 unroll 8, %w[%c0] 4, %y[%c0, %i, %c0] : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
func.func @tiles(%x: memref<16xi32>, %w: memref<192xi32>, %y: memref<2x4x16xi8>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  simd.tile_bytes %x[%c0] 8 unroll 8, %w[%c0] 4, %y[%c0, %i, %c0] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  simd.tile_bytes signed unsigned %x[%c0] 12 unroll 5, %w[%c0] 1, %y[%c1, %i, %c0] : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  simd.tile_bytes bytes %x[%c0] 8 unroll 8, %w[%c0] 3, %y[%c1, %i, %c0] : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  simd.tile_bytes floor shift 12 %x[%c0] 8 unroll 8, %w[%c0] 4, %y[%c0, %i, %c0] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  simd.tile_bytes held floor shift 12 %x[%c0] 3 unroll 3, %w[%c0] 4, %y[%c0, %i, %c0] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  simd.tile_bytes held unsigned %x[%c0] 8 unroll 8, %w[%c0] 4, %y[%c0, %i, %c0] : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  func.return
}
