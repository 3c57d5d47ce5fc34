// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --check-prefix C

// What all tiles of a kind compute, and two points beside each other; one point alone with a loop over its words.
// C: static inline void simd_tile_bytes_in_c(
// C: int32_t record = records + c * 3;
// C: sum = simd_dual_multiply_add(points[n * width + p], weight, sum);
// C: bytes[first + (c + p * apart)] = (int8_t)simd_saturate_8(high >> words[record + 2]);
// C: STILLPOOL_TILE void simd_tile_bytes_8_at_16(
// C: "smlad r9,r3,r4,sl\n"
// C-NEXT: "smlad sl,r2,r4,sl\n"
// C: "strb r9,[r6,#16]\n"
// C-NEXT: "strb sl,[r6],#1\n"
// C: simd_tile_bytes_in_c(points, count, words, blocks, bytes, 2, 16);
// C: STILLPOOL_TILE void simd_tile_bytes_5_2_point_signed_to_unsigned(
// C: "add r2,r2,r9,asr#31\n"
// C: "usat r9,#8,r9\n"
// C: int32_t weight = simd_unpack_even(words[weights + (n * 2 + pair)]);
// C: STILLPOOL_TILE void simd_tile_bytes_8_point_shared(
// C: "sxtb16 r6,r6\n"
// C: "sub sl,r9\n"
// C-NEXT: "asr sl,#7\n"
// C-NEXT: "lsl r9,#1\n"
// C: STILLPOOL_TILE void simd_tile_bytes_8_at_16_floor_12(
// C: "ldm r1!,{r0,r2,r4,r5}\n"
// C-NEXT: "smmla sl,sl,r0,r2\n"
// C-NEXT: "smmla r9,r9,r0,r2\n"
// C-NEXT: "ssat sl,#8,sl,asr#12\n"
// C: "smmla fp,fp,r4,r5\n"
// C: simd_tile_bytes_in_c_floor(points, count, words, blocks, bytes, 2, 16, 12);
// Words of points that stay in registers.
// C: int32_t own = block + c * (count + 3);
// C: STILLPOOL_TILE void simd_tile_bytes_3_at_16_held_floor_12(
// C: "ldm r0,{r8,r9,sl,fp,ip,lr}\n"
// C-NEXT: "1:\n"
// C-NEXT: "ldm r1!,{r0,r3,r4}\n"
// C-NEXT: "smlad r7,r9,r3,r0\n"
// C-NEXT: "smlad r0,r8,r3,r0\n"
// C-NEXT: "smlad r7,fp,r4,r7\n"
// C-NEXT: "smlad r0,sl,r4,r0\n"
// C-NEXT: "ldr r6,[r1],#4\n"
// C-NEXT: "smlad r7,lr,r6,r7\n"
// C-NEXT: "smlad r0,ip,r6,r0\n"
// C-NEXT: "ldm r1!,{r3,r4}\n"
// C-NEXT: "smmla r0,r0,r3,r4\n"
// C: STILLPOOL_TILE void simd_tile_bytes_8_point_held_to_unsigned(
// C: "ldr r5,[r1],#4\n"
// C-NEXT: "asr r0,r5\n"
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
