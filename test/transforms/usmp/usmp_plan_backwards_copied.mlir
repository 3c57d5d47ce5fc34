// RUN: stillpool-opt %s -p usmp-io-allocs,usmp-assign-pools,usmp-overlap,usmp-plan,usmp-check | filecheck %s

// The first function has copied its input before it writes: the output lies inside of it, not at its begin, for the
// sake of the second function. That turns nothing.

// CHECK-NOT: _backwards
// CHECK:     %x = memref.alloc() {{.*}}pool.offset = 0
// CHECK:     %y = memref.alloc() {{.*}}pool.offset = 1
// CHECK:     %z = memref.alloc() {{.*}}pool.offset = 0
func.func private @stage(%input: memref<32xi8>, %output: memref<2xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %scratch = memref.alloc() : memref<32xi8>
  scf.for %i = %c0 to %c32 step %c1 {
    %value = memref.load %input[%i] : memref<32xi8>
    memref.store %value, %scratch[%i] : memref<32xi8>
  }
  %first = memref.load %scratch[%c0] : memref<32xi8>
  %second = memref.load %scratch[%c1] : memref<32xi8>
  memref.store %first, %output[%c0] : memref<2xi8>
  memref.store %second, %output[%c1] : memref<2xi8>
  func.return
}

func.func private @widen(%input: memref<2xi8>, %output: memref<2xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %value = memref.load %input[%i] : memref<2xi8>
    %wide = arith.extsi %value : i8 to i16
    memref.store %wide, %output[%i] : memref<2xi16>
  }
  func.return
}

func.func private @use(%input: memref<2xi16>) {
  %c0 = arith.constant 0 : index
  %value = memref.load %input[%c0] : memref<2xi16>
  func.return
}

func.func private @make(%output: memref<32xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %seven = arith.constant 7 : i8
  scf.for %i = %c0 to %c32 step %c1 {
    memref.store %seven, %output[%i] : memref<32xi8>
  }
  func.return
}

func.func @main() {
  %x = memref.alloc() : memref<32xi8>
  %y = memref.alloc() : memref<2xi8>
  %z = memref.alloc() {alignment = 2} : memref<2xi16>
  func.call @make(%x) : (memref<32xi8>) -> ()
  func.call @stage(%x, %y) : (memref<32xi8>, memref<2xi8>) -> ()
  func.call @widen(%y, %z) : (memref<2xi8>, memref<2xi16>) -> ()
  func.call @use(%z) : (memref<2xi16>) -> ()
  func.return
}
