// RUN: stillpool-opt -p emit-c -t c %s | filecheck %s
// Names and comments of others do not end the comments that they are printed in.

// CHECK: /* pool * / int x; / *: 0 bytes, aligned to 16 */
pool.declare @"*/ int x; /*" workspace align 16

// CHECK: void f(
// CHECK-NEXT: /* one ? ?/ of ?* / int y; */
// CHECK-NEXT: g(x);
func.func @f(%x: memref<4xi8>) {
  func.call @g(%x) {nn.comment = "one ??/ of ?*/ int y;"} : (memref<4xi8>) -> ()
  return
}

func.func private @g(%x: memref<4xi8>)
