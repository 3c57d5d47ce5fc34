// RUN: stillpool-opt %s -p split-rows{segments=0-1} | filecheck %s

// A transposed convolution with a stride of 2 and three taps: which rows of the input reach a row of the result is said
// by the filter's index, which is clipped. Even rows between edges have two, odd ones one; all of a kind have one function.
// CHECK:      func.func private @wide_row_0(%in: memref<1x4xi8>, %w: memref<3xi8>, %out: memref<1x4xi32>)
// CHECK:        clip %w[-2 * iy] : memref<3xi8>
// CHECK:      func.func private @wide_row_1(%in: memref<1x4xi8>, %w: memref<3xi8>, %out: memref<1x4xi32>)
// CHECK:        clip %w[-2 * iy + 1] : memref<3xi8>
// CHECK:      func.func private @wide_row_2(%in: memref<1x4xi8>, %in_1: memref<1x4xi8>, %w: memref<3xi8>, %out: memref<1x4xi32>)
// CHECK:        %[[BOTH:.*]] = task.join 0 of %in, %in_1
// CHECK:        fold(iy = 2)
// CHECK:        %[[BOTH]][iy, x] : memref<2x4xi8>, {{.*}} = clip %w[-2 * iy + 2] : memref<3xi8>
// CHECK-NOT:  @wide_row_3

func.func private @same(%in: memref<3x4xi8>, %out: memref<3x4xi8>) {
  task.nest space(y = 3, x = 4)
    finish (%v = %in[y, x] : memref<3x4xi8>) {
      %0 = arith.addi %v, %v : i8
      task.yield %0 : i8
    }
    writes (%out[y, x] : memref<3x4xi8>)
  func.return
}

func.func private @wide(%in: memref<3x4xi8>, %w: memref<3xi8>, %out: memref<6x4xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(oy = 6, x = 4) fold(iy = 3) where(ky = oy + -2 * iy)
    start () {
      task.yield %zero : i32
    }
    step (%v = %in[iy, x] : memref<3x4xi8>, %u = clip %w[ky] : memref<3xi8>) into (%acc: i32) {
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.extsi %u : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      task.yield %3 : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%out[oy, x] : memref<6x4xi32>)
  func.return
}

memref.global constant @weights : memref<3xi8> = dense<[1, 2, 1]>

func.func @main(%x: memref<3x4xi8> {pool.io = "input"}, %y: memref<6x4xi32> {pool.io = "output"}) {
  %w = memref.get_global @weights : memref<3xi8>
  %a = memref.alloc() : memref<3x4xi8>
  func.call @same(%x, %a) : (memref<3x4xi8>, memref<3x4xi8>) -> ()
  func.call @wide(%a, %w, %y) : (memref<3x4xi8>, memref<3xi8>, memref<6x4xi32>) -> ()
  func.return
}
