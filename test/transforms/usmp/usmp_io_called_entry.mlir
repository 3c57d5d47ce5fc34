// RUN: stillpool-opt -p "usmp{io=all}" %s | filecheck %s

// An entry function that another one calls keeps its arguments for that, in a private function with its body.

// CHECK:      func.func private @g_body(%x: memref<4xi8>, %y: memref<4xi8>
// CHECK:      func.func @g(%workspace: memref<{{[0-9]+}}xi8> {pool.pool = @workspace}) {
// CHECK:        func.call @g_body(
// CHECK:      func.func @f(%workspace: memref<{{[0-9]+}}xi8> {pool.pool = @workspace}) {
// CHECK:        func.call @g_body(
// CHECK:        func.call @g_body(

func.func @g(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xi8>
  memref.store %v, %y[%c0] : memref<4xi8>
  func.return
}
func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {
  %a = memref.alloc() : memref<4xi8>
  func.call @g(%x, %a) : (memref<4xi8>, memref<4xi8>) -> ()
  func.call @g(%a, %y) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
