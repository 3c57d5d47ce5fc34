// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// Four bytes of a window's six are read as one word, so that two words for four channels side by side are (1, 3), (2, 4)
// and (5, 6) of the first channel and so on; a bias less the sum of its weights times the zero point.
// CHECK: sym_name = "w_packed", type = memref<12xi32>, initial_value = dense<[196609, -131073, 7, 0, 262146, -196610, 0, 0, 393221, -327685, 0, 524288]>
// CHECK: sym_name = "b_packed", type = memref<4xi32>, initial_value = dense<[58, 242, 286, 384]>

// CHECK-LABEL: func.func private @conv(%input: memref<6x3xi8>, %filter: memref<12xi32>, %bias: memref<4xi32>, %output: memref<6x4xi32>)
// Words of two points side by side: what is clipped is the zero point.
// CHECK: %lanes = memref.alloc() {{.*}} : memref<6xi32>
// CHECK: scf.for %ox_o
// CHECK:   scf.for %ox_i
// CHECK:     arith.cmpi sge
// CHECK:     scf.if
// CHECK:       %bytes = simd.load_bytes %{{.*}} : memref<18xi8>
// CHECK:       simd.unpack_even %bytes
// CHECK:       simd.unpack_odd %bytes
// CHECK:       simd.pack
// CHECK:     } else {
// CHECK:       arith.cmpi ult
// CHECK:       scf.yield %c2
// The tile is one operation, whose sums start from the biases where they lie.
// CHECK:   %sums = memref.alloca() : memref<8xi32>
// CHECK-NEXT: simd.dual_products %lanes[%c0{{.*}}] 3 unroll 1, %filter[%c0{{.*}}], %bias[%c0{{.*}}], %sums :
// CHECK-COUNT-8: memref.load %sums
// CHECK-COUNT-8: memref.store {{.*}}, %output

// One that starts from what is computed has that put side by side.
// CHECK-LABEL: func.func private @computed
// CHECK: %starts = memref.alloca() : memref<4xi32>
// CHECK-COUNT-4: memref.store {{.*}}, %starts
// CHECK: simd.dual_products {{.*}}, %starts[%c0
// A single pixel is left, of which there are four sums.
// CHECK: simd.dual_products %lanes[%c0{{.*}}] 1 unroll 1, {{.*}} : memref<2xi32>, memref<4xi32>, memref<4xi32>, memref<4xi32>

// A window larger than what it slides over: every point is clipped, and of constant places it is known which.
// CHECK-LABEL: func.func private @larger
// CHECK-NOT: scf.if
// CHECK: simd.pack %c2, %
// CHECK-NOT: scf.if
// CHECK: func.return
"memref.global"() <{sym_name = "w", type = memref<4x2x3xi8>, initial_value = dense<[[[1, 2, 3], [4, 5, 6]], [[-1, -2, -3], [-4, -5, -6]], [[7, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 8]]]> : tensor<4x2x3xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "v", type = memref<4x4xi8>, initial_value = dense<1> : tensor<4x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "c", type = memref<4xi32>, initial_value = dense<1> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<4xi32>, initial_value = dense<[100, 200, 300, 400]> : tensor<4xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @conv(%input: memref<6x3xi8>, %filter: memref<4x2x3xi8>, %bias: memref<4xi32>, %output: memref<6x4xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 6, oc = 4) fold(kx = 2, ic = 3) where(ix = ox + kx - 1)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ix, ic] : memref<6x3xi8>, %weight = %filter[oc, kx, ic] : memref<4x2x3xi8>) into (%acc_1: i32) {
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
    writes (%output[ox, oc] : memref<6x4xi32>)
    schedule <split ox 2, order (ox_o, ox_i, oc, kx, ic), jam ox_i, jam oc, dual 2 1>
  func.return
}

func.func private @computed(%input: memref<3x2xi8>, %filter: memref<4x2xi8>, %output: memref<3x4xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 3, oc = 4) fold(ic = 2)
    start () {
      task.yield %c2 : i32
    }
    step (%value = %input[ox, ic] : memref<3x2xi8>, %weight = %filter[oc, ic] : memref<4x2xi8>) into (%acc_1: i32) {
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
    writes (%output[ox, oc] : memref<3x4xi32>)
    schedule <split ox 2, order (ox_o, ox_i, oc, ic), jam ox_i, jam oc, dual 1 1>
  func.return
}

func.func private @larger(%input: memref<2xi8>, %filter: memref<4x4xi8>, %bias: memref<4xi32>, %output: memref<1x4xi32>) {
  %c2 = arith.constant 2 : i32
  task.nest space(ox = 1, oc = 4) fold(kx = 4) where(ix = ox + kx - 1)
    start (%acc = %bias[oc] : memref<4xi32>) {
      task.yield %acc : i32
    }
    step (%value = clip %input[ix] : memref<2xi8>, %weight = %filter[oc, kx] : memref<4x4xi8>) into (%acc_1: i32) {
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
    writes (%output[ox, oc] : memref<1x4xi32>)
    schedule <order (ox, oc, kx), jam oc, dual 1 1>
  func.return
}

"memref.global"() <{sym_name = "u", type = memref<4x2xi8>, initial_value = dense<3> : tensor<4x2xi8>, sym_visibility = "private", constant}> : () -> ()
func.func @other(%input: memref<3x2xi8>, %output: memref<3x4xi32>) {
  %u = memref.get_global @u : memref<4x2xi8>
  func.call @computed(%input, %u, %output) : (memref<3x2xi8>, memref<4x2xi8>, memref<3x4xi32>) -> ()
  func.return
}

func.func @main(%small: memref<2xi8>, %little: memref<1x4xi32>, %input: memref<6x3xi8>, %output: memref<6x4xi32>) {
  %v = memref.get_global @v : memref<4x4xi8>
  %c = memref.get_global @c : memref<4xi32>
  func.call @larger(%small, %v, %c, %little) : (memref<2xi8>, memref<4x4xi8>, memref<4xi32>, memref<1x4xi32>) -> ()
  %w = memref.get_global @w : memref<4x2x3xi8>
  %b = memref.get_global @b : memref<4xi32>
  func.call @conv(%input, %w, %b, %output) : (memref<6x3xi8>, memref<4x2x3xi8>, memref<4xi32>, memref<6x4xi32>) -> ()
  func.return
}
