// RUN: stillpool-opt -p usmp-overlap %s | filecheck %s

// A local array is filled in a loop of its own and read in another: the loops around may run the other way.
// CHECK-LABEL: func.func private @apart
// CHECK-SAME: pool.lead = [#pool.lead<0, 0>, #pool.lead<0, 0, above>]
// One that is filled where something is stored may not: its elements would be filled the other way, too.
// CHECK-LABEL: func.func private @together
// CHECK-SAME: pool.lead = [#pool.lead<0, 0>]

func.func private @apart(%x: memref<6x2xi8>, %y: memref<4x2xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %sums = memref.alloca() : memref<2xi8>
    scf.for %c = %c0 to %c2 step %c1 {
      %a = memref.load %x[%i, %c] : memref<6x2xi8>
      memref.store %a, %sums[%c] : memref<2xi8>
    }
    scf.for %c = %c0 to %c2 step %c1 {
      %a = memref.load %sums[%c] : memref<2xi8>
      memref.store %a, %y[%i, %c] : memref<4x2xi8>
    }
  }
  func.return
}

func.func private @together(%x: memref<6x2xi8>, %y: memref<4x2xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %sums = memref.alloca() : memref<2xi8>
    scf.for %c = %c0 to %c2 step %c1 {
      %a = memref.load %x[%i, %c] : memref<6x2xi8>
      memref.store %a, %sums[%c] : memref<2xi8>
      %b = memref.load %sums[%c0] : memref<2xi8>
      memref.store %b, %y[%i, %c] : memref<4x2xi8>
    }
  }
  func.return
}

func.func @run(%x: memref<6x2xi8>, %y: memref<4x2xi8>, %z: memref<4x2xi8>) {
  func.call @apart(%x, %y) : (memref<6x2xi8>, memref<4x2xi8>) -> ()
  func.call @together(%x, %z) : (memref<6x2xi8>, memref<4x2xi8>) -> ()
  func.return
}
