// Custom formats that `mlir-opt` prints and xDSL lacks. `invalid.mlir` has their errors.
// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt %s --print-op-generic | xdsl-opt | filecheck %s

memref.global "private" constant @weights : memref<2x2xi8> = dense<[[1, 2], [3, 4]]> {alignment = 64 : i64}
memref.global @room : memref<4xf32> = uninitialized
memref.global "private" constant @blob : memref<3xi16> = dense_resource<numbers>
// CHECK:      "memref.global"() <{sym_name = "weights", type = memref<2x2xi8>, initial_value = dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi8>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()
// CHECK-NEXT: "memref.global"() <{sym_name = "room", type = memref<4xf32>, initial_value, sym_visibility = "public"}> : () -> ()
// CHECK-NEXT: "memref.global"() <{sym_name = "blob", type = memref<3xi16>, initial_value = dense<[1, -2, 3]> : tensor<3xi16>, sym_visibility = "private", constant}> : () -> ()

func.func @memory(%a: memref<4xi32>, %b: memref<4xi32>, %v: i32, %i: index) {
  memref.copy %a, %b {note} : memref<4xi32> to memref<4xi32>
  %c = memref.cast %a : memref<4xi32> to memref<?xi32>
  %d = memref.memory_space_cast %a : memref<4xi32> to memref<4xi32, 1>
  %r = memref.rank %a : memref<4xi32>
  %o = memref.atomic_rmw maxs %v, %a[%i] : (i32, memref<4xi32>) -> i32
  func.return
}
// CHECK:      "memref.copy"(%a, %b) {note} : (memref<4xi32>, memref<4xi32>) -> ()
// CHECK-NEXT: "memref.cast"(%a) : (memref<4xi32>) -> memref<?xi32>
// CHECK-NEXT: "memref.memory_space_cast"(%a) : (memref<4xi32>) -> memref<4xi32, 1 : i64>
// CHECK-NEXT: "memref.rank"(%a) : (memref<4xi32>) -> index
// CHECK-NEXT: "memref.atomic_rmw"(%v, %a, %i) <{kind = 6 : i64}> : (i32, memref<4xi32>, index) -> i32

func.func @loops(%m: memref<8x8xf32>, %n: index, %u: i8, %z: f32) -> f32 {
  scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) {
    memref.store %z, %m[%i, %j] : memref<8x8xf32>
  }
  %sum, %most = scf.parallel (%i) = (%n) to (%n) step (%n) init (%z, %z) -> (f32, f32) {
    %x = memref.load %m[%i, %i] : memref<8x8xf32>
    scf.reduce(%x, %x : f32, f32) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%p: f32, %q: f32):
      %s = arith.maximumf %p, %q : f32
      scf.reduce.return %s : f32
    }
  }
  scf.for unsigned %i = %u to %u step %u : i8 {
  }
  func.return %sum : f32
}
// CHECK:      "scf.parallel"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
// CHECK-NEXT: ^bb0(%i: index, %j: index):
// CHECK:      %sum, %most = "scf.parallel"(%n, %n, %n, %z, %z) <{operandSegmentSizes = array<i32: 1, 1, 1, 2>}> ({
// CHECK:      scf.for unsigned %{{.*}} = %u to %u step %u : i8 {

#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 3)>
func.func @affine(%m: memref<8xf32>, %i: index) -> f32 {
  %a = affine.parallel (%x, %y) = (0, max(%i, 2)) to (min(%i + 3, 7), 9) step (2, 1) reduce ("addf") -> f32 {
    %q = affine.load %m[%x] : memref<8xf32>
    affine.yield %q : f32
  }
  affine.parallel (%x) = (0) to (8) {
    affine.store %a, %m[%x] : memref<8xf32>
  }
  affine.if #set(%i)[%i] {
    affine.store %a, %m[%i] : memref<8xf32>
  }
  %b = affine.if affine_set<() : (1 >= 0)>() -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %a : f32
  }
  %c = affine.max affine_map<(d0)[s0] -> (d0, s0 + 1)>(%i)[%i]
  func.return %b : f32
}
// CHECK:      %a = "affine.parallel"(%i, %i) <{reductions = [0 : i64], lowerBoundsMap = affine_map<(d0) -> (0, d0, 2)>, lowerBoundsGroups = dense<[1, 2]> : tensor<2xi32>, upperBoundsMap = affine_map<(d0) -> ((d0 + 3), 7, 9)>, upperBoundsGroups = dense<[2, 1]> : tensor<2xi32>, steps = [2 : i64, 1 : i64]}> ({
// CHECK:      "affine.if"(%i, %i) <{condition = affine_set<(d0)[s0] : ((d0 + (s0 * -1)) >= 0, (d0 + -3) == 0)>}> ({
// CHECK:      %b = "affine.if"() <{condition = affine_set<() : (1 >= 0)>}> ({
// CHECK:      affine.max affine_map<(d0)[s0] -> (d0, (s0 + 1))> (%i)[%i]

func.func @arithmetic(%a: vector<4xi8>, %f: vector<4xf32>, %w: i32, %c: vector<4xi1>) {
  %0 = arith.trunci %w overflow<nsw> : i32 to i8
  %1 = "arith.trunci"(%w) <{overflowFlags = #arith.overflow<nsw, nuw>}> : (i32) -> i8
  %2 = arith.extsi %a : vector<4xi8> to vector<4xi32>
  %3 = arith.trunci %2 : vector<4xi32> to vector<4xi16>
  %4 = arith.sitofp %2 : vector<4xi32> to vector<4xf32>
  %5 = arith.fptosi %f : vector<4xf32> to vector<4xi32>
  %6 = arith.select %c, %f, %4 : vector<4xi1>, vector<4xf32>
  %7 = vector.shape_cast %a : vector<4xi8> to vector<2x2xi8>
  %8 = vector.constant_mask [3] : vector<4xi1>
  %9 = vector.step : vector<4xindex>
  func.return
}
// CHECK:      arith.trunci %w overflow<nsw> : i32 to i8
// CHECK-NEXT: arith.trunci %w overflow<nsw,nuw> : i32 to i8
// CHECK-NEXT: arith.extsi %a : vector<4xi8> to vector<4xi32>
// CHECK-NEXT: arith.trunci %{{.*}} : vector<4xi32> to vector<4xi16>
// CHECK-NEXT: arith.sitofp %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK-NEXT: arith.fptosi %f : vector<4xf32> to vector<4xi32>
// CHECK-NEXT: arith.select %c, %f, %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK-NEXT: vector.shape_cast %a : vector<4xi8> to vector<2x2xi8>
// CHECK-NEXT: vector.constant_mask [3] : vector<4xi1>
// CHECK-NEXT: vector.step : vector<4xindex>

func.func @literals() {
  %0 = arith.constant dense<0xFF800000> : vector<2xf32>
  %1 = arith.constant dense<[0x7F800000, 1.5, 0x80000000]> : vector<3xf32>
  func.return
}
// CHECK:      arith.constant dense<0xff800000> : vector<2xf32>
// CHECK-NEXT: arith.constant dense<[0x7f800000, 1.500000e+00, -0.000000e+00]> : vector<3xf32>

{-#
  dialect_resources: {
    builtin: {
      numbers: "0x020000000100FEFF0300"
    }
  }
#-}
