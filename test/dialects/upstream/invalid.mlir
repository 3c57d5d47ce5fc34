// RUN: xdsl-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

memref.global "private" @elsewhere : memref<4xf32>
// CHECK: @elsewhere has no value, so it is defined elsewhere, which xDSL cannot say; give it one or uninitialized

// -----
memref.global constant @blob : memref<3xi16> = dense_resource<absent>
// CHECK: the file has no resource 'absent'

// -----
func.func @f(%v: i32, %m: memref<4xi32>, %i: index) {
  %o = memref.atomic_rmw plus %v, %m[%i] : (i32, memref<4xi32>) -> i32
// CHECK: expected one of addf, addi, andi, assign

// -----
func.func @f(%v: vector<4xi32>) {
  %o = arith.trunci %v : vector<4xi32> to vector<2xi8>
  func.return
}
// CHECK: 'arith.trunci' op operand and result differ in shape: vector<4xi32> and vector<2xi8>

// -----
func.func @f(%v: vector<4xi8>) {
  %o = arith.extsi %v : vector<4xi8> to vector<4xi8>
  func.return
}
// CHECK: Destination bit-width must be larger than the input bit-width
