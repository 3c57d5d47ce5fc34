// RUN: stillpool-opt -p "usmp-assign-pools,usmp-plan,usmp-check" %s | filecheck %s

// The tightly coupled memory holds one of two equal buffers: the second, for as many reads of the slow memory cost more
// than the writes that the first one has.

pool.declare @tcm workspace limit 64 read_bandwidth 4.0 write_bandwidth 4.0
pool.declare @sdram workspace read_bandwidth 1.0 write_bandwidth 1.0 read_latency 20 write_latency 10 burst 32

func.func @model() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
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
    scf.for %i = %c0 to %c64 step %c1 {
      %a = memref.load %hot[%i] : memref<64xi8>
      memref.store %a, %cold[%c0] : memref<64xi8>
    }
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.load %cold[%i] : memref<64xi8>
    memref.store %a, %hot[%i] : memref<64xi8>
  }
  func.return
}
