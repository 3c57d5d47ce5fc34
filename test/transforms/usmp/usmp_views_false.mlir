// RUN: stillpool-opt -p usmp-assign-pools,usmp-views %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: func.func @f
// CHECK-NOT: func.call @take
func.func @f(%input: memref<8xi8>, %output: memref<4xi8>) {
  %whole = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<8xi8>
  func.call @fill(%input, %whole) : (memref<8xi8>, memref<8xi8>) -> ()
  %part = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @take(%whole, %part) {pool.parts = [#pool.part<1 in 0, offset 4, [4] strides [1]>]} : (memref<8xi8>, memref<4xi8>) -> ()
  func.call @out(%part, %output) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
func.func private @fill(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<8xi8>
    memref.store %v, %y[%i] : memref<8xi8>
  }
  func.return
}
func.func private @out(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<4xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func private @take(%x: memref<8xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %n : index
    %v = memref.load %x[%j] : memref<8xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}

// -----

// CHECK: pool.parts is false of argument 1: element 0 of argument 1 is element 4 of argument 0, not 3
func.func @f(%input: memref<8xi8>, %output: memref<4xi8>) {
  %whole = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<8xi8>
  func.call @fill(%input, %whole) : (memref<8xi8>, memref<8xi8>) -> ()
  %part = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @take(%whole, %part) {pool.parts = [#pool.part<1 in 0, offset 3, [4] strides [1]>]} : (memref<8xi8>, memref<4xi8>) -> ()
  func.call @out(%part, %output) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
func.func private @fill(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<8xi8>
    memref.store %v, %y[%i] : memref<8xi8>
  }
  func.return
}
func.func private @out(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<4xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func private @take(%x: memref<8xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %n : index
    %v = memref.load %x[%j] : memref<8xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}

// -----

// CHECK: pool.parts is false of argument 1: element 0 of argument 1 is element 4 of argument 0, not 1
func.func @f(%input: memref<8xi8>, %output: memref<4xi8>) {
  %whole = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<8xi8>
  func.call @fill(%input, %whole) : (memref<8xi8>, memref<8xi8>) -> ()
  %part = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @take(%whole, %part) {pool.parts = [#pool.part<1 in 0, offset 1, [4] strides [2]>]} : (memref<8xi8>, memref<4xi8>) -> ()
  func.call @out(%part, %output) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
func.func private @fill(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<8xi8>
    memref.store %v, %y[%i] : memref<8xi8>
  }
  func.return
}
func.func private @out(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<4xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func private @take(%x: memref<8xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %n : index
    %v = memref.load %x[%j] : memref<8xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}

// -----

// CHECK: pool.parts is false of argument 1: a 'arith.addi' op computes what is stored in argument 1
func.func @f(%input: memref<8xi8>, %output: memref<4xi8>) {
  %whole = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<8xi8>
  func.call @fill(%input, %whole) : (memref<8xi8>, memref<8xi8>) -> ()
  %part = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @take(%whole, %part) {pool.parts = [#pool.part<1 in 0, offset 4, [4] strides [1]>]} : (memref<8xi8>, memref<4xi8>) -> ()
  func.call @out(%part, %output) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
func.func private @fill(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<8xi8>
    memref.store %v, %y[%i] : memref<8xi8>
  }
  func.return
}
func.func private @out(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<4xi8>
    memref.store %v, %y[%i] : memref<4xi8>
  }
  func.return
}
func.func private @take(%x: memref<8xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %n : index
    %v = memref.load %x[%j] : memref<8xi8>
    %w = arith.addi %v, %v : i8
    memref.store %w, %y[%i] : memref<4xi8>
  }
  func.return
}
