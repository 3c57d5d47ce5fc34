// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// For every sixteen fold points those of four channels, what lacks zero; the zero point is in where sums start.
// CHECK: sym_name = "w_packed", type = memref<64xi8>, initial_value = dense<[1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -2, -3, -4, -5, -6, 0,
// CHECK: sym_name = "b_packed", type = memref<2xi32>, initial_value = dense<[58, 242]>
// What is read across a dimension, in blocks of four points, the lanes innermost.
// CHECK: sym_name = "r_packed", type = memref<16xi32>, initial_value = dense<[1, 3, 5, 7, 2, 4, 6, 8, 9, 11, 0, 0, 10, 12, 0, 0]>

// Bytes that lie side by side in memory are multiplied where they are; two channels need no loop.
// CHECK-LABEL: func.func private @products
// CHECK-NOT: memref.alloc
// CHECK: scf.for %ox
// CHECK: %input_1 = memref.collapse_shape %input {{.*}} : memref<6x3xi8> into memref<18xi8>
// CHECK: [[SUMS:%[a-z0-9_]+]] = simd.sum_products %input_1[{{.*}}] 6, %filter[%c0], %acc, %acc_1, %c0_i32, %c0_i32 : memref<18xi8>, memref<64xi8>
// CHECK-NEXT: simd.store_lanes [[SUMS]], %output[%ox, %c0] 2 : memref<5x2xi32>

// What is clipped is the zero point in a copy: all three bytes of a point, or the whole run of six where none is.
// CHECK-LABEL: func.func private @clipped
// CHECK: %line = memref.alloc() {{.*}} : memref<16xi8>
// CHECK: simd.sixteen_of 0
// CHECK-NEXT: simd.store_sixteen {{.*}}, %line[%c6] 10
// CHECK: scf.for %ox
// CHECK: simd.load_sixteen {{.*}} 6 : memref<18xi8>
// CHECK-NEXT: simd.store_sixteen {{.*}}, %line[%c0] 6
// CHECK: scf.for %kx
// CHECK: simd.load_sixteen {{.*}} 3 : memref<18xi8>
// CHECK: simd.sixteen_of 2
// CHECK: simd.sum_products %line[%c0] 16

// Regions compute with lanes; what does not depend on them is a scalar. The last two of six are a part of a vector.
// CHECK-LABEL: func.func private @elements
// CHECK: simd.load_lanes %x[%c0] 4 : memref<6xi8>
// CHECK: simd.load_lanes %r[{{.*}}] 4 : memref<16xi32>
// CHECK: [[ONE:%[a-z0-9_]+]] = memref.load %one
// CHECK: simd.lanes_doubled_high
// CHECK: simd.lanes_of [[ONE]]
// CHECK: simd.lanes_shift_right
// CHECK: simd.lanes_maximum
// CHECK: simd.lanes_minimum
// CHECK: simd.store_lanes {{.*}} 4 : memref<6xi8>
// CHECK: simd.load_lanes %x[%c4] 2 : memref<6xi8>
// CHECK: simd.load_lanes %r[%c8] 4 : memref<16xi32>
// CHECK: simd.store_lanes {{.*}} 2 : memref<6xi8>

// A whole window over channels is one operation, with the weights in the order of its points; two channels are left.
// CHECK-LABEL: func.func private @depthwise
// CHECK: scf.for %ox
// CHECK: [[START:%[a-z0-9_]+]] = simd.load_lanes %whole[%c0] 4
// CHECK-NEXT: simd.sum_window %x[{{.*}}, %c0] [1, 3] [0, 6] [3, 4], %filter[%c0], [[START]] : memref<8x6xi8>, memref<24xi8>
// CHECK: simd.load_lanes %x{{.*}} 2 : memref<8x6xi8>
"memref.global"() <{sym_name = "w", type = memref<2x2x3xi8>, initial_value = dense<[[[1, 2, 3], [4, 5, 6]], [[-1, -2, -3], [-4, -5, -6]]]> : tensor<2x2x3xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<2xi32>, initial_value = dense<[100, 200]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "v", type = memref<2x2x3xi8>, initial_value = dense<1> : tensor<2x2x3xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "c", type = memref<2xi32>, initial_value = dense<[100, 200]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "r", type = memref<6x2xi32>, initial_value = dense<[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]]> : tensor<6x2xi32>, sym_visibility = "private", constant}> : () -> ()

