// RUN: stillpool-opt -p "usmp{io=all}" %s | filecheck %s
// RUN: stillpool-opt -p "usmp-io-allocs,usmp-assign-pools,usmp-overlap,usmp-plan,usmp-overlap,usmp-plan,usmp-check" %s | filecheck %s --check-prefix AGAIN

// Two windows, one after the other, that need a byte between output and input. Forwards both times the data would move
// down by two bytes; the second call runs backwards and moves it up again, so that 11 bytes do.

func.func private @window(%x: memref<10xi8>, %y: memref<10xi8>) attributes {nn.comment = "sums"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
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
func.func @model(%in: memref<10xi8> {nn.name = "in"}, %out: memref<10xi8> {nn.name = "out"}) {
  %a = memref.alloc() : memref<10xi8>
  func.call @window(%in, %a) : (memref<10xi8>, memref<10xi8>) -> ()
  func.call @window(%a, %out) : (memref<10xi8>, memref<10xi8>) -> ()
  func.return
}

// CHECK:      pool.declare @workspace workspace size 11 lower_bound 11
// CHECK:      func.func private @window(%x: memref<10xi8>, %y: memref<10xi8> {{.*}}) attributes {nn.comment = "sums"}
// CHECK:      func.func private @window_backwards({{.*}}) attributes {nn.comment = "sums; backwards, for its output overlaps the input from above", pool.backwards}
// CHECK:        scf.for %i_done = %c0 to %c10 step %c1 {
// CHECK-NEXT:     %0 = arith.constant 9 : index
// CHECK-NEXT:     %i = arith.subi %0, %i_done : index
// CHECK:          scf.for %k = %first to %end step %c1
// CHECK:          memref.store %sum, %y[%i] : memref<10xi8>
// CHECK:      func.func @model(%workspace: memref<11xi8> {pool.pool = @workspace}) {
// CHECK:        func.call @window(
// CHECK-NEXT:   func.call @window_backwards(

// Planned again, with one of the functions turned already, the plan is the same.

// AGAIN:      pool.declare @workspace workspace size 11 lower_bound 11
// AGAIN:      func.func private @window_backwards({{.*}} %y: memref<10xi8> {pool.lead = [#pool.lead<0, 1>, #pool.lead<0, 1, above>]})
// AGAIN:        func.call @window(
// AGAIN-NEXT:   func.call @window_backwards(
