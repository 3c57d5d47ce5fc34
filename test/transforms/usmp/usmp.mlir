// RUN: stillpool-opt -p "usmp{io=all}" %s | filecheck %s
// RUN: stillpool-opt -p "usmp-io-allocs,usmp-assign-pools,usmp-overlap,usmp-plan,usmp-check" %s | filecheck %s --check-prefix PLAN

// The whole composite, and the decisions before they are carried out. `double` works in place. `reverse` does not:
// two buffers of 64 bytes and the scratch inside `reverse` are live together, and of 160 bytes just one is shared, the
// last one written.

func.func private @double(%x: memref<64xi8>, %y: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi8>
    %w = arith.addi %v, %v : i8
    memref.store %w, %y[%i] : memref<64xi8>
  }
  func.return
}
func.func private @reverse(%x: memref<64xi8>, %y: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %scratch = memref.alloc() {pool.name = "scratch", pool.kind = #pool.kind<scratch>} : memref<32xi8>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi8>
    memref.store %v, %scratch[%c0] : memref<32xi8>
    %u = memref.load %scratch[%c0] : memref<32xi8>
    %j = arith.subi %c63, %i : index
    memref.store %u, %y[%j] : memref<64xi8>
  }
  func.return
}
func.func @model(%in: memref<64xi8> {nn.name = "in", pool.io = "input"}, %out: memref<64xi8> {nn.name = "out", pool.io = "output"}) {
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<activation>} : memref<64xi8>
  %b = memref.alloc() {pool.name = "b", pool.kind = #pool.kind<activation>} : memref<64xi8>
  func.call @double(%in, %a) : (memref<64xi8>, memref<64xi8>) -> ()
  func.call @reverse(%a, %b) : (memref<64xi8>, memref<64xi8>) -> ()
  func.call @double(%b, %out) : (memref<64xi8>, memref<64xi8>) -> ()
  func.return
}

// PLAN:       pool.declare @workspace workspace size 159 lower_bound 159 algorithm "exact" optimal
// PLAN:       func.func private @double(%x: memref<64xi8>, %y: memref<64xi8> {pool.lead = [#pool.lead<0, 0>]})
// PLAN:       func.func private @reverse(%x: memref<64xi8>, %y: memref<64xi8> {pool.lead = [#pool.lead<0, 63>]})
// PLAN:       pool.name = "scratch", pool.kind = #pool.kind<scratch>, pool.candidates = [@workspace], pool.assigned = @workspace, pool.offset = 127 : i64, pool.first_use = 1 : i64, pool.last_use = 1 : i64
// PLAN:       func.func @model() {
// PLAN-NEXT:    %in = memref.alloc() {nn.name = "in", pool.input = 0 : i64, pool.kind = #pool.kind<input>
// PLAN-SAME:      pool.offset = 63 : i64, pool.first_use = 0 : i64, pool.last_use = 0 : i64}
// PLAN-NEXT:    %out = memref.alloc() {nn.name = "out", pool.kind = #pool.kind<output>
// PLAN-SAME:      pool.offset = 64 : i64, pool.first_use = 2 : i64, pool.last_use = 2 : i64}
// PLAN-NEXT:    %a = memref.alloc()
// PLAN-SAME:      pool.offset = 63 : i64, pool.first_use = 0 : i64, pool.last_use = 1 : i64}
// PLAN-NEXT:    %b = memref.alloc()
// PLAN-SAME:      pool.offset = 0 : i64, pool.first_use = 1 : i64, pool.last_use = 2 : i64}

// CHECK:      func.func private @reverse(%x: memref<64xi8>, %y: memref<64xi8> {{.*}}, %workspace: memref<159xi8> {pool.pool = @workspace})
// CHECK:        memref.view %workspace[{{%[a-z_0-9]+}}][] : memref<159xi8> to memref<32xi8>
// CHECK:      func.func @model(%workspace: memref<159xi8> {pool.pool = @workspace}) {
// CHECK-NOT:    memref.alloc
// CHECK:        func.call @double({{%[a-z_0-9]+}}, {{%[a-z_0-9]+}}) : (memref<64xi8>, memref<64xi8>) -> ()
// CHECK-NEXT:   func.call @reverse({{%[a-z_0-9]+}}, {{%[a-z_0-9]+}}, %workspace) : (memref<64xi8>, memref<64xi8>, memref<159xi8>) -> ()
