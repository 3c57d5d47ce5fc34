// RUN: stillpool-opt %s -p lower-tasks | filecheck %s

// For every four fold points those of sixteen channels, of which there are two; the zero point is in where sums start.
// CHECK: sym_name = "w_packed", type = memref<192xi8>, initial_value = dense<"0x01020304FFFEFDFC0000{{0+}}05060708FBFAF9F80000{{0+}}090A0B0CF7F6F5F40000{{0+}}">
// CHECK: sym_name = "b_packed", type = memref<2xi32>, initial_value = dense<[-56, 356]>

// Start, every place of the fold, and finish are loops over the channels, whose sums are an array.
// CHECK-LABEL: func.func private @apart
// CHECK: scf.for %ox
// CHECK: %sums = memref.alloca() : memref<6xi32>
// CHECK: scf.for %c =
// CHECK-NEXT: memref.store %zero, %sums[%c]
// CHECK: scf.for %kx
// CHECK-NEXT: scf.for %c_1
// CHECK-NEXT: memref.load %sums[%c_1]
// CHECK: memref.store %next, %sums[%c_1]
// CHECK: scf.for %c_2
// CHECK-NEXT: [[ACC:%[a-z0-9_]+]] = memref.load %sums[%c_2]
// CHECK-NEXT: memref.store [[ACC]], %y[%ox, %c_2]

// Where nothing is clipped, bytes are multiplied where they lie; elsewhere in a copy with zero points.
// CHECK-LABEL: func.func private @dots
// CHECK: %line = memref.alloc() {{.*}} : memref<16xi8>
// CHECK: scf.for %ox
// CHECK: scf.if
// CHECK: %sums = memref.alloca() : memref<16xi32>
// CHECK: memref.store %bias, %sums[%c]
// CHECK: scf.for %filled = %c2 to %c16
// CHECK: memref.collapse_shape %x
// CHECK-NEXT: simd.add_dot_products %x_1[{{.*}}] [1, 1] by [0, 0] of 12, %w[%c0], %sums :
// CHECK: } else {
// CHECK: simd.load_sixteen {{.*}} 4 : memref<20xi8>
// CHECK: simd.sixteen_of 2
// CHECK: simd.add_dot_products %line[%c0] [1, 1] by [12, 12] of 12, %w[%c0], %sums_1 :
// CHECK: {likely}
"memref.global"() <{sym_name = "w", type = memref<2x3x4xi8>, initial_value = dense<[[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], [[-1, -2, -3, -4], [-5, -6, -7, -8], [-9, -10, -11, -12]]]> : tensor<2x3x4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "b", type = memref<2xi32>, initial_value = dense<[100, 200]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()

func.func private @apart(%x: memref<8x6xi8>, %y: memref<4x6xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(ox = 4, c = 6) fold(kx = 3)
    start () {
      task.yield %zero : i32
    }
    step (%value = clip %x[ox * 2 + kx - 1, c] : memref<8x6xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %next = arith.addi %acc, %0 : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%y[ox, c] : memref<4x6xi32>)
    schedule <expand c>
  func.return
}

func.func private @dots(%x: memref<5x4xi8>, %y: memref<5x2xi32>) {
  %zp = arith.constant 2 : i32
  %w = memref.get_global @w : memref<2x3x4xi8>
  %b = memref.get_global @b : memref<2xi32>
  task.nest space(ox = 5, c = 2) fold(kx = 3, k = 4)
    start (%bias = %b[c] : memref<2xi32>) {
      task.yield %bias : i32
    }
    step (%value = clip %x[ox + kx - 1, k] : memref<5x4xi8>, %weight = %w[c, kx, k] : memref<2x3x4xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.subi %0, %zp : i32
      %2 = arith.extsi %weight : i8 to i32
      %3 = arith.muli %1, %2 : i32
      %next = arith.addi %acc, %3 : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%y[ox, c] : memref<5x2xi32>)
    schedule <expand c dots>
  func.return
}