"memref.global"() <{sym_name = "d", type = memref<3x6xi8>, initial_value = dense<1> : tensor<3x6xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "e", type = memref<6xi32>, initial_value = dense<9> : tensor<6xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @products(%input: memref<6x3xi8>, %filter: memref<2x2x3xi8>, %bias: memref<2xi32>, %output: memref<5x2xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 5, oc = 2) fold(kx = 2, ic = 3) where(ix = ox + kx)
    start (%acc = %bias[oc] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %input[ix, ic] : memref<6x3xi8>, %weight = %filter[oc, kx, ic] : memref<2x2x3xi8>) into (%acc_1: i32) {
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
    writes (%output[ox, oc] : memref<5x2xi32>)
    schedule <order (ox, oc, kx, ic), jam oc, lanes 16>
  func.return
}

func.func private @clipped(%input: memref<6x3xi8>, %filter: memref<2x2x3xi8>, %bias: memref<2xi32>, %output: memref<7x2xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 7, oc = 2) fold(kx = 2, ic = 3) where(ix = ox + kx - 1)
    start (%acc = %bias[oc] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ix, ic] : memref<6x3xi8>, %weight = %filter[oc, kx, ic] : memref<2x2x3xi8>) into (%acc_1: i32) {
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
    writes (%output[ox, oc] : memref<7x2xi32>)
    schedule <jam oc, lanes 16>
  func.return
}

func.func private @elements(%x: memref<6xi8>, %r: memref<6x2xi32>, %one: memref<1xi32>, %y: memref<6xi8>) {
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  task.nest space(i = 6)
    finish (%v = %x[i] : memref<6xi8>, %m = %r[i, 0] : memref<6x2xi32>, %n = %r[i, 1] : memref<6x2xi32>, %k = %one[0] : memref<1xi32>) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.muli %0, %two overflow<nsw> : i32
      %2 = simd.multiply_high_add %1, %m, %zero
      %3 = arith.addi %2, %k : i32
      %4 = arith.shrsi %3, %n : i32
      %5 = simd.saturate %4 8
      %6 = arith.trunci %5 : i32 to i8
      task.yield %6 : i8
    }
    writes (%y[i] : memref<6xi8>)
    schedule <split i 4, jam i_i, lanes>
  func.return
}

func.func private @depthwise(%x: memref<8x6xi8>, %filter: memref<3x6xi8>, %bias: memref<6xi32>, %y: memref<6x6xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 6, c = 6) fold(kx = 3)
    start (%acc = %bias[c] : memref<6xi32>) {
      task.yield %acc : i32
    }
    step (%value = %x[ox + kx, c] : memref<8x6xi8>, %weight = %filter[kx, c] : memref<3x6xi8>) into (%acc_1: i32) {
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
    writes (%y[ox, c] : memref<6x6xi32>)
    schedule <split c 4, order (ox, c_o, c_i, kx), jam c_i, whole, lanes>
  func.return
}

func.func @run(%input: memref<6x3xi8>, %a: memref<5x2xi32>, %d: memref<7x2xi32>, %x: memref<6xi8>, %one: memref<1xi32>, %y: memref<6xi8>, %z: memref<8x6xi8>, %t: memref<6x6xi32>) {
  %w = memref.get_global @w : memref<2x2x3xi8>
  %b = memref.get_global @b : memref<2xi32>
  %v = memref.get_global @v : memref<2x2x3xi8>
  %c = memref.get_global @c : memref<2xi32>
  %r = memref.get_global @r : memref<6x2xi32>
  %g = memref.get_global @d : memref<3x6xi8>
  %h = memref.get_global @e : memref<6xi32>
  func.call @depthwise(%z, %g, %h, %t) : (memref<8x6xi8>, memref<3x6xi8>, memref<6xi32>, memref<6x6xi32>) -> ()
  func.call @products(%input, %w, %b, %a) : (memref<6x3xi8>, memref<2x2x3xi8>, memref<2xi32>, memref<5x2xi32>) -> ()
  func.call @clipped(%input, %v, %c, %d) : (memref<6x3xi8>, memref<2x2x3xi8>, memref<2xi32>, memref<7x2xi32>) -> ()
  func.call @elements(%x, %r, %one, %y) : (memref<6xi8>, memref<6x2xi32>, memref<1xi32>, memref<6xi8>) -> ()
  func.return
}
