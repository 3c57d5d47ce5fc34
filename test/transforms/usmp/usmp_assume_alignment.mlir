// RUN: xdsl-opt -p usmp,emit-c -t c %s | filecheck %s

// An assumed alignment names the same bytes: buffers are followed through it, and it costs nothing.

// CHECK:      void f(const int8_t *m, int8_t *o, int8_t *workspace)
// CHECK:        workspace[0] = m[0];
// CHECK-NEXT:   o[1] = workspace[0];
func.func @f(%m: memref<4xi8>, %o: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4xi8>
  %in = memref.assume_alignment %m, 4 : memref<4xi8>
  %a = memref.assume_alignment %b, 4 : memref<4xi8>
  %v = memref.load %in[%c0] : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8>
  %w = memref.load %b[%c0] : memref<4xi8>
  memref.store %w, %o[%c1] : memref<4xi8>
  func.return
}
