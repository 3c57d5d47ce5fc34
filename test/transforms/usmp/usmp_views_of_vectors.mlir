// RUN: stillpool-opt -p usmp-assign-pools,usmp-views %s --split-input-file --verify-diagnostics | filecheck %s

// A concatenation whose function moves several elements at a time, or all of them, is one too.

// CHECK:     func.func @joined
// CHECK:       memref.view {{.*}} : memref<8xi8> to memref<4xi8>
// CHECK:       memref.view {{.*}} : memref<8xi8> to memref<4xi8>
// CHECK-NOT:   @join(
func.func @joined(%input: memref<4xi8>, %output: memref<8xi8>) {
  %a = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  %b = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  "memref.copy"(%input, %a) : (memref<4xi8>, memref<4xi8>) -> ()
  "memref.copy"(%input, %b) : (memref<4xi8>, memref<4xi8>) -> ()
  %whole = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<8xi8>
  func.call @join(%a, %b, %whole) {pool.parts = [#pool.part<0 in 2, offset 0, [4] strides [1]>, #pool.part<1 in 2, offset 4, [4] strides [1]>]} : (memref<4xi8>, memref<4xi8>, memref<8xi8>) -> ()
  "memref.copy"(%whole, %output) : (memref<8xi8>, memref<8xi8>) -> ()
  func.return
}
func.func private @join(%a: memref<4xi8>, %b: memref<4xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c2 {
    %v = vector.load %a[%i] : memref<4xi8>, vector<2xi8>
    vector.store %v, %y[%i] : memref<8xi8>, vector<2xi8>
  }
  %w = vector.load %b[%c0] : memref<4xi8>, vector<4xi8>
  vector.store %w, %y[%c4] : memref<8xi8>, vector<4xi8>
  func.return
}

// -----

// CHECK:     func.func @taken
// CHECK-NOT:   @take(
func.func @taken(%input: memref<2x2xi8>, %output: memref<2x2xi8>) {
  %whole = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<2x2xi8>
  "memref.copy"(%input, %whole) : (memref<2x2xi8>, memref<2x2xi8>) -> ()
  %part = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<2x2xi8>
  func.call @take(%whole, %part) {pool.parts = [#pool.part<1 in 0, offset 0, [2, 2] strides [2, 1]>]} : (memref<2x2xi8>, memref<2x2xi8>) -> ()
  "memref.copy"(%part, %output) : (memref<2x2xi8>, memref<2x2xi8>) -> ()
  func.return
}
func.func private @take(%x: memref<2x2xi8>, %y: memref<2x2xi8>) {
  "memref.copy"(%x, %y) : (memref<2x2xi8>, memref<2x2xi8>) -> ()
  func.return
}

// -----

// Words of bytes move as vectors do; what is made of them does not.

// CHECK:     func.func @words
// CHECK-NOT:   @take(
// CHECK:       func.call @change(
func.func @words(%input: memref<8xi8>, %output: memref<4xi8>, %other: memref<4xi8>) {
  %whole = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<8xi8>
  "memref.copy"(%input, %whole) : (memref<8xi8>, memref<8xi8>) -> ()
  %part = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @take(%whole, %part) {pool.parts = [#pool.part<1 in 0, offset 4, [4] strides [1]>]} : (memref<8xi8>, memref<4xi8>) -> ()
  "memref.copy"(%part, %output) : (memref<4xi8>, memref<4xi8>) -> ()
  %changed = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @change(%whole, %changed) {pool.parts = [#pool.part<1 in 0, offset 4, [4] strides [1]>]} : (memref<8xi8>, memref<4xi8>) -> ()
  "memref.copy"(%changed, %other) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
func.func private @take(%x: memref<8xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %word = simd.load_bytes %x[%c4] : memref<8xi8>
  simd.store_bytes %word, %y[%c0] : memref<4xi8>
  func.return
}
func.func private @change(%x: memref<8xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %word = simd.load_bytes %x[%c4] : memref<8xi8>
  %other = simd.unpack_even %word
  simd.store_bytes %other, %y[%c0] : memref<4xi8>
  func.return
}

// -----

// The second vector goes elsewhere than the call says.

// CHECK: pool.parts is false of argument 1: element 2 of argument 1 is element 4 of argument 0, not 6; correct the part, or leave pool.parts out
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
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %v = vector.load %x[%c4] : memref<8xi8>, vector<2xi8>
  vector.store %v, %y[%c0] : memref<4xi8>, vector<2xi8>
  vector.store %v, %y[%c2] : memref<4xi8>, vector<2xi8>
  func.return
}

// -----

// Rows become columns: that is no move of what lies in a row, so that the call stays.

// CHECK: func.func @turned
// CHECK:   func.call @turn(
func.func @turned(%input: memref<2x2xi8>, %output: memref<2x2xi8>) {
  %whole = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<2x2xi8>
  "memref.copy"(%input, %whole) : (memref<2x2xi8>, memref<2x2xi8>) -> ()
  %part = memref.alloc() {pool.kind = #pool.kind<activation>} : memref<2x2xi8>
  func.call @turn(%whole, %part) {pool.parts = [#pool.part<1 in 0, offset 0, [2, 2] strides [2, 1]>]} : (memref<2x2xi8>, memref<2x2xi8>) -> ()
  "memref.copy"(%part, %output) : (memref<2x2xi8>, memref<2x2xi8>) -> ()
  func.return
}
func.func private @turn(%x: memref<2x2xi8>, %y: memref<2x2xi8>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %v = "vector.transfer_read"(%x, %c0, %c0, %zero) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<2x2xi8>, index, index, i8) -> vector<2x2xi8>
  vector.store %v, %y[%c0, %c0] : memref<2x2xi8>, vector<2x2xi8>
  func.return
}
