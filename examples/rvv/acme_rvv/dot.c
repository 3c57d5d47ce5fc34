/* sum += (x - zero) * w. */
static inline void rvv_dot(int32_t *sum, const int8_t *x, const int8_t *w, int32_t zero, int32_t k) {
  vint32m1_t total = __riscv_vmv_s_x_i32m1(*sum, 1);
  while (k > 0) {
    size_t n = __riscv_vsetvl_e8m2((size_t)k);
    vint16m4_t wide = __riscv_vsub_vx_i16m4(__riscv_vsext_vf2_i16m4(__riscv_vle8_v_i8m2(x, n), n), (int16_t)zero, n);
    vint16m4_t weight = __riscv_vsext_vf2_i16m4(__riscv_vle8_v_i8m2(w, n), n);
    total = __riscv_vredsum_vs_i32m8_i32m1(__riscv_vwmul_vv_i32m8(wide, weight, n), total, n);
    x += n, w += n, k -= (int32_t)n;
  }
  *sum = __riscv_vmv_x_s_i32m1_i32(total);
}
