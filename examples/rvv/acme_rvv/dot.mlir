func.func @dot(%sum: memref<i32>, %x: memref<16xi8>, %w: memref<16xi8>, %zero: i8) {
  task.nest space() fold(k = 16)
    start (%first = %sum[] : memref<i32>) {
      task.yield %first : i32
    }
    step (%a = %x[k] : memref<16xi8>, %b = %w[k] : memref<16xi8>) into (%acc : i32) {
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
    writes (%sum[] : memref<i32>)
  func.return
}
