// RUN: stillpool-opt -p usmp-place-io{tensors=outputs} %s | filecheck %s --check-prefix OUTPUTS
// RUN: stillpool-opt -p usmp-place-io{keep=true} %s | filecheck %s --check-prefix KEEP
// RUN: stillpool-opt -p usmp-place-io{double=true} %s | filecheck %s --check-prefix DOUBLE
// RUN: stillpool-opt -p usmp-place-io{tensors=y},usmp-io-allocs %s | filecheck %s --check-prefix CARRIED

// Memory of the caller is marked; outputs stay to be made buffers.
// OUTPUTS: func.func @main(%x: memref<4xi8> {nn.name = "x", pool.io = "input", pool.callers}, %y: memref<4xi8> {nn.name = "y", pool.io = "output"})

// Only inputs are kept, or have two slots.
// KEEP: func.func @main(%x: memref<4xi8> {nn.name = "x", pool.io = "input", pool.keep}, %y: memref<4xi8> {nn.name = "y", pool.io = "output"})
// DOUBLE: func.func @main(%x: memref<4xi8> {nn.name = "x", pool.io = "input", pool.slots}, %y: memref<4xi8> {nn.name = "y", pool.io = "output"})

// What is the caller's is no buffer, whatever the next pass is asked for; the mark is gone when that is carried out.
// CARRIED: func.func @main(%x: memref<4xi8> {nn.name = "x", pool.io = "input", pool.input = 0 : i64})
// CARRIED:   memref.alloc() {{.*}}pool.kind = #pool.kind<output>

builtin.module {
  func.func private @copy(%from: memref<4xi8>, %to: memref<4xi8>) {
    memref.copy %from, %to : memref<4xi8> to memref<4xi8>
    func.return
  }
  func.func @main(%x: memref<4xi8> {nn.name = "x", pool.io = "input"},
                  %y: memref<4xi8> {nn.name = "y", pool.io = "output"}) {
    func.call @copy(%x, %y) : (memref<4xi8>, memref<4xi8>) -> ()
    func.return
  }
}
