// What mlir-opt's pipelines end in becomes scf.for on scalars; memory planning reads that.
// RUN: xdsl-opt -p lower-to-loops %s | filecheck %s
// RUN: xdsl-opt -p usmp-overlap %s | filecheck %s --check-prefix LEADS
// RUN: xdsl-opt -p lower-to-loops,usmp-overlap %s | filecheck %s --check-prefix LEADS

// Bounds are the largest and the smallest results of their maps.
// CHECK-LABEL: func.func private @affine
func.func private @affine(%a: memref<8xi32>, %o: memref<8xi32>, %n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0 - 4)>()[%n] to 8 step 2 {
    %x = affine.load %a[%i + 1] : memref<8xi32>
    affine.store %x, %o[%i mod 4] : memref<8xi32>
  }
  func.return
}
// CHECK:      %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-NEXT: %[[LESS:.*]] = arith.subi %n, %[[FOUR]] : index
// CHECK-NEXT: %[[LOWER:.*]] = arith.maxsi %[[ZERO]], %[[LESS]] : index
// CHECK:      scf.for %[[I:.*]] = %[[LOWER]] to
// CHECK:        memref.load %a
// CHECK:        arith.remsi %[[I]],
// CHECK:        memref.store

// Reductions are carried through all loops, in the order of the dimensions.
// CHECK-LABEL: func.func private @parallel
func.func private @parallel(%a: memref<4x4xf32>, %n: index, %one: index, %z: f32) -> f32 {
  %sum = scf.parallel (%i, %j) = (%one, %one) to (%n, %n) step (%one, %one) init (%z) -> f32 {
    %x = memref.load %a[%i, %j] : memref<4x4xf32>
    scf.reduce(%x : f32) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      scf.reduce.return %s : f32
    }
  }
  func.return %sum : f32
}
// CHECK:      %[[ALL:.*]] = scf.for %[[I:.*]] = %one to %n step %one iter_args(%[[A:.*]] = %z) -> (f32) {
// CHECK-NEXT:   %[[ROW:.*]] = scf.for %[[J:.*]] = %one to %n step %one iter_args(%[[B:.*]] = %[[A]]) -> (f32) {
// CHECK-NEXT:     %[[X:.*]] = memref.load %a[%[[I]], %[[J]]] : memref<4x4xf32>
// CHECK-NEXT:     %[[S:.*]] = arith.addf %[[B]], %[[X]] : f32
// CHECK-NEXT:     scf.yield %[[S]] : f32
// CHECK:        scf.yield %[[ROW]] : f32
// CHECK:      func.return %[[ALL]] : f32

// A copy by vectors has the lead of one by scalars: all loads of a vector come before its stores.
// CHECK-LABEL: func.func private @copy
// LEADS-LABEL: func.func private @copy
// LEADS-SAME:  pool.lead = [#pool.lead<0, 0>]
func.func private @copy(%a: memref<8xi8>, %o: memref<8xi8>) {
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %8 = arith.constant 8 : index
  scf.for %i = %0 to %8 step %4 {
    %v = vector.load %a[%i] : memref<8xi8>, vector<2xi8>
    %w = arith.addi %v, %v : vector<2xi8>
    vector.store %w, %o[%i] : memref<8xi8>, vector<2xi8>
  }
  func.return
}
// CHECK:      scf.for
// CHECK-NEXT:   arith.constant 1 : index
// CHECK-NEXT:   arith.addi
// CHECK-NEXT:   memref.load
// CHECK-NEXT:   memref.load
// CHECK-NEXT:   arith.addi %{{.*}} : i8
// CHECK-NEXT:   arith.addi %{{.*}} : i8
// CHECK:        memref.store
// CHECK:        memref.store

// Past the end a read gives the padding and a write does nothing; inside, nothing is asked.
// CHECK-LABEL: func.func private @edge
func.func private @edge(%a: memref<6xi8>, %o: memref<6xi8>, %pad: i8) {
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %6 = arith.constant 6 : index
  scf.for %i = %0 to %6 step %4 {
    %v = vector.transfer_read %a[%i], %pad : memref<6xi8>, vector<2xi8>
    %w = vector.transfer_read %a[%i], %pad : memref<6xi8>, vector<4xi8>
    vector.transfer_write %w, %o[%i] : vector<4xi8>, memref<6xi8>
    vector.transfer_write %v, %o[%0] : vector<2xi8>, memref<6xi8>
  }
  func.return
}
// CHECK:      scf.for
// CHECK-NOT:    arith.cmpi
// CHECK:        memref.load
// CHECK-NEXT:   memref.load
// CHECK:        %[[IN:.*]] = arith.cmpi slt
// CHECK-NEXT:   arith.constant 3 : index
// CHECK:        memref.load
// CHECK-NEXT:   memref.load
// CHECK-NEXT:   scf.if %[[IN]] -> (i8) {
// CHECK-NEXT:     memref.load
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %pad : i8
