// RUN: stillpool-opt -p usmp-assign-pools,usmp-views %s --split-input-file --verify-diagnostics | filecheck %s

// The function leaves the last element of its part as it was.

// CHECK: pool.parts is false of argument 1: element 3 of argument 1 is not moved; correct the part, or leave pool.parts out
func.func @f(%input: memref<8xi8>, %output: memref<4xi8>) {
  %whole = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<8xi8>
  "memref.copy"(%input, %whole) : (memref<8xi8>, memref<8xi8>) -> ()
  %part = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @take(%whole, %part) {pool.parts = [#pool.part<1 in 0, offset 4, [4] strides [1]>]} : (memref<8xi8>, memref<4xi8>) -> ()
  "memref.copy"(%part, %output) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
func.func private @take(%x: memref<8xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %j = arith.addi %i, %c4 : index
    %v = memref.load %x[%j] : memref<8xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}

// -----

// Both parts are said to lie at the beginning of the whole: one place cannot hold two elements.

// CHECK: pool.parts is false of argument 0: element 0 of argument 2 is said to be two elements; correct the part, or leave pool.parts out
func.func @f(%input: memref<4xi8>, %output: memref<8xi8>) {
  %a = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  %b = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  "memref.copy"(%input, %a) : (memref<4xi8>, memref<4xi8>) -> ()
  "memref.copy"(%input, %b) : (memref<4xi8>, memref<4xi8>) -> ()
  %whole = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<8xi8>
  func.call @join(%a, %b, %whole) {pool.parts = [#pool.part<0 in 2, offset 0, [4] strides [1]>, #pool.part<1 in 2, offset 0, [4] strides [1]>]} : (memref<4xi8>, memref<4xi8>, memref<8xi8>) -> ()
  "memref.copy"(%whole, %output) : (memref<8xi8>, memref<8xi8>) -> ()
  func.return
}
func.func private @join(%a: memref<4xi8>, %b: memref<4xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %a[%i] : memref<4xi8>
    memref.store %v, %y[%i] : memref<8xi8>
    %w = memref.load %b[%i] : memref<4xi8>
    %j = arith.addi %i, %c4 : index
    memref.store %w, %y[%j] : memref<8xi8>
  }
  func.return
}
