// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s --strict-whitespace --match-full-lines

// What the levels below memrefs come to, in full: a matrix product, and a convolution with padding whose accumulator
// passes through four loops and two branches without a copy.

func.func @matmul(%a: memref<4x3xf32>, %b: memref<3x5xf32>, %c: memref<4x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %dot = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (f32) {
        %x = memref.load %a[%i, %k] : memref<4x3xf32>
        %y = memref.load %b[%k, %j] : memref<3x5xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %acc, %p : f32
        scf.yield %s : f32
      }
      %relu = arith.maximumf %dot, %zero : f32
      memref.store %relu, %c[%i, %j] : memref<4x5xf32>
    }
  }
  func.return
}

"memref.global"() {sym_name="w", sym_visibility="private", type=memref<2x3x3x3xi8>, initial_value=dense<1> : tensor<2x3x3x3xi8>, constant} : () -> ()
func.func private @conv(%in: memref<1x8x8x3xi8>, %w : memref<2x3x3x3xi8>, %out : memref<1x8x8x2xi8>) attributes {nn.comment = "CONV_2D 1x8x8x3 -> 1x8x8x2, 3456 MACs"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %zp = arith.constant -128 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %s7 = arith.constant 7 : i32
  scf.for %oy = %c0 to %c8 step %c1 {
    scf.for %ox = %c0 to %c8 step %c1 {
      scf.for %oc = %c0 to %c2 step %c1 {
        %sum = scf.for %ky = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (i32) {
          %y0 = arith.addi %oy, %ky : index
          %iy = arith.subi %y0, %c1 : index
          %ge = arith.cmpi sge, %iy, %c0 : index
          %lt = arith.cmpi slt, %iy, %c8 : index
          %ok = arith.andi %ge, %lt : i1
          %r = scf.if %ok -> (i32) {
            %r2 = scf.for %kx = %c0 to %c3 step %c1 iter_args(%acc2 = %acc) -> (i32) {
              %x0 = arith.addi %ox, %kx : index
              %ix = arith.subi %x0, %c1 : index
              %gex = arith.cmpi sge, %ix, %c0 : index
              %ltx = arith.cmpi slt, %ix, %c8 : index
              %okx = arith.andi %gex, %ltx : i1
              %r3 = scf.if %okx -> (i32) {
                %r4 = scf.for %ic = %c0 to %c3 step %c1 iter_args(%acc4 = %acc2) -> (i32) {
                  %x = memref.load %in[%c0, %iy, %ix, %ic] : memref<1x8x8x3xi8>
                  %xe = arith.extsi %x : i8 to i32
                  %xz = arith.subi %xe, %zp overflow<nsw> : i32
                  %f = memref.load %w[%oc, %ky, %kx, %ic] : memref<2x3x3x3xi8>
                  %fe = arith.extsi %f : i8 to i32
                  %p = arith.muli %xz, %fe overflow<nsw> : i32
                  %a = arith.addi %acc4, %p overflow<nsw> : i32
                  scf.yield %a : i32
                }
                scf.yield %r4 : i32
              } else {
                scf.yield %acc2 : i32
              }
              scf.yield %r3 : i32
            }
            scf.yield %r2 : i32
          } else {
            scf.yield %acc : i32
          }
          scf.yield %r : i32
        }
        %sh = arith.shrsi %sum, %s7 : i32
        %mx = arith.maxsi %sh, %lo : i32
        %mn = arith.minsi %mx, %hi : i32
        %o = arith.trunci %mn : i32 to i8
        memref.store %o, %out[%c0, %oy, %ox, %oc] : memref<1x8x8x2xi8>
      }
    }
  }
  func.return
}
func.func @net(%in: memref<1x8x8x3xi8>, %out : memref<1x8x8x2xi8>, %pool : memref<512xi8>) {
  %w = memref.get_global @w : memref<2x3x3x3xi8>
  %c128 = arith.constant 128 : index
  %t = memref.view %pool[%c128][] : memref<512xi8> to memref<1x8x8x2xi8>
  func.call @conv(%in, %w, %t) : (memref<1x8x8x3xi8>, memref<2x3x3x3xi8>, memref<1x8x8x2xi8>) -> ()
  func.call @conv(%in, %w, %out) : (memref<1x8x8x3xi8>, memref<2x3x3x3xi8>, memref<1x8x8x2xi8>) -> ()
  func.return
}

// CHECK:#include <stdbool.h>
// CHECK-NEXT:#include <stdint.h>
// CHECK-EMPTY:
// CHECK-NEXT:static const int8_t w[54] = {
// CHECK-NEXT:  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
// CHECK-NEXT:  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
// CHECK-NEXT:};
// CHECK-EMPTY:
// CHECK-NEXT:void matmul(const float *a, const float *b, float *c) {
// CHECK-NEXT:  for (int32_t i = 0; i < 4; ++i) {
// CHECK-NEXT:    for (int32_t j = 0; j < 5; ++j) {
// CHECK-NEXT:      float acc = 0.0f;
// CHECK-NEXT:      for (int32_t k = 0; k < 3; ++k) {
// CHECK-NEXT:        acc = acc + a[i * 3 + k] * b[k * 5 + j];
// CHECK-NEXT:      }
// CHECK-NEXT:      c[i * 5 + j] = acc <= 0.0f ? 0.0f : acc;
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:static void conv(const int8_t *in, const int8_t *w_1, int8_t *out) {
// CHECK-NEXT:  /* CONV_2D 1x8x8x3 -> 1x8x8x2, 3456 MACs */
// CHECK-NEXT:  for (int32_t oy = 0; oy < 8; ++oy) {
// CHECK-NEXT:    for (int32_t ox = 0; ox < 8; ++ox) {
// CHECK-NEXT:      for (int32_t oc = 0; oc < 2; ++oc) {
// CHECK-NEXT:        int32_t acc = 0;
// CHECK-NEXT:        for (int32_t ky = 0; ky < 3; ++ky) {
// CHECK-NEXT:          int32_t iy = oy + ky - 1;
// CHECK-NEXT:          if (iy >= 0 && iy < 8) {
// CHECK-NEXT:            for (int32_t kx = 0; kx < 3; ++kx) {
// CHECK-NEXT:              int32_t ix = ox + kx - 1;
// CHECK-NEXT:              if (ix >= 0 && ix < 8) {
// CHECK-NEXT:                for (int32_t ic = 0; ic < 3; ++ic) {
// CHECK-NEXT:                  int32_t fe = (int32_t)w_1[((oc * 3 + ky) * 3 + kx) * 3 + ic];
// CHECK-NEXT:                  acc = acc + ((int32_t)in[(iy * 8 + ix) * 3 + ic] + 128) * fe;
// CHECK-NEXT:                }
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        int32_t sh = acc >> 7;
// CHECK-NEXT:        int32_t mx = sh > -128 ? sh : -128;
// CHECK-NEXT:        out[(oy * 8 + ox) * 2 + oc] = (int8_t)(mx < 127 ? mx : 127);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:void net(const int8_t *in, int8_t *out, int8_t *pool) {
// CHECK-NEXT:  conv(in, {{.*}}w, pool + 128);
// CHECK-NEXT:  conv(in, {{.*}}w, out);
// CHECK-NEXT:}
