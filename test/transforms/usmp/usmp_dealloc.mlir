// RUN: stillpool-opt -p usmp,usmp-plan,emit-c -t c %s | filecheck %s
// RUN: stillpool-opt -p usmp %s | stillpool-opt -p usmp | filecheck %s --check-prefix AGAIN

// As bufferisation and deallocation leave a module: an alignment on every buffer, and all freed at the end. Freeing is
// no use: %a and %c lie in the same bytes. The pool takes the alignment of its buffers. What has been planned and
// carried out stays as it is.

// CHECK: /* pool workspace: 128 bytes, aligned to 64 */
// CHECK-NOT: free
// AGAIN: pool.declare @workspace workspace align 64 size 128
// AGAIN-NOT: memref.alloc
// AGAIN-NOT: memref.dealloc

func.func @f(%x: memref<64xi8> {pool.io = "input"}, %y: memref<64xi8> {pool.io = "output"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %b = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  %c = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi8>
    memref.store %v, %a[%i] : memref<64xi8>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %a[%i] : memref<64xi8>
    memref.store %v, %b[%i] : memref<64xi8>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %b[%i] : memref<64xi8>
    memref.store %v, %c[%i] : memref<64xi8>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %c[%i] : memref<64xi8>
    memref.store %v, %y[%i] : memref<64xi8>
  }
  memref.dealloc %a : memref<64xi8>
  memref.dealloc %b : memref<64xi8>
  memref.dealloc %c : memref<64xi8>
  func.return
}
