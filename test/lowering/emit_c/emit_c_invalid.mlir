// RUN: stillpool-opt %s -p emit-c --split-input-file --verify-diagnostics | filecheck %s

func.func @heap() {
  %0 = memref.alloc() : memref<4xi8>
  func.return
}
// CHECK: 'memref.alloc' op of memref<4xi8> has no place in memory: the C code has no heap; run the pass usmp first

// -----

func.func @unknown(%x: i32) {
  "test.op"(%x) : (i32) -> ()
  func.return
}
// CHECK: 'test.op' op cannot be lowered to C

// -----

func.func @type(%x: i4) {
  func.return
}
// CHECK: type i4 has no equivalent in C

// -----

func.func @half(%x: f16, %y: f16) -> f16 {
  %0 = arith.addf %x, %y : f16
  func.return %0 : f16
}
// CHECK: type f16 has no equivalent in C

// -----

func.func @results() -> (i32, i32) {
  %0 = arith.constant 1 : i32
  func.return %0, %0 : i32, i32
}
// CHECK: 'func.func' op @results has 2 results: C allows one; memrefs become parameters with

// -----

func.func @endless(%x: i32) -> i32 {
  %0 = func.call @endless(%x) : (i32) -> i32
  func.return %0 : i32
}
// CHECK: 'func.func' op @endless calls itself: recursion cannot be lowered to C

// -----

func.func @dynamic(%m: memref<?x?xi8>, %i: index) -> i8 {
  %0 = memref.load %m[%i, %i] : memref<?x?xi8>
  func.return %0 : i8
}
// CHECK: a memref with strides that are not known at compile time cannot be lowered to C; mlir-opt gives functions others

// -----

"memref.global"() <{sym_name = "table", sym_visibility = "private", type = memref<2xi8>, constant,
  initial_value = dense<[1, 2]> : tensor<2xi8>}> : () -> ()
func.func @writes(%x: i8, %i: index) {
  %0 = memref.get_global @table : memref<2xi8>
  memref.store %x, %0[%i] : memref<2xi8>
  func.return
}
// CHECK: 'memref.get_global' op constant @table is written

// -----

func.func @large() -> index {
  %0 = arith.constant 4294967296 : index
  func.return %0 : index
}
// CHECK: 'arith.constant' op index 4294967296 does not fit the 32 bits that an index has in C

// -----

func.func @blocks(%x: i1) {
  "cf.br"() [^bb1] : () -> ()
^bb1:
  func.return
}
// CHECK: 'func.func' op @blocks has several blocks: use scf for control flow

// -----

func.func @wide_product() -> index {
  %k = arith.constant 100000 : index
  %0 = arith.muli %k, %k : index
  func.return %0 : index
}
// CHECK: 'arith.muli' op index 10000000000 does not fit the 32 bits that an index has in C

// -----

func.func @far(%x: memref<65536x32768xi8>) {
  func.return
}
// CHECK: memref<65536x32768xi8> takes 2147483648 bytes: in C an index has 32 bits, the largest is 2147483647

// -----

func.func @long(%x: memref<64xi32>, %w: memref<256xi32>, %y: memref<2x4x16xi8>, %i: index) {
  simd.tile_bytes %x[%i] 32 unroll 32, %w[%i] 1, %y[%i, %i, %i] along 1 : memref<64xi32>, memref<256xi32>, memref<2x4x16xi8>
  func.return
}
// CHECK: its text has 6854 characters, more than C99 lets a string have: write out less

// -----

func.func @held(%x: memref<16xi32>, %w: memref<192xi32>, %y: memref<2x4x16xi8>, %i: index) {
  simd.tile_bytes held zero_point 5 %x[%i] 2 unroll 2, %w[%i] 4, %y[%i, %i, %i] along 1 : memref<16xi32>, memref<192xi32>, memref<2x4x16xi8>
  func.return
}
// CHECK: at most 8 words of points stay in registers, of sums without signs

// -----

func.func @distant(%x: memref<8192xi8>, %lanes: memref<36xi32>, %i: index, %j: index) {
  simd.unpack_points %x[%i], %x[%j] [0, 4096] 1 unroll 1 [4100], %lanes[%i] : memref<8192xi8>, memref<8192xi8>, memref<36xi32>
  func.return
}
// CHECK: thumb.ldr does not reach 4096 bytes
