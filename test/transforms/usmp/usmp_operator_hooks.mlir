// RUN: stillpool-opt -p usmp-io-allocs,usmp-name-hook{function="done"},usmp-assign-pools,usmp-plan,usmp-check,usmp-operator-hooks,usmp-materialize-offsets,usmp-check %s | filecheck %s
// RUN: stillpool-opt -p usmp-operator-hooks %s | filecheck %s --check-prefix UNNAMED

// After each call of an operator there is one with its position; where no function is named, nothing happens.

func.func private @move(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xi8>
  memref.store %v, %y[%c0] : memref<8xi8>
  func.return
}

// CHECK:      func.func @model
// CHECK-NOT:  pool.operator_hook
// CHECK:      func.call @move
// CHECK-NEXT: %[[FIRST:.*]] = arith.constant 0 : i32
// CHECK-NEXT: func.call @done(%[[FIRST]]) {pool.hook} : (i32) -> ()
// CHECK:      func.call @move
// CHECK-NEXT: %[[SECOND:.*]] = arith.constant 1 : i32
// CHECK-NEXT: func.call @done(%[[SECOND]]) {pool.hook} : (i32) -> ()
// CHECK:      func.func private @done(i32)
// UNNAMED-NOT: pool.hook
func.func @model(%x: memref<8xi8> {pool.io = "input"}, %y: memref<8xi8> {pool.io = "output"}) {
  %a = memref.alloc() : memref<8xi8>
  func.call @move(%x, %a) : (memref<8xi8>, memref<8xi8>) -> ()
  func.call @move(%a, %y) : (memref<8xi8>, memref<8xi8>) -> ()
  func.return
}
