// RUN: xdsl-opt -p lower-to-loops %s --split-input-file --verify-diagnostics | filecheck %s

func.func @many(%a: memref<4096xi8>, %i: index) {
  %v = vector.load %a[%i] : memref<4096xi8>, vector<2048xi8>
  func.return
}
// CHECK: 'vector.load' op makes vector<2048xi8>: vectors of more than 1024 elements are not lowered; vectorise with smaller ones (virtual-vector-size)

// -----
func.func @given(%v: vector<4xi8>) {
  func.return
}
// CHECK: @given takes or returns vectors, which have no equivalent in C

// -----
func.func @bits(%a: memref<4xi8>, %i: index) {
  %v = vector.load %a[%i] : memref<4xi8>, vector<4xi8>
  %w = vector.bitcast %v : vector<4xi8> to vector<1xi32>
  func.return
}
// CHECK: 'vector.bitcast' op of vector<4xi8>, vector<1xi32> cannot be lowered to scalars

// -----
func.func @unsigned(%n: i32, %m: memref<1xi32>, %z: index) {
  scf.for unsigned %i = %n to %n step %n : i32 {
    memref.store %i, %m[%z] : memref<1xi32>
  }
  func.return
}
// CHECK: 'scf.for' op compares without sign and its bounds are not known to be positive numbers of i32; make them constants
