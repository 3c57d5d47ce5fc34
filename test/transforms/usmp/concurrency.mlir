// RUN: stillpool-opt -p usmp-io-allocs,usmp-assign-pools,usmp-plan,usmp-check --split-input-file %s | filecheck %s

// Models that exclude each other use the same bytes; state keeps its own, in a pool of its own.
// CHECK:      pool.declare @workspace workspace size 80
// CHECK:      pool.declare @state workspace persistent size 16
builtin.module {
  func.func @first(%x: memref<64xi8>, %y: memref<16xi8>) {
    %state = memref.alloc() {pool.kind = #pool.kind<state>, pool.name = "memory"} : memref<16xi8>
    func.call @work(%x, %state, %y) : (memref<64xi8>, memref<16xi8>, memref<16xi8>) -> ()
    func.return
  }
  func.func @second(%x: memref<64xi8>, %y: memref<16xi8>) {
    func.call @step(%x, %y) : (memref<64xi8>, memref<16xi8>) -> ()
    func.return
  }
  func.func private @work(%x: memref<64xi8>, %s: memref<16xi8>, %y: memref<16xi8>)
  func.func private @step(%x: memref<64xi8>, %y: memref<16xi8>)
}

// -----

// Models that run at the same time share nothing.
// CHECK:      pool.declare @workspace workspace size 160
// CHECK:      func.func @first()
// CHECK:      pool.name = "x", pool.candidates = [@workspace], pool.assigned = @workspace, pool.offset = 0 : i64
// CHECK:      func.func @second()
// CHECK:      pool.name = "x", pool.candidates = [@workspace], pool.assigned = @workspace, pool.offset = 80 : i64
builtin.module attributes {pool.concurrency = "concurrent"} {
  func.func @first(%x: memref<64xi8>, %y: memref<16xi8>) {
    func.call @step(%x, %y) : (memref<64xi8>, memref<16xi8>) -> ()
    func.return
  }
  func.func @second(%x: memref<64xi8>, %y: memref<16xi8>) {
    func.call @step(%x, %y) : (memref<64xi8>, memref<16xi8>) -> ()
    func.return
  }
  func.func private @step(%x: memref<64xi8>, %y: memref<16xi8>)
}

// -----

// In a pipeline what one model gives the next stays in its place: 64 + 32, then 32 + 16 bytes.
// CHECK:      pool.declare @workspace workspace size 96
// CHECK:      func.func @first()
// CHECK:      pool.shared = "link"
// CHECK-SAME: pool.offset = [[LINK:[0-9]+]] : i64
// CHECK:      func.func @second()
// CHECK:      pool.shared = "link"
// CHECK-SAME: pool.offset = [[LINK]] : i64
builtin.module attributes {pool.concurrency = "pipeline"} {
  func.func @first(%x: memref<64xi8> {pool.io = "input"}) {
    %y = memref.alloc() {pool.kind = #pool.kind<output>, pool.name = "y", pool.shared = "link"} : memref<32xi8>
    func.call @step(%x, %y) : (memref<64xi8>, memref<32xi8>) -> ()
    func.return
  }
  func.func @second(%y: memref<16xi8>) {
    %x = memref.alloc() {pool.kind = #pool.kind<input>, pool.name = "x", pool.shared = "link"} : memref<32xi8>
    func.call @end(%x, %y) : (memref<32xi8>, memref<16xi8>) -> ()
    func.return
  }
  func.func private @step(%x: memref<64xi8>, %y: memref<32xi8>)
  func.func private @end(%x: memref<32xi8>, %y: memref<16xi8>)
}
