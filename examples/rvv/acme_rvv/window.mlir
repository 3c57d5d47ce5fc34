func.func @window(%sums: memref<16xi32>, %x: memref<3x3x16xi8>, %w: memref<3x3x16xi8>, %zero: i8) {
  task.nest space(c = 16) fold(ky = 3, kx = 3)
    start (%first = %sums[c] : memref<16xi32>) {
      task.yield %first : i32
    }
    step (%a = %x[ky, kx, c] : memref<3x3x16xi8>, %b = %w[ky, kx, c] : memref<3x3x16xi8>) into (%acc : i32) {
      %wide = arith.extsi %a : i8 to i32
      %wide_zero = arith.extsi %zero : i8 to i32
      %less = arith.subi %wide, %wide_zero : i32
      %weight = arith.extsi %b : i8 to i32
      %product = arith.muli %less, %weight : i32
      %next = arith.addi %acc, %product : i32
      task.yield %next : i32
    }
    finish () of (%all : i32) {
      task.yield %all : i32
    }
    writes (%sums[c] : memref<16xi32>)
  func.return
}
