// RUN: stillpool-opt -p "usmp-assign-pools,usmp-plan" %s | filecheck %s

// As usmp_plan_traffic.mlir: what vectors load counts by their elements, not as nothing.

pool.declare @tcm workspace limit 64 read_bandwidth 4.0 write_bandwidth 4.0
pool.declare @sdram workspace read_bandwidth 1.0 write_bandwidth 1.0

func.func @model() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  // CHECK: pool.name = "cold", {{.*}}pool.assigned = @sdram
  %cold = memref.alloc() {pool.name = "cold", pool.kind = #pool.kind<activation>} : memref<64xi8>
  // CHECK: pool.name = "hot", {{.*}}pool.assigned = @tcm
  %hot = memref.alloc() {pool.name = "hot", pool.kind = #pool.kind<activation>} : memref<64xi8>
  %v = arith.constant 1 : i8
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %v, %cold[%i] : memref<64xi8>
    memref.store %v, %hot[%i] : memref<64xi8>
  }
  scf.for %k = %c0 to %c100 step %c1 {
    scf.for %i = %c0 to %c64 step %c16 {
      %a = vector.load %hot[%i] : memref<64xi8>, vector<16xi8>
      %b = vector.extract %a[0] : i8 from vector<16xi8>
      memref.store %b, %cold[%c0] : memref<64xi8>
    }
  }
  memref.store %v, %hot[%c0] : memref<64xi8>
  func.return
}
