// RUN: stillpool-opt %s -p 'split-rows{segments="0-1"}' | filecheck %s

// Where columns and channels change places, rows stay rows. What makes rows of columns needs all of them first.

// CHECK:      func.func private @turned_row_0(%in: memref<1x2x4xi8>, %out: memref<1x4x2xi8>)
// CHECK:      func.call @turned_row_0(
// CHECK:      func.call @sums_row_0(
// CHECK:      func.call @columns(
// CHECK-NOT:  func.call @turned_row_0(

func.func private @turned(%in: memref<6x2x4xi8>, %out: memref<6x4x2xi8>) {
  task.nest space(y = 6, c = 4, x = 2)
    finish (%v = %in[y, x, c] : memref<6x2x4xi8>) {
      task.yield %v : i8
    }
    writes (%out[y, c, x] : memref<6x4x2xi8>)
  func.return
}

func.func private @sums(%in: memref<6x4x2xi8>, %out: memref<6x4x1xi8>) {
  %zero = arith.constant 0 : i8
  task.nest space(y = 6, x = 4) fold(ky = 2, k = 2) where(iy = y + ky)
    start () {
      task.yield %zero : i8
    }
    step (%v = clip %in[iy, x, k] : memref<6x4x2xi8>) into (%acc: i8) {
      %0 = arith.addi %acc, %v : i8
      task.yield %0 : i8
    }
    finish () of (%sum: i8) {
      task.yield %sum : i8
    }
    writes (%out[y, x, 0] : memref<6x4x1xi8>)
  func.return
}

func.func private @columns(%in: memref<6x4x1xi8>, %out: memref<4x6x1xi8>) {
  task.nest space(x = 4, y = 6)
    finish (%v = %in[y, x, 0] : memref<6x4x1xi8>) {
      task.yield %v : i8
    }
    writes (%out[x, y, 0] : memref<4x6x1xi8>)
  func.return
}

func.func @main(%x: memref<6x2x4xi8> {pool.io = "input"}, %y: memref<4x6x1xi8> {pool.io = "output"}) {
  %a = memref.alloc() : memref<6x4x2xi8>
  %b = memref.alloc() : memref<6x4x1xi8>
  func.call @turned(%x, %a) : (memref<6x2x4xi8>, memref<6x4x2xi8>) -> ()
  func.call @sums(%a, %b) : (memref<6x4x2xi8>, memref<6x4x1xi8>) -> ()
  func.call @columns(%b, %y) : (memref<6x4x1xi8>, memref<4x6x1xi8>) -> ()
  func.return
}
