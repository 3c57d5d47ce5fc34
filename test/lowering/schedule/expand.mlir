// RUN: stillpool-opt %s -p "prepare-tasks{cpu=host},schedule{cpu=host}" | filecheck %s
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=host},schedule{cpu=host},lower-tasks,usmp,emit-c" -t c | filecheck %s --check-prefix C

// Where compilers find vectors, the channels of a point in loops of their own, or dot products.
// CHECK-LABEL: func.func private @dense
// CHECK: schedule <expand c dots>
// CHECK-LABEL: func.func private @pool
// CHECK: schedule <expand c>
// CHECK-LABEL: func.func private @elements
// CHECK-NOT: schedule <
// CHECK-LABEL: func.func private @wide

// C: #if defined(__GNUC__) && defined(__AVX512F__) && defined(__AVX512VNNI__) && !defined(STILLPOOL_PORTABLE)
// C: STILLPOOL_DOTS void simd_add_dot_products(
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
