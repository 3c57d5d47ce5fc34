// RUN: stillpool-opt -p usmp-overlap --split-input-file %s | filecheck %s

// Vectors move several elements at once: a copy is in place as one by single elements is.

// CHECK: func.func private @copied_by_vectors({{.*}} %y: memref<8xi8> {pool.lead = [#pool.lead<0, 0>]})
func.func private @copied_by_vectors(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c4 {
    %v = vector.load %x[%i] : memref<8xi8>, vector<4xi8>
    vector.store %v, %y[%i] : memref<8xi8>, vector<4xi8>
  }
  func.return
}

// -----

// Four elements are written where two were read: with the third vector 12 bytes are, and byte 6 is still to be read. From the last vector to the first, the output may begin anywhere above.

// CHECK: func.func private @twice({{.*}} %y: memref<16xi8> {pool.lead = [#pool.lead<0, 6>, #pool.lead<0, 0, above>]})
func.func private @twice(%x: memref<8xi8>, %y: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c2 {
    %v = vector.load %x[%i] : memref<8xi8>, vector<2xi8>
    %w = vector.shuffle %v, %v [0, 0, 1, 1] : vector<2xi8>, vector<2xi8>
    %j = arith.muli %i, %c2 : index
    vector.store %w, %y[%j] : memref<16xi8>, vector<4xi8>
  }
  func.return
}

// -----

// Vectors that store some elements twice may not be turned, and those of a transfer overlap like others.

// CHECK: func.func private @smoothed({{.*}} %y: memref<8xi8> {pool.lead = [#pool.lead<0, 1>]})
func.func private @smoothed(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0 : i8
  scf.for %i = %c0 to %c6 step %c2 {
    %v = vector.transfer_read %x[%i], %zero {in_bounds = [true]} : memref<8xi8>, vector<3xi8>
    vector.transfer_write %v, %y[%i] {in_bounds = [true]} : vector<3xi8>, memref<8xi8>
  }
  func.return
}

// -----

// A word is four bytes: two bytes are written where one word begins, and from the last to the first, three bytes of it are still to be read.

// CHECK: func.func private @words({{.*}} %y: memref<10xi8> {pool.lead = [#pool.lead<0, 4>, #pool.lead<0, 2, above>]})
func.func private @words(%x: memref<8xi8>, %y: memref<10xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %word = simd.load_bytes %x[%i] : memref<8xi8>
    %v = arith.trunci %word : i32 to i8
    %j = arith.muli %i, %c2 : index
    %k = arith.addi %j, %c1 : index
    memref.store %v, %y[%j] : memref<10xi8>
    memref.store %v, %y[%k] : memref<10xi8>
  }
  func.return
}
