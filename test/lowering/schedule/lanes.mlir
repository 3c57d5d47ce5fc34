// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m55},schedule{cpu=cortex-m55}" | filecheck %s
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m55 optimize=size},schedule{cpu=cortex-m55}" | filecheck %s --check-prefix SIZE
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m33},schedule{cpu=cortex-m33}" | filecheck %s --check-prefix WORDS

// Where there are vectors, sixteen products at once, or four channels in lanes.
// CHECK-LABEL: func.func private @dense
// CHECK: schedule <split c 4, order (ox, c_o, c_i, k), jam c_i, lanes 16>
// CHECK-LABEL: func.func private @pool
// CHECK: schedule <split c 4, order (ox, c_o, c_i, kx), jam c_i, whole, lanes>
// CHECK-LABEL: func.func private @elements
// CHECK: schedule <split i 4, order (i_o, i_i), jam i_i, lanes>
// Sixteen bits do not lie in bytes: words of two lanes.
// CHECK-LABEL: func.func private @wide
// CHECK: schedule <{{.*}}dual
// SIZE-NOT: schedule <
// WORDS-NOT: lanes
"memref.global"() <{sym_name = "w", type = memref<6x8xi8>, initial_value = dense<1> : tensor<6x8xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "v", type = memref<6x8xi8>, initial_value = dense<1> : tensor<6x8xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @dense(%x: memref<3x8xi8>, %w: memref<6x8xi8>, %y: memref<3x6xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(ox = 3, c = 6) fold(k = 8)
    start () {
      task.yield %zero : i32
    }
    step (%value = %x[ox, k] : memref<3x8xi8>, %weight = %w[c, k] : memref<6x8xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%y[ox, c] : memref<3x6xi32>)
  func.return
}

func.func private @pool(%x: memref<8x6xi8>, %y: memref<4x6xi8>) {
  %least = arith.constant -128 : i8
  task.nest space(ox = 4, c = 6) fold(kx = 2)
    start () {
      task.yield %least : i8
    }
    step (%value = %x[2 * ox + kx, c] : memref<8x6xi8>) into (%acc: i8) {
      %next = arith.maxsi %acc, %value : i8
      task.yield %next : i8
    }
    finish () of (%most: i8) {
      task.yield %most : i8
    }
    writes (%y[ox, c] : memref<4x6xi8>)
  func.return
}

func.func private @elements(%x: memref<6xi8>, %y: memref<6xi8>) {
  %least = arith.constant 3 : i8
  task.nest space(i = 6)
    finish (%v = %x[i] : memref<6xi8>) {
      %0 = arith.maxsi %v, %least : i8
      task.yield %0 : i8
    }
    writes (%y[i] : memref<6xi8>)
  func.return
}

func.func private @wide(%x: memref<3x8xi16>, %w: memref<6x8xi8>, %y: memref<3x6xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(ox = 3, c = 6) fold(k = 8)
    start () {
      task.yield %zero : i32
    }
    step (%value = %x[ox, k] : memref<3x8xi16>, %weight = %w[c, k] : memref<6x8xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i16 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %next = arith.addi %acc, %2 : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%y[ox, c] : memref<3x6xi32>)
  func.return
}

func.func @run(%x: memref<3x8xi8>, %wide: memref<3x8xi16>, %a: memref<3x6xi32>, %b: memref<3x6xi32>, %p: memref<8x6xi8>, %q: memref<4x6xi8>, %s: memref<6xi8>, %t: memref<6xi8>) {
  %w = memref.get_global @w : memref<6x8xi8>
  %v = memref.get_global @v : memref<6x8xi8>
  func.call @dense(%x, %w, %a) : (memref<3x8xi8>, memref<6x8xi8>, memref<3x6xi32>) -> ()
  func.call @wide(%wide, %v, %b) : (memref<3x8xi16>, memref<6x8xi8>, memref<3x6xi32>) -> ()
  func.call @pool(%p, %q) : (memref<8x6xi8>, memref<4x6xi8>) -> ()
  func.call @elements(%s, %t) : (memref<6xi8>, memref<6xi8>) -> ()
  func.return
}
