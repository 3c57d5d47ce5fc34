// RUN: stillpool-opt -p usmp-io-allocs,usmp-inputs{keep=true},usmp-assign-pools,usmp-overlap,usmp-plan,usmp-release-inputs,usmp-check %s | filecheck %s --check-prefix KEEP
// RUN: stillpool-opt -p usmp-io-allocs,usmp-inputs{double=true},usmp-assign-pools,usmp-overlap,usmp-plan,usmp-release-inputs,usmp-check %s | filecheck %s --check-prefix DOUBLE
// RUN: stillpool-opt -p usmp-io-allocs,usmp-inputs{callback="hear"},usmp-assign-pools,usmp-overlap,usmp-plan,usmp-release-inputs,usmp-check,usmp-released-callback %s | filecheck %s --check-prefix CALLBACK

// A chain of three copies: in place, unless the input must stay.

func.func private @move(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %x[%i] : memref<8xi8>
    memref.store %v, %y[%i] : memref<8xi8>
  }
  func.return
}

// KEEP:       pool.declare @workspace workspace size 16
// KEEP:       %x = memref.alloc() {{.*}}pool.kind = #pool.kind<input>, pool.name = "x", pool.keep
// KEEP:       func.call @move({{.*}}) {pool.releases = [0 : i64]}
// KEEP-NEXT:  func.call @move({{.*}}) :
// KEEP-NEXT:  func.call @move({{.*}}) :

// DOUBLE:      pool.declare @workspace workspace size 24
// DOUBLE:      func.func @model(%x: memref<8xi8> {pool.io = "input", nn.name = "x", pool.slots, pool.input = 0 : i64})
// DOUBLE:      pool.keep, pool.slot = 0 : i64
// DOUBLE:      pool.keep, pool.slot = 1 : i64
// DOUBLE:      func.call @move(%x, {{.*}}) {pool.releases = [0 : i64]}

// The output lies in place of the input in the end: it cannot be refilled before that has been read.
// CALLBACK:     pool.declare @workspace workspace size 8
// CALLBACK:     func.func @model()
// CALLBACK-NOT: call @hear
func.func @model(%x: memref<8xi8> {pool.io = "input"}, %y: memref<8xi8> {pool.io = "output"}) {
  %a = memref.alloc() : memref<8xi8>
  %b = memref.alloc() : memref<8xi8>
  func.call @move(%x, %a) : (memref<8xi8>, memref<8xi8>) -> ()
  func.call @move(%a, %b) : (memref<8xi8>, memref<8xi8>) -> ()
  func.call @move(%b, %y) : (memref<8xi8>, memref<8xi8>) -> ()
  func.return
}
