// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// Bytes without a sign that are read with one take 16 bits: 200 is no signed byte.
// CHECK: sym_name = "w_packed", type = memref<4xi16>, initial_value = dense<[1, 3, 200, 255]>
// CHECK: memref.load %filter{{.*}} : memref<4xi16>
// CHECK-NEXT: arith.extsi {{.*}} : i16 to i32
"memref.global"() <{sym_name = "w", type = memref<2x2xi8>, initial_value = dense<[[1, -56], [3, -1]]> : tensor<2x2xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @product(%input: memref<3x2xi8>, %filter: memref<2x2xi8>, %output: memref<3x2xi32>) {
  %c0 = arith.constant 0 : i32
  task.nest space(row = 3, oc = 2) fold(ic = 2)
    start () {
      task.yield %c0 : i32
    }
    step (%value = %input[row, ic] : memref<3x2xi8>, %weight = %filter[oc, ic] : memref<2x2xi8>) into (%acc: i32) {
      %0 = arith.extui %value : i8 to i32
      %1 = arith.extui %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %next = arith.addi %acc, %2 overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[row, oc] : memref<3x2xi32>)
    schedule <order (row, oc, ic), jam oc, single 1 1>
  func.return
}

func.func @main(%input: memref<3x2xi8>, %output: memref<3x2xi32>) {
  %w = memref.get_global @w : memref<2x2xi8>
  func.call @product(%input, %w, %output) : (memref<3x2xi8>, memref<2x2xi8>, memref<3x2xi32>) -> ()
  func.return
}
