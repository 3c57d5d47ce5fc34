// RUN: stillpool-opt -p "usmp-assign-pools,usmp-plan" %s | filecheck %s

// As usmp_plan_traffic.mlir: what is copied to a view that begins anywhere counts by what the view spans.

pool.declare @tcm workspace limit 64 read_bandwidth 4.0 write_bandwidth 4.0
pool.declare @sdram workspace read_bandwidth 1.0 write_bandwidth 1.0

func.func @model(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %v = arith.constant 1 : i8
  // CHECK: pool.name = "cold", {{.*}}pool.assigned = @sdram
  %cold = memref.alloc() {pool.name = "cold", pool.kind = #pool.kind<activation>} : memref<8x8xi8>
  // CHECK: pool.name = "hot", {{.*}}pool.assigned = @tcm
  %hot = memref.alloc() {pool.name = "hot", pool.kind = #pool.kind<activation>} : memref<8x8xi8>
  memref.store %v, %cold[%c0, %c0] : memref<8x8xi8>
  memref.store %v, %hot[%c0, %c0] : memref<8x8xi8>
  %rows = memref.subview %cold[4, 0] [4, 4] [1, 1] : memref<8x8xi8> to memref<4x4xi8, strided<[8, 1], offset: 32>>
  %some = memref.subview %hot[0, %n] [4, 4] [1, 1] : memref<8x8xi8> to memref<4x4xi8, strided<[8, 1], offset: ?>>
  scf.for %i = %c0 to %c9 step %c1 {
    memref.copy %rows, %some : memref<4x4xi8, strided<[8, 1], offset: 32>> to memref<4x4xi8, strided<[8, 1], offset: ?>>
  }
  %a = memref.load %hot[%c0, %c0] : memref<8x8xi8>
  %b = memref.load %cold[%c0, %c0] : memref<8x8xi8>
  scf.for %i = %c0 to %c9 step %c1 {
    memref.store %a, %hot[%c0, %c0] : memref<8x8xi8>
  }
  memref.store %b, %hot[%c0, %c1] : memref<8x8xi8>
  func.return
}
