// RUN: stillpool-opt -p "usmp" %s | filecheck %s

// A memory space is the name of a pool.

// CHECK: pool.declare @sram workspace size 0
// CHECK: pool.declare @dtcm workspace size 4
// CHECK: [[a:%[a-z0-9_]+]] = memref.view %dtcm[{{%[a-z0-9_]+}}][] : memref<4xi8> to memref<4xi8>
// CHECK: "memref.memory_space_cast"([[a]]) : (memref<4xi8>) -> memref<4xi8, "dtcm">

pool.declare @sram workspace
pool.declare @dtcm workspace
func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi8, "dtcm">
  %v = memref.load %x[%c0] : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8, "dtcm">
  %w = memref.load %a[%c0] : memref<4xi8, "dtcm">
  memref.store %w, %y[%c0] : memref<4xi8>
  func.return
}
