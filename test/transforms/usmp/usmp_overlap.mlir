// RUN: stillpool-opt -p usmp-overlap --split-input-file %s | filecheck %s
// RUN: stillpool-opt -p "usmp-overlap{mode=inplace}" --split-input-file %s | filecheck %s --check-prefix INPLACE
// RUN: stillpool-opt -p "usmp-overlap{mode=off}" --split-input-file %s | filecheck %s --check-prefix OFF

// OFF-NOT: pool.lead

// Elementwise on a constant and a tensor: the tensor's place may be taken, the constant's never.

// CHECK: func.func private @scale({{.*}} %y: memref<8xi8> {pool.lead = [#pool.lead<1, 0>]})
// INPLACE: func.func private @scale({{.*}} %y: memref<8xi8> {pool.lead = [#pool.lead<1, 0>]})
"memref.global"() <{sym_name = "weights", sym_visibility = "private", type = memref<8xi8>, initial_value = dense<1> : tensor<8xi8>, constant}> : () -> ()
func.func private @scale(%w: memref<8xi8>, %x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %w[%i] : memref<8xi8>
    %b = memref.load %x[%i] : memref<8xi8>
    %c = arith.muli %a, %b : i8
    memref.store %c, %y[%i] : memref<8xi8>
  }
  func.return
}
func.func @main(%x: memref<8xi8>, %y: memref<8xi8>) {
  %w = memref.get_global @weights : memref<8xi8>
  func.call @scale(%w, %x, %y) : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  func.return
}

// -----

// A window of three elements that reaches one back: when y[i] is written, x[i] is still to be read. Run
// from the last element to the first, the same holds from the other side.

// CHECK: func.func private @window({{.*}} %y: memref<10xi8> {pool.lead = [#pool.lead<0, 1>, #pool.lead<0, 1, above>]})
// INPLACE-LABEL: func.func private @window
// INPLACE-NOT: pool.lead
func.func private @window(%x: memref<10xi8>, %y: memref<10xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0 : i8
  scf.for %i = %c0 to %c10 step %c1 {
    %back = arith.subi %i, %c1 : index
    %first = arith.maxsi %back, %c0 : index
    %next = arith.addi %i, %c2 : index
    %end = arith.minsi %next, %c10 : index
    %sum = scf.for %k = %first to %end step %c1 iter_args(%acc = %zero) -> (i8) {
      %v = memref.load %x[%k] : memref<10xi8>
      %s = arith.addi %acc, %v : i8
      scf.yield %s : i8
    }
    memref.store %sum, %y[%i] : memref<10xi8>
  }
  func.return
}

// -----

// Widening: four bytes are written where one was read, so the output has to begin 3 * 7 bytes below;
// or anywhere above, if the last element comes first.

// CHECK: func.func private @widen({{.*}} %y: memref<8xi32> {pool.lead = [#pool.lead<0, 21>, #pool.lead<0, 0, above>]})
func.func private @widen(%x: memref<8xi8>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %x[%i] : memref<8xi8>
    %b = arith.extsi %a : i8 to i32
    memref.store %b, %y[%i] : memref<8xi32>
  }
  func.return
}

// -----

// A dense layer needs all of its input for each output: the output fits below the input, or nowhere near it.

// CHECK: func.func private @dense({{.*}} %y: memref<4xi8> {pool.lead = [#pool.lead<0, 3>, #pool.lead<0, 5, above>]})
func.func private @dense(%x: memref<6xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0 : i8
  scf.for %o = %c0 to %c4 step %c1 {
    %sum = scf.for %i = %c0 to %c6 step %c1 iter_args(%acc = %zero) -> (i8) {
      %v = memref.load %x[%i] : memref<6xi8>
      %s = arith.addi %acc, %v : i8
      scf.yield %s : i8
    }
    memref.store %sum, %y[%o] : memref<4xi8>
  }
  func.return
}

// -----

// The order of a gather through a table is not known; a copy with memref.copy has no elements in order.

// CHECK-LABEL: func.func private @gather
// CHECK-NOT: pool.lead
func.func private @gather(%x: memref<8xi8>, %at: memref<8xindex>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %j = memref.load %at[%i] : memref<8xindex>
    %a = memref.load %x[%j] : memref<8xi8>
    memref.store %a, %y[%i] : memref<8xi8>
  }
  func.return
}
func.func private @copied(%x: memref<8xi8>, %y: memref<8xi8>) {
  "memref.copy"(%x, %y) : (memref<8xi8>, memref<8xi8>) -> ()
  func.return
}

// -----

// C compilers assume that objects of different types do not share bytes, characters aside.

// CHECK-LABEL: func.func private @punned
// CHECK-NOT: pool.lead
func.func private @punned(%x: memref<8xi32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %x[%i] : memref<8xi32>
    %b = arith.sitofp %a : i32 to f32
    memref.store %b, %y[%i] : memref<8xf32>
  }
  func.return
}
