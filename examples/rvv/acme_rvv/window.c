/* sums[c] += (x[ky][kx][c] - zero) * w[ky][kx][c]. */
static inline void rvv_window(int32_t *sums, const int8_t *x, const int8_t *w, int32_t x_row, int32_t x_column,
    int32_t w_row, int32_t w_column, int32_t zero, int32_t c, int32_t rows, int32_t columns) {
  while (c > 0) {
    size_t n = __riscv_vsetvl_e8m1((size_t)c);
    vint32m4_t total = __riscv_vle32_v_i32m4(sums, n);
    for (int32_t row = 0; row < rows; row++) {
      for (int32_t column = 0; column < columns; column++) {
        vint8m1_t value = __riscv_vle8_v_i8m1(x + row * x_row + column * x_column, n);
        vint16m2_t wide = __riscv_vsub_vx_i16m2(__riscv_vsext_vf2_i16m2(value, n), (int16_t)zero, n);
        vint8m1_t weight = __riscv_vle8_v_i8m1(w + row * w_row + column * w_column, n);
        total = __riscv_vwmacc_vv_i32m4(total, wide, __riscv_vsext_vf2_i16m2(weight, n), n);
      }
    }
    __riscv_vse32_v_i32m4(sums, total, n);
    sums += n, x += n, w += n, c -= (int32_t)n;
  }
}
