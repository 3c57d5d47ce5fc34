// RUN: stillpool-opt -p usmp-check %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 'memref.view' op takes bytes 12 to 20 of a memref of 16 bytes
pool.declare @p workspace size 64
func.func @f() {
  %c12 = arith.constant 12 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  %v = memref.view %a[%c12][] : memref<16xi8> to memref<8xi8>
  func.return
}

// -----

// CHECK: 'memref.subview' op takes elements 12 to 18 of dimension 0, which has 16
pool.declare @p workspace size 64
func.func @f() {
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  %v = memref.subview %a[12] [4] [2] : memref<16xi8> to memref<4xi8, strided<[2], offset: 12>>
  func.return
}

// -----

// CHECK: 'memref.reinterpret_cast' op takes elements 0 to 31 of a buffer that has 16
pool.declare @p workspace size 64
func.func @f() {
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<16xi8> to memref<4x8xi8>
  func.return
}

// -----

// CHECK: 'memref.cast' op makes memref<32xi8> of memref<16xi8>, which has other elements
pool.declare @p workspace size 64
func.func @f() {
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  %u = "memref.cast"(%a) : (memref<16xi8>) -> memref<?xi8>
  %v = "memref.cast"(%u) : (memref<?xi8>) -> memref<32xi8>
  func.return
}

// -----

// CHECK: 'memref.store' op index 16 of dimension 0, which has 16
pool.declare @p workspace size 64
func.func @f(%v: i8) {
  %c16 = arith.constant 16 : index
  %a = memref.alloc() {pool.assigned = @p, pool.offset = 0 : i64} : memref<16xi8>
  memref.store %v, %a[%c16] : memref<16xi8>
  func.return
}

// -----

// A vector ends behind its buffer.

// CHECK: 'vector.load' op takes elements 14 to 17 of dimension 0, which has 16
func.func @f(%x: memref<16xi8>, %y: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c14 = arith.constant 14 : index
  %v = vector.load %x[%c14] : memref<16xi8>, vector<4xi8>
  vector.store %v, %y[%c0] : memref<16xi8>, vector<4xi8>
  func.return
}
