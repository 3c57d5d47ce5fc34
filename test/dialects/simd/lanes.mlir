// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --check-prefix C

// CHECK-LABEL: func.func @lanes
// CHECK: simd.load_lanes %b[%i, %c0] 4 : memref<3x4xi32>
// CHECK-NEXT: simd.load_lanes %p[%c0] 3 unsigned : memref<3xi16>
// CHECK-NEXT: simd.lanes_of %five
// CHECK: iter_args({{.*}}) -> (!simd.lanes)
// CHECK: simd.store_lanes {{%[a-z0-9]+}}, %y[%i, %c0] 4 : memref<3x4xi8>

// CHECK-LABEL: func.func @products
// CHECK: [[BYTES:%[a-z0-9]+]] = simd.load_sixteen %x[%i] 9 : memref<96xi8>
// CHECK-NEXT: simd.store_sixteen [[BYTES]], %line[%i] 9 : memref<32xi8>
// CHECK-NEXT: simd.sixteen_of -5
// CHECK: simd.sum_products %line[%i] 20, %w[%i], %s, %s, %s, %s : memref<32xi8>, memref<128xi8>

// CHECK-LABEL: func.func @window
// CHECK: simd.sum_window %x[%i, %i, %c0] [3, 3] [48, 8] [3, 3, 4], %w[%i], %sum : memref<6x6x8xi8>, memref<72xi8>

// The same bits with and without the vector extension.
// C:      #if defined(__ARM_FEATURE_MVE)
// C:      typedef int32x4_t simd_lanes;
// C:      #else
// C:      int32_t lane[4];
// C:      static inline simd_lanes simd_lanes_add(simd_lanes lhs, simd_lanes rhs) {
// C-NEXT: #ifdef STILLPOOL_MVE
// C-NEXT:   return vaddq_s32(lhs, rhs);
// C-NEXT: #else
// C:        result.lane[i] = (int32_t)((uint32_t)lhs.lane[i] + (uint32_t)rhs.lane[i]);
// C:      static inline simd_lanes simd_lanes_doubled_high(
// C:        return vqrdmulhq_s32(lhs, rhs);
// C:      static inline simd_lanes simd_lanes_maximum(
// C:      static inline simd_lanes simd_lanes_minimum(
// C:      static inline simd_lanes simd_lanes_multiply(
// C:      static inline simd_lanes simd_lanes_multiply_high(
// C:        return vrmulhq_s32(lhs, rhs);
// C:      static inline simd_lanes simd_lanes_of(int32_t value) {
// C:      static inline simd_lanes simd_lanes_rounding_shift_right(
// C:        return vrshlq_s32(vqaddq_s32(lhs, nudge), left);
// C:      static inline simd_lanes simd_lanes_shift_left(
// C:      static inline simd_lanes simd_lanes_shift_right(
// C:        return vshlq_s32(lhs, vnegq_s32(rhs));
// C:      static inline simd_lanes simd_lanes_subtract(
// C:      static inline simd_lanes simd_load_lanes_i32(const int32_t *elements) {
// C:      static inline simd_lanes simd_load_lanes_u16_part(const int16_t *elements, int32_t count) {
// C:        return vreinterpretq_s32_u32(vldrhq_z_u32((const uint16_t *)elements, vctp32q((uint32_t)count)));
// C:      static inline simd_sixteen simd_load_sixteen_part(const int8_t *bytes, int32_t count) {
// C:        return vldrbq_z_s8(bytes, vctp8q((uint32_t)count));
// C:      static inline simd_sixteen simd_sixteen_of(int8_t byte) {
// C:      static inline void simd_store_lanes_i8(int8_t *elements, simd_lanes value) {
// C:        vstrbq_s32(elements, value);
// C:      static inline void simd_store_sixteen_part(int8_t *bytes, simd_sixteen value, int32_t count) {
// C:      /* Tile: 4 channels of one point, 16 products each in an instruction.
// C:      static inline simd_lanes simd_sum_products(
// C:        sum0 = vmladavaq_s8(sum0, x, vldrbq_s8(weights));
// C:      /* Tile: 4 channels of one point, 3 x 3 products each.
// C:      static inline simd_lanes simd_sum_window_3x3(
// C:        sum = vaddq_s32(sum, vmulq_s32(vldrbq_s32(elements), vldrbq_s32(weights)));
// C-NEXT:   elements += column;
// C-NEXT:   weights += 4;

func.func @lanes(%y: memref<3x4xi8>, %b: memref<3x4xi32>, %p: memref<3xi16>, %i: index, %five: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = simd.load_lanes %b[%i, %c0] 4 : memref<3x4xi32>
  %t = simd.load_lanes %p[%c0] 3 unsigned : memref<3xi16>
  %u = simd.lanes_of %five
  %v = scf.for %j = %c0 to %c3 step %c1 iter_args(%a = %s) -> (!simd.lanes) {
    %n = simd.lanes_add %a, %u
    scf.yield %n : !simd.lanes
  }
  %0 = simd.lanes_shift_right %v, %t
  %1 = simd.lanes_rounding_shift_right %0, %u
  %2 = simd.lanes_subtract %1, %s
  %3 = simd.lanes_multiply %2, %s
  %4 = simd.lanes_maximum %3, %s
  %5 = simd.lanes_minimum %4, %u
  %6 = simd.lanes_shift_left %5, %u
  %7 = simd.lanes_multiply_high %6, %u
  %8 = simd.lanes_doubled_high %7, %u
  simd.store_lanes %8, %y[%i, %c0] 4 : memref<3x4xi8>
  func.return
}

func.func @products(%x: memref<96xi8>, %line: memref<32xi8>, %w: memref<128xi8>, %y: memref<4xi32>, %i: index, %s: i32) {
  %c0 = arith.constant 0 : index
  %0 = simd.load_sixteen %x[%i] 9 : memref<96xi8>
  simd.store_sixteen %0, %line[%i] 9 : memref<32xi8>
  %1 = simd.sixteen_of -5
  simd.store_sixteen %1, %line[%i] 16 : memref<32xi8>
  %2 = simd.sum_products %line[%i] 20, %w[%i], %s, %s, %s, %s : memref<32xi8>, memref<128xi8>
  simd.store_lanes %2, %y[%c0] 4 : memref<4xi32>
  func.return
}

func.func @window(%x: memref<6x6x8xi8>, %w: memref<72xi8>, %sum: !simd.lanes, %y: memref<4xi32>, %i: index) {
  %c0 = arith.constant 0 : index
  %0 = simd.sum_window %x[%i, %i, %c0] [3, 3] [48, 8] [3, 3, 4], %w[%i], %sum : memref<6x6x8xi8>, memref<72xi8>
  simd.store_lanes %0, %y[%c0] 4 : memref<4xi32>
  func.return
}

// The types have their names.
// C: void [[NAME:simd_sixteen_[0-9]+]](int32_t *
// C: [[NAME]](
func.func private @simd_sixteen(%x: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  memref.store %five, %x[%c0] : memref<4xi32>
  func.return
}
func.func @named(%x: memref<4xi32>) {
  func.call @simd_sixteen(%x) : (memref<4xi32>) -> ()
  func.return
}
