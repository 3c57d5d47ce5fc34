// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s --print-op-generic | stillpool-opt | filecheck %s

// The order of declarations is the order of preference.
// CHECK: pool.declare @dtcm workspace limit 65536 align 32 section ".dtcm" read_bandwidth 8.000000e+00 write_bandwidth 5.000000e-01 read_latency 0 write_latency 1 burst 8
pool.declare @dtcm workspace limit 65536 align 32 section ".dtcm" read_bandwidth 8.000000e+00 write_bandwidth 5.000000e-01 read_latency 0 write_latency 1 burst 8

// CHECK-NEXT: pool.declare @sram workspace{{$}}
pool.declare @sram workspace

// CHECK-NEXT: pool.declare @flash constant section ".rodata"
pool.declare @flash constant section ".rodata"

// What the planner adds.
// CHECK-NEXT: pool.declare @planned workspace size 96 lower_bound 96 algorithm "greedy_by_size" optimal
pool.declare @planned workspace size 96 lower_bound 96 algorithm "greedy_by_size" optimal

// Buffers name candidate pools, then their pool and offset; outputs say how they may overlap an input.
// CHECK-NEXT: func.func private @relu(%x: memref<4xi8>, %y: memref<4xi8> {pool.lead = [#pool.lead<0, 64>, #pool.lead<0, 8, above>]}) {
func.func private @relu(%x: memref<4xi8>, %y: memref<4xi8> {pool.lead = [#pool.lead<0, 64>, #pool.lead<0, 8, above>]}) {
  func.return
}

// CHECK: memref.alloc() {pool.candidates = [@dtcm, @sram], pool.assigned = @sram, pool.offset = 64 : i64}
func.func @buffers() {
  %a = memref.alloc() {pool.candidates = [@dtcm, @sram], pool.assigned = @sram, pool.offset = 64 : i64} : memref<4xi8>
  func.return
}

// The bytes of other elements.
// CHECK: %bytes = pool.bytes %x : memref<2x3xf32> -> memref<24xi8>
func.func @bytes(%x: memref<2x3xf32>) {
  %bytes = pool.bytes %x : memref<2x3xf32> -> memref<24xi8>
  func.return
}
