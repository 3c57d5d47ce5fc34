// RUN: stillpool-opt -p emit-c -t c %s | filecheck %s
// memcpy where the regions cannot overlap, memmove where they may; bytes are counted by themselves.

memref.global "private" constant @weights : memref<4xi32> = dense<[1, 2, 3, 4]>

// CHECK:      void copies(int8_t *p, int8_t *q, int32_t *x, int32_t at) {
func.func @copies(%p: memref<64xi8> {pool.pool = @p}, %q: memref<64xi8> {pool.pool = @q}, %x: memref<4xi32>, %at: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %first = memref.view %p[%c0][] : memref<64xi8> to memref<4xi32>
  %inside = memref.view %p[%c8][] : memref<64xi8> to memref<4xi32>
  %behind = memref.view %p[%c16][] : memref<64xi8> to memref<4xi32>
  %somewhere = memref.view %p[%at][] : memref<64xi8> to memref<4xi32>
  %row = memref.subview %p[32] [4] [1] : memref<64xi8> to memref<4xi8, strided<[1], offset: 32>>
  %other = memref.subview %q[32] [4] [1] : memref<64xi8> to memref<4xi8, strided<[1], offset: 32>>
  %near = memref.subview %p[34] [4] [1] : memref<64xi8> to memref<4xi8, strided<[1], offset: 34>>
  %local = memref.alloca() : memref<4xi32>
  %weights = memref.get_global @weights : memref<4xi32>

  // Bytes 0 to 15 and 16 to 31; 0 to 15 and 8 to 23; bytes that only run time knows.
  // CHECK:      memcpy((int32_t *)(void *)(p + 16), {{.*}}, 4 * sizeof(int32_t));
  // CHECK-NEXT: memmove((int32_t *)(void *)(p + 8), {{.*}}, 4 * sizeof(int32_t));
  // CHECK-NEXT: memmove((int32_t *)(void *)(p + at), {{.*}}, 4 * sizeof(int32_t));
  memref.copy %first, %behind : memref<4xi32> to memref<4xi32>
  memref.copy %first, %inside : memref<4xi32> to memref<4xi32>
  memref.copy %first, %somewhere : memref<4xi32> to memref<4xi32>

  // An argument may be anything, but no constant and no array of the function.
  // CHECK-NEXT: memmove(x, {{.*}}, 4 * sizeof(int32_t));
  // CHECK-NEXT: memcpy(x, weights, 4 * sizeof(int32_t));
  // CHECK-NEXT: memcpy(x, local, 4 * sizeof(int32_t));
  memref.copy %first, %x : memref<4xi32> to memref<4xi32>
  memref.copy %weights, %x : memref<4xi32> to memref<4xi32>
  memref.copy %local, %x : memref<4xi32> to memref<4xi32>

  // Two pools; bytes 32 to 35 and 34 to 37 of one.
  // CHECK-NEXT: memcpy(q + 32, p + 32, 4);
  // CHECK-NEXT: memmove(p + 34, p + 32, 4);
  memref.copy %row, %other : memref<4xi8, strided<[1], offset: 32>> to memref<4xi8, strided<[1], offset: 32>>
  memref.copy %row, %near : memref<4xi8, strided<[1], offset: 32>> to memref<4xi8, strided<[1], offset: 34>>
  return
}
