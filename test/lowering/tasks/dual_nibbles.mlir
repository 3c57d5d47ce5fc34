// RUN: stillpool-opt %s -p lower-tasks --split-input-file | filecheck %s

// A half of a word has one point of four channels, the first in its lowest nibble: 1, -1, 7, -8 are 0x87f1, and 0x87d3
// those two points further, as bytes of a word are taken apart. The sums of lanes are 4096 times too large; the bias is
// added when they are shifted back.
// CHECK: sym_name = "w_packed", type = memref<2xi32>, initial_value = dense<[-2016180239, -2017163294]>

// CHECK-LABEL: func.func private @conv
// CHECK: scf.for %block = %c0{{.*}} to %c2
// CHECK: %w0 = memref.load %filter
// CHECK-NEXT: [[FIRST:%.*]] = simd.unpack_nibbles %w0 0
// CHECK-NEXT: simd.dual_multiply_add %x0, [[FIRST]]
// CHECK-NEXT: [[SECOND:%.*]] = simd.unpack_nibbles %w0 1
// CHECK-NEXT: simd.dual_multiply_add %x0, [[SECOND]]
// CHECK: [[SUM:%.*]] = arith.shrsi %acc{{.*}}, %c12_i32
// CHECK-NEXT: arith.addi [[SUM]], %{{.*}} : i32
"memref.global"() <{sym_name = "w", type = memref<4x4xi8>, initial_value = dense<[[1, 2, 3, 4], [-1, -2, -3, -4], [7, 7, 7, 7], [-8, -8, -8, -8]]> : tensor<4x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<4xi32>, initial_value = dense<[100, 200, 300, 400]> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<6x4xi8>, %filter: memref<4x4xi8>, %bias: memref<4xi32>, %output: memref<6x4xi32>) {
  task.nest space(ox = 6, oc = 4) fold(ic = 4)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ox, ic] : memref<6x4xi8>, %weight = %filter[oc, ic] : memref<4x4xi8>) into (%acc_1: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %acc_2 = arith.addi %acc_1, %2 overflow<nsw> : i32
      task.yield %acc_2 : i32
    }
    finish () of (%acc_3: i32) {
      task.yield %acc_3 : i32
    }
    writes (%output[ox, oc] : memref<6x4xi32>)
    schedule <order (ox, oc, ic), jam oc, dual 1 1 nibbles>
  func.return
}

func.func @main(%x: memref<6x4xi8>, %y: memref<6x4xi32>) {
  %w = memref.get_global @w : memref<4x4xi8>
  %b = memref.get_global @b : memref<4xi32>
  func.call @conv(%x, %w, %b, %y) : (memref<6x4xi8>, memref<4x4xi8>, memref<4xi32>, memref<6x4xi32>) -> ()
  func.return
}

// -----

// Where sums of elements of 16 bits may take more than 20, lanes are 16 times the weights: bytes whose upper half they are.
// CHECK-LABEL: func.func private @wide
// CHECK: %w0 = memref.load %filter
// CHECK: [[SHIFTED:%.*]] = arith.shli %w0, %c4_i32
// CHECK: %nibbles0 = arith.andi [[SHIFTED]], %c-252645136_i32
// CHECK-NEXT: simd.unpack_even %nibbles0
// CHECK: %nibbles1 = arith.andi %w0, %c-252645136_i32
// CHECK-NEXT: simd.unpack_even %nibbles1
// CHECK: arith.shrsi %acc{{.*}}, %c4_i32
"memref.global"() <{sym_name = "w", type = memref<2x4xi8>, initial_value = dense<[[1, 2, 3, 4], [-8, -8, -8, -8]]> : tensor<2x4xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @wide(%input: memref<4xi16>, %filter: memref<2x4xi8>, %output: memref<2xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(oc = 2) fold(ic = 4)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[ic] : memref<4xi16>, %weight = %filter[oc, ic] : memref<2x4xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i16 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %next = arith.addi %acc, %2 overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[oc] : memref<2xi32>)
    schedule <jam oc, dual 1 1 nibbles>
  func.return
}

func.func @main(%x: memref<4xi16>, %y: memref<2xi32>) {
  %w = memref.get_global @w : memref<2x4xi8>
  func.call @wide(%x, %w, %y) : (memref<4xi16>, memref<2x4xi8>, memref<2xi32>) -> ()
  func.return
}
