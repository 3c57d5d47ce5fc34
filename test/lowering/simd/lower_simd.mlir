// RUN: stillpool-opt %s -p lower-simd | filecheck %s
// RUN: stillpool-opt %s -p lower-simd,lower-simd | filecheck %s

// What an instruction means, of the numbers that it is given.
// CHECK-LABEL: func.func @dot
// CHECK:         %[[LOW:[0-9]+]] = arith.trunci %a : i32 to i16
// CHECK-NEXT:    %[[A0:[0-9]+]] = arith.extsi %[[LOW]] : i16 to i32
// CHECK-NEXT:    %[[A1:[0-9]+]] = arith.shrsi %a, %c16_i32 : i32
// CHECK:         %[[P0:[0-9]+]] = arith.muli %[[A0]], %{{[0-9]+}} overflow<nsw> : i32
// CHECK-NEXT:    %[[P1:[0-9]+]] = arith.muli %[[A1]], %{{[0-9]+}} overflow<nsw> : i32
// CHECK-NEXT:    %[[SUM:[0-9]+]] = arith.addi %acc, %[[P0]] : i32
// CHECK-NEXT:    %sum = arith.addi %[[SUM]], %[[P1]] : i32
// CHECK-NEXT:    func.return %sum : i32
func.func @dot(%a: i32, %b: i32, %acc: i32) -> i32 {
  %sum = simd.dual_multiply_add %a, %b, %acc
  func.return %sum : i32
}

// Loops in the place of an operation on memory, at its own places.
// CHECK-LABEL: func.func @products
// CHECK:         scf.for %c = %c0 to %c4 step %c1 {
// CHECK-NEXT:      %{{[0-9]+}} = arith.addi %i, %c : index
// CHECK-NEXT:      %sum = memref.load %starts[%{{[0-9]+}}] : memref<8xi32>
// CHECK-NEXT:      %sum_1 = scf.for %n = %c0 to %c6 step %c1 iter_args(%sum_2 = %sum) -> (i32) {
// CHECK:             %point = memref.load %x[%{{[0-9]+}}] : memref<32xi32>
// CHECK:             %weight = memref.load %w[%{{[0-9]+}}] : memref<64xi32>
// CHECK-NOT:         simd.
// CHECK:             scf.yield
// CHECK:           memref.store %sum_1, %sums[%c] : memref<4xi32>
func.func @products(%x: memref<32xi32>, %w: memref<64xi32>, %starts: memref<8xi32>, %sums: memref<4xi32>, %i: index) {
  simd.dual_products %x[%i] 6 unroll 3, %w[%i], %starts[%i], %sums : memref<32xi32>, memref<64xi32>, memref<8xi32>, memref<4xi32>
  func.return
}

// Elements of several dimensions lie in a row.
// CHECK-LABEL: func.func @word
// CHECK:         %[[PLACE:[0-9]+]] = arith.addi %{{[0-9]+}}, %j : index
// CHECK-NEXT:    %x_1 = memref.collapse_shape %x {{.*}} : memref<3x8xi8> into memref<24xi8>
// CHECK-NEXT:    memref.load %x_1[%[[PLACE]]] : memref<24xi8>
func.func @word(%x: memref<3x8xi8>, %i: index, %j: index) -> i32 {
  %word = simd.load_bytes %x[%i, %j] : memref<3x8xi8>
  func.return %word : i32
}

// Vectors are those of MLIR, wherever they are passed on.
// CHECK-LABEL: func.func @lanes
// CHECK:         %[[ALL:[a-z0-9_]+]] = scf.for {{.*}} iter_args(%v = %{{[0-9a-z_]+}}) -> (vector<4xi32>) {
// CHECK:           %[[LANE:[0-9]+]] = vector.extract %v[0] : i32 from vector<4xi32>
// CHECK:           scf.yield %{{[0-9a-z_]+}} : vector<4xi32>
// CHECK:         vector.extract %[[ALL]][%{{[a-z0-9_]+}}] : i32 from vector<4xi32>
func.func @lanes(%y: memref<4xi8>, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = simd.lanes_of %x
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%v = %first) -> (!simd.lanes) {
    %next = simd.lanes_add %v, %first
    scf.yield %next : !simd.lanes
  }
  simd.store_lanes %last, %y[%c0] 4 : memref<4xi8>
  func.return
}

// Nobody asks for the instructions of a processor: the loops beside a kernel stay.
// CHECK-LABEL: func.func @kernel
// CHECK-NOT:     simd.
// CHECK:         %[[OWN:[a-z]+]] = memref.load %x[%c0] : memref<1xi32>
// CHECK-NEXT:    func.return %[[OWN]] : i32
func.func @kernel(%x: memref<1xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %has = simd.has "acme"
  %v = scf.if %has -> (i32) {
    simd.kernel "acme.add"(%x) at[%c0] sizes() strides [] scalars [] : memref<1xi32>
    %zero = arith.constant 0 : i32
    scf.yield %zero : i32
  } else {
    %own = memref.load %x[%c0] : memref<1xi32>
    scf.yield %own : i32
  }
  func.return %v : i32
}
