// RUN: stillpool-opt -p "usmp,emit-c" -t c %s | filecheck %s

// A function has the name of the default pool: the pool gets another one. Nobody calls @dead, so that no run needs its
// buffer: it goes.

// CHECK: /* pool workspace_pool: 4 bytes, aligned to 16 */
// CHECK-NOT: dead
// CHECK: void workspace(

func.func private @dead(%x: memref<4xi8>) {
  %a = memref.alloc() : memref<4xi8>
  func.return
}
func.func @workspace(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi8>
  %v = memref.load %x[%c0] : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8>
  %w = memref.load %a[%c0] : memref<4xi8>
  memref.store %w, %y[%c0] : memref<4xi8>
  func.return
}
