// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --check-prefix C

// Rows that are memrefs of their own: each tap says which one it is of.
// C: static inline void simd_sum_taps_in_c_of_2(
// C: const int8_t *{{v[0-9]+}} = owners[n] == 1 ? bytes_1 : bytes;
// C: "ldr %[t0],[%[bytes_1],#4]\n"
// C: static const int32_t places[3] = {0, -1, 4};
// C-NEXT: static const int32_t owners[3] = {0, 0, 1};
// C-NEXT: simd_sum_taps_in_c_of_2(bytes, bytes_1, places, owners, 3, 5, words, sums);
// C-LABEL: void rows(
// C: simd_sum_taps_3_{{[0-9]+}}(x{{.*}}, y{{.*}}, w{{.*}}, sums
// CHECK: simd.sum_taps %x[%i] [0, -1, 4] 5 [8], %w[%i], %sums : memref<16xi8>, memref<48xi32>, memref<4xi32> beside %y of [0, 0, 1] : memref<16xi8>
func.func @rows(%x: memref<16xi8>, %y: memref<16xi8>, %w: memref<48xi32>, %sums: memref<4xi32>, %i: index) {
  simd.sum_taps %x[%i] [0, -1, 4] 5 [8], %w[%i], %sums : memref<16xi8>, memref<48xi32>, memref<4xi32> beside %y of [0, 0, 1] : memref<16xi8>
  func.return
}
