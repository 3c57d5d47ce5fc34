// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: 'pool.declare' op alignment 24 is not a power of two
pool.declare @p workspace align 24

// -----

// CHECK: 'pool.declare' op alignment 0 is not a power of two
pool.declare @p workspace align 0

// -----

// CHECK: 'pool.declare' op limit must not be negative
pool.declare @p workspace limit -1

// -----

// CHECK: 'pool.declare' op size 128 exceeds the limit 64
pool.declare @p workspace limit 64 size 128

// -----

// CHECK: pool.lead needs a non-negative argument index and distance
func.func private @f(memref<4xi8>, memref<4xi8> {pool.lead = [#pool.lead<0, -4>]}) -> ()

// -----

// CHECK: Expected `workspace`, or `constant`.
pool.declare @p scratch

// -----

// CHECK: 'pool.bytes' op gives memref<24xi8>, not memref<6xi8>
func.func @few(%x: memref<2x3xf32>) {
  %bytes = pool.bytes %x : memref<2x3xf32> -> memref<6xi8>
  func.return
}

// -----

// CHECK: 'pool.bytes' op needs a dense memref, not memref<2x3xf32, strided<[4, 1]>>
func.func @gaps(%x: memref<2x3xf32, strided<[4, 1]>>) {
  %bytes = pool.bytes %x : memref<2x3xf32, strided<[4, 1]>> -> memref<28xi8>
  func.return
}
