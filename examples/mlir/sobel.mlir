// A blur, then a Sobel edge over it, of a 20x24 image: written by hand as tasks, with schedules edited by hand.
//
//   xdsl-opt -p lower-tasks examples/mlir/sobel.mlir            prints the loops
//   xdsl-opt -p usmp,emit-c -t c examples/mlir/sobel.mlir       prints C
//   xdsl-opt -p split-rows,usmp,roll-rows,emit-c -t c examples/mlir/sobel.mlir
//                                                               prints C that blurs a row when an edge needs it
//
// A task says what is computed at each point of its space dimensions from all points of its fold dimensions; not in
// which order. The schedule says that, and changes no result: leave a step out, or change a number, and compare.

// Weights of the horizontal differences, and of the vertical ones.
"memref.global"() <{sym_name = "horizontal", type = memref<3x3xi8>, initial_value = dense<[[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]> : tensor<3x3xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "vertical", type = memref<3x3xi8>, initial_value = dense<[[-1, -2, -1], [0, 0, 0], [1, 2, 1]]> : tensor<3x3xi8>, sym_visibility = "private", constant}> : () -> ()

// The mean of the 3x3 pixels around each pixel, rounded toward zero. At the border taps outside of the image are left
// out: that read is clipped, and `task.taps` counts what remains. Rows run from the last to the first.
func.func private @blur(%in: memref<20x24xi8>, %out: memref<20x24xi8>) {
  %zero = arith.constant 0 : i32
  task.nest space(y = 20, x = 24) fold(ky = 3, kx = 3) where(y0 = y - 1, x0 = x - 1, iy = y0 + ky, ix = x0 + kx)
    start () {
      task.yield %zero : i32
    }
    step (%pixel = clip %in[iy, ix] : memref<20x24xi8>) into (%sum : i32) {
      %wide = arith.extsi %pixel : i8 to i32
      %next = arith.addi %sum, %wide overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      %taps = task.taps
      %count = arith.index_cast %taps : index to i32
      %mean = arith.divsi %sum, %count : i32
      %pixel = arith.trunci %mean : i32 to i8
      task.yield %pixel : i8
    }
    writes (%out[y, x] : memref<20x24xi8>)
    schedule <reverse y>
  func.return
}

// |horizontal| + |vertical|, at most 127, of the pixels that have eight neighbours. Two sums run side by side for four
// pixels of a row at a time, over the three taps of a row without a loop; the last two of 22 pixels are a tile of their
// own.
func.func private @sobel(%in: memref<20x24xi8>, %gx: memref<3x3xi8>, %gy: memref<3x3xi8>, %out: memref<18x22xi8>) {
  %zero = arith.constant 0 : i32
  %most = arith.constant 127 : i32
  task.nest space(y = 18, x = 22) fold(ky = 3, kx = 3)
    start () {
      task.yield %zero, %zero : i32, i32
    }
    step (%pixel = %in[y + ky, x + kx] : memref<20x24xi8>, %wx = %gx[ky, kx] : memref<3x3xi8>, %wy = %gy[ky, kx] : memref<3x3xi8>) into (%h : i32, %v : i32) {
      %p = arith.extsi %pixel : i8 to i32
      %a = arith.extsi %wx : i8 to i32
      %b = arith.extsi %wy : i8 to i32
      %pa = arith.muli %p, %a overflow<nsw> : i32
      %pb = arith.muli %p, %b overflow<nsw> : i32
      %h_next = arith.addi %h, %pa overflow<nsw> : i32
      %v_next = arith.addi %v, %pb overflow<nsw> : i32
      task.yield %h_next, %v_next : i32, i32
    }
    finish () of (%h : i32, %v : i32) {
      %h_negative = arith.subi %zero, %h overflow<nsw> : i32
      %v_negative = arith.subi %zero, %v overflow<nsw> : i32
      %h_size = arith.maxsi %h, %h_negative : i32
      %v_size = arith.maxsi %v, %v_negative : i32
      %size = arith.addi %h_size, %v_size overflow<nsw> : i32
      %clamped = arith.minsi %size, %most : i32
      %edge = arith.trunci %clamped : i32 to i8
      task.yield %edge : i8
    }
    writes (%out[y, x] : memref<18x22xi8>)
    schedule <split x 4, jam x_i, unroll kx>
  func.return
}

func.func @edges(%image: memref<20x24xi8>, %result: memref<18x22xi8>) {
  %gx = memref.get_global @horizontal : memref<3x3xi8>
  %gy = memref.get_global @vertical : memref<3x3xi8>
  %soft = memref.alloc() {pool.name = "soft", pool.kind = "activation"} : memref<20x24xi8>
  func.call @blur(%image, %soft) : (memref<20x24xi8>, memref<20x24xi8>) -> ()
  func.call @sobel(%soft, %gx, %gy, %result) : (memref<20x24xi8>, memref<3x3xi8>, memref<3x3xi8>, memref<18x22xi8>) -> ()
  func.return
}
