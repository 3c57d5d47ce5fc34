// RUN: stillpool-opt -p "usmp-assign-pools{align=4}" --split-input-file --verify-diagnostics %s | filecheck %s
// RUN: not stillpool-opt -p "usmp-assign-pools{align=6}" --split-input-file %s 2>&1 | filecheck %s --check-prefix=SIX
// SIX: alignment 6 is not a power of two

// Only pools that declare no alignment take the one asked for.

pool.declare @mine workspace align 32
pool.declare @other workspace
func.func @asked() {
  %a = memref.alloc() : memref<4xi8>
  func.return
}
// CHECK:      pool.declare @mine workspace align 32
// CHECK-NEXT: pool.declare @other workspace align 4

// -----

// A buffer that needs more has more.

func.func @more() {
  %a = memref.alloc() {pool.candidates = [@workspace]} : memref<4xi8>
  %b = memref.alloc() : memref<4xi64>
  func.return
}
// CHECK:      pool.declare @workspace workspace align 8
