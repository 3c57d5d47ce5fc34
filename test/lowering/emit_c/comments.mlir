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

// Calls of a model's operators say which, and where its tensors lie.
// CHECK: static void network(
// CHECK: /* ADD 3: 2x4 at sram + 8, 8 in x -> 8 at sram + 0 */
// CHECK-NEXT: add(
// CHECK: /* ADD 4, row 1: 8 -> 4 */
// CHECK-NEXT: row(
func.func private @network(%p: memref<32xi8> {pool.pool = @sram}, %x: memref<8xi8> {nn.name = "x"}, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.view %p[%c8][] : memref<32xi8> to memref<2x4xi8>
  %b = memref.view %p[%c0][] : memref<32xi8> to memref<8xi8>
  %c = memref.view %p[%n][] : memref<32xi8> to memref<8xi8>
  %d = memref.subview %c[%n] [4] [1] : memref<8xi8> to memref<4xi8, strided<[1], offset: ?>>
  func.call @add(%a, %x, %b, %p) {nn.origin = #nn.origin<3, "ADD", "y">} : (memref<2x4xi8>, memref<8xi8>, memref<8xi8>, memref<32xi8>) -> ()
  func.call @row(%c, %d) {nn.origin = #nn.origin<4, "ADD", "z">, nn.row = 1 : i64} : (memref<8xi8>, memref<4xi8, strided<[1], offset: ?>>) -> ()
  return
}

func.func private @add(%a: memref<2x4xi8>, %b: memref<8xi8>, %y: memref<8xi8>, %p: memref<32xi8>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %b[%c0] : memref<8xi8>
  %w = memref.load %a[%c0, %c0] : memref<2x4xi8>
  memref.store %v, %y[%c0] : memref<8xi8>
  memref.store %w, %p[%c0] : memref<32xi8>
  return
}

func.func private @row(%a: memref<8xi8>, %y: memref<4xi8, strided<[1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<8xi8>
  memref.store %v, %y[%c0] : memref<4xi8, strided<[1], offset: ?>>
  return
}

// Public functions that cannot keep their names say whose they are.
// CHECK: void main_(int8_t *p, const int8_t *x, int32_t n) {
// CHECK-NEXT: /* @main of the module: C has another use for this name */
// CHECK: /* @a.b of the module */
func.func @main(%p: memref<32xi8>, %x: memref<8xi8>, %n: index) {
  func.call @network(%p, %x, %n) : (memref<32xi8>, memref<8xi8>, index) -> ()
  return
}

func.func @a.b() {
  return
}
