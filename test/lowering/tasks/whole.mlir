// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// The zero point is in where sums start that nothing is left out of: the bias less the sum of the weights times 2.
// CHECK: sym_name = "b_whole", type = memref<2xi32>, initial_value = dense<[88, 224]>
"memref.global"() <{sym_name = "w", type = memref<3x2xi8>, initial_value = dense<[[1, -2], [2, -4], [3, -6]]> : tensor<3x2xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<2xi32>, initial_value = dense<[100, 200]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()

// CHECK-LABEL: func.func private @depthwise(%input: memref<6x2xi8>, %filter: memref<3x2xi8>, %bias: memref<2xi32>, %output: memref<6x2xi32>, %whole: memref<2xi32>)
// CHECK:      %x0 = arith.subi %ox, %c1
// CHECK:      %[[LEFT:.*]] = arith.cmpi sge, %ox, %c1
// CHECK-NEXT: %[[RIGHT:.*]] = arith.cmpi slt, %ox, %c5
// CHECK-NEXT: %[[INSIDE:.*]] = arith.andi %[[LEFT]], %[[RIGHT]] : i1
// CHECK-NEXT: scf.if %[[INSIDE]] {
// No loop over the window, and elements with their zero point.
// CHECK-NEXT:   scf.for %oc
// CHECK-NEXT:     memref.load %whole[%oc]
// CHECK-NOT:      subi
// CHECK-NOT:      scf.for
// CHECK-COUNT-3:  arith.muli
// CHECK-NOT:      arith.muli
// CHECK:          memref.store
// CHECK:      } else {
// CHECK-NEXT:   scf.for %oc
// CHECK-NEXT:     memref.load %bias[%oc
// CHECK-NEXT:     scf.for %kx = %kx_begin to %kx_end
// CHECK:            arith.subi %{{.*}}, %c2
func.func private @depthwise(%input: memref<6x2xi8>, %filter: memref<3x2xi8>, %bias: memref<2xi32>, %output: memref<6x2xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 6, oc = 2) fold(kx = 3) where(x0 = ox - 1, ix = x0 + kx)
    start (%acc = %bias[oc] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ix, oc] : memref<6x2xi8>, %weight = %filter[kx, oc] : memref<3x2xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %c2 overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<6x2xi32>)
    schedule <whole>
  func.return
}

// Nothing is ever clipped: there is one code. What is multiplied is no constant: the zero point stays.
// CHECK-LABEL: func.func @product
// CHECK-NOT:     scf.if
// CHECK-COUNT-2: arith.subi
// CHECK-NOT:     arith.subi
// CHECK:         memref.store
func.func @product(%input: memref<6x2xi8>, %filter: memref<2xi8>, %output: memref<6xi32>) {
  %c2 = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  task.nest space(i = 6) fold(k = 2)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[i, k] : memref<6x2xi8>, %weight = %filter[k] : memref<2xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %c2 overflow<nsw> : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %3 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[i] : memref<6xi32>)
    schedule <whole>
  func.return
}

func.func @main(%input: memref<6x2xi8>, %output: memref<6x2xi32>) {
  %w = memref.get_global @w : memref<3x2xi8>
  %b = memref.get_global @b : memref<2xi32>
  func.call @depthwise(%input, %w, %b, %output) : (memref<6x2xi8>, memref<3x2xi8>, memref<2xi32>, memref<6x2xi32>) -> ()
  func.return
}
