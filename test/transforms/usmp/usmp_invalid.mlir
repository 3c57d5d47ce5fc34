// RUN: stillpool-opt -p usmp %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: has several blocks: make scf of its branches, as mlir-opt --lift-cf-to-scf does
func.func @f(%c: i1, %y: memref<64xi8>) {
  %a = memref.alloc() : memref<64xi8>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  func.return
}

// -----

// CHECK: is not strided; mlir-opt --normalize-memrefs makes it dense
func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi8, affine_map<(d0) -> (d0 floordiv 2)>>
  %v = memref.load %x[%c0] : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8, affine_map<(d0) -> (d0 floordiv 2)>>
  func.return
}

// -----

// CHECK: buffer 'a' has memory space 1 : i64, which names no pool: write the memory space as the name of a pool, "dtcm" for @dtcm, or say pool.candidates = [@dtcm]
pool.declare @sram workspace
pool.declare @dtcm workspace
func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi8, 1 : i64>
  %v = memref.load %x[%c0] : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8, 1 : i64>
  %w = memref.load %a[%c0] : memref<4xi8, 1 : i64>
  memref.store %w, %y[%c0] : memref<4xi8>
  func.return
}

// -----

// CHECK: buffer 'a': there is no workspace pool @tcm; declared are @sram, @dtcm
pool.declare @sram workspace
pool.declare @dtcm workspace
func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi8, "tcm">
  %v = memref.load %x[%c0] : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8, "tcm">
  %w = memref.load %a[%c0] : memref<4xi8, "tcm">
  memref.store %w, %y[%c0] : memref<4xi8>
  func.return
}

// -----

// CHECK: buffer 'a' asks for 64 bytes of alignment, and pool @p is declared with 16: declare it with align 64, or without align
pool.declare @p workspace align 16
func.func @f() {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xi8>
  func.return
}

// -----

// CHECK: buffer 'a' comes after usmp-materialize-offsets, which has given out all bytes of the pools: plan all buffers at once
pool.declare @p workspace size 4
func.func @f(%p: memref<4xi8> {pool.pool = @p}) {
  %a = memref.alloc() : memref<4xi8>
  func.return
}
