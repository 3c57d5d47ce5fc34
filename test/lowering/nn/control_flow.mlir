// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// Branches write straight into the result's buffer; what is there already is copied.

// CHECK:      func.func @branch(
// CHECK-NEXT:   %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK-NEXT:   %[[FLAG:.*]] = memref.load %c[] : memref<i8>
// CHECK-NEXT:   %[[IS:.*]] = arith.cmpi ne, %[[FLAG]], %[[ZERO]] : i8
// CHECK-NEXT:   scf.if %[[IS]] {
// CHECK-NEXT:     func.call @add_0(%a, %a, %y)
// CHECK-NEXT:   } else {
// CHECK-NEXT:     "memref.copy"(%a, %y)
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @branch(%c: tensor<i1>, %a: tensor<2xf32>) -> tensor<2xf32> {
  %y = nn.cond_if %c then {
    %b = nn.add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    nn.yield %b : tensor<2xf32>
  } else {
    nn.yield %a : tensor<2xf32>
  } : (tensor<i1>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// -----

// Carried values live in the results' buffers. Of two that change places the one that is overwritten first steps aside.

// CHECK:      func.func @loop(
// CHECK-NEXT:   %[[D:.*]] = memref.alloc() {{.*}} : memref<1xi8>
// CHECK-NEXT:   "memref.copy"(%a, %x)
// CHECK-NEXT:   "memref.copy"(%b, %y)
// CHECK-NEXT:   "memref.copy"(%c, %[[D]])
// CHECK-NEXT:   scf.while () : () -> () {
// CHECK:          memref.load %[[D]]
// CHECK:          scf.condition
// CHECK-NEXT:   } do {
// CHECK-NEXT:     %[[W:.*]] = memref.alloc()
// CHECK-NEXT:     func.call @add_0(%x, %y, %[[W]])
// CHECK-NEXT:     %[[ASIDE:.*]] = memref.alloc()
// CHECK-NEXT:     "memref.copy"(%x, %[[ASIDE]])
// CHECK-NEXT:     "memref.copy"(%[[W]], %x)
// CHECK-NEXT:     "memref.copy"(%[[ASIDE]], %y)
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @loop(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<1xi1>) -> (tensor<2xf32>, tensor<2xf32>) {
  %x, %y, %d = nn.while_loop %a, %b, %c condition {
  ^bb0(%v: tensor<2xf32>, %u: tensor<2xf32>, %go: tensor<1xi1>):
    nn.yield %go : tensor<1xi1>
  } body {
  ^bb0(%v: tensor<2xf32>, %u: tensor<2xf32>, %go: tensor<1xi1>):
    %w = nn.add %v, %u : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    nn.yield %w, %v, %go : tensor<2xf32>, tensor<2xf32>, tensor<1xi1>
  } : (tensor<2xf32>, tensor<2xf32>, tensor<1xi1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<1xi1>)
  func.return %x, %y : tensor<2xf32>, tensor<2xf32>
}

// -----

// 3, 5, 7, 9 are below 10: four rounds, whatever the data.

// CHECK:      func.func @counted(
// CHECK:        %[[FOUR:.*]] = arith.constant 4 : index
// CHECK:        scf.for %{{.*}} = %{{.*}} to %[[FOUR]]
// CHECK:          func.call @add_0(
// CHECK:          func.call @add_1(
// CHECK-NOT:  scf.while
func.func @counted(%a: tensor<2xf32>) -> tensor<2xf32> {
  %start = nn.constant dense<3> : tensor<i32>
  %x, %n = nn.while_loop %a, %start condition {
  ^bb0(%v: tensor<2xf32>, %i: tensor<i32>):
    %ten = nn.constant dense<10> : tensor<i32>
    %go = nn.compare less %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    nn.yield %go : tensor<i1>
  } body {
  ^bb0(%v: tensor<2xf32>, %i: tensor<i32>):
    %two = nn.constant dense<2> : tensor<i32>
    %next = nn.add %two, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = nn.add %v, %v : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    nn.yield %w, %next : tensor<2xf32>, tensor<i32>
  } : (tensor<2xf32>, tensor<i32>) -> (tensor<2xf32>, tensor<i32>)
  func.return %x : tensor<2xf32>
}

// -----

// The states of a scan live in the results' buffers. A slice is copied before a round, what is stacked after it; in
// reverse the last slice comes first.

// CHECK:      func.func @scan(
// CHECK-NEXT:   "memref.copy"(%h, %last)
// CHECK:        scf.for %[[ROUND:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK:          %[[PLACE:.*]] = arith.subi %{{.*}}, %[[ROUND]] : index
// CHECK-NEXT:     %r = memref.alloc()
// CHECK:            memref.load %x[%[[PLACE]], %{{.*}}] : memref<9x2xf32>
// CHECK:          func.call @add_0(%last, %r, %n)
// CHECK:            memref.store %{{.*}}, %all[%[[PLACE]], %{{.*}}] : memref<9x2xf32>
// CHECK:          "memref.copy"(%n, %last)
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @scan(%h: tensor<2xf32>, %x: tensor<9x2xf32>) -> (tensor<2xf32>, tensor<9x2xf32>) {
  %last, %all = nn.scan initial(%h) over(%x) reverse body {
  ^bb0(%s: tensor<2xf32>, %r: tensor<2xf32>):
    %n = nn.add %s, %r : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    nn.yield %n, %n : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2xf32>), (tensor<9x2xf32>) -> (tensor<2xf32>, tensor<9x2xf32>)
  func.return %last, %all : tensor<2xf32>, tensor<9x2xf32>
}

// Of slices without elements nothing is copied.
// CHECK-LABEL: func.func @empty_slices
// CHECK: scf.for
// CHECK-NOT: memref.reinterpret_cast
// CHECK: func.return
func.func @empty_slices(%h: tensor<2xf32>, %x: tensor<3x0xf32>) -> tensor<2xf32> {
  %r = nn.scan initial(%h) over(%x) body {
  ^bb0(%s: tensor<2xf32>, %a: tensor<0xf32>):
    nn.yield %s : tensor<2xf32>
  } : (tensor<2xf32>), (tensor<3x0xf32>) -> (tensor<2xf32>)
  func.return %r : tensor<2xf32>
}
