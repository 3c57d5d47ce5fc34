// RUN: stillpool-opt %s -p split-rows --split-input-file --verify-diagnostics | filecheck %s

// CHECK: split-rows: other operators stand between those of row segment 7
func.func private @sums(%in: memref<6x4xi8>, %out: memref<6x4xi8>) {
  %zero = arith.constant 0 : i8
  task.nest space(y = 6, x = 4) fold(ky = 2) where(iy = y + ky)
    start () {
      task.yield %zero : i8
    }
    step (%v = clip %in[iy, x] : memref<6x4xi8>) into (%acc: i8) {
      %0 = arith.addi %acc, %v : i8
      task.yield %0 : i8
    }
    finish () of (%sum: i8) {
      task.yield %sum : i8
    }
    writes (%out[y, x] : memref<6x4xi8>)
  func.return
}

func.func @chain(%x: memref<6x4xi8>, %y: memref<6x4xi8>) {
  %a = memref.alloc() : memref<6x4xi8>
  %b = memref.alloc() : memref<6x4xi8>
  func.call @sums(%x, %a) {pool.row_segment = 7 : i64} : (memref<6x4xi8>, memref<6x4xi8>) -> ()
  func.call @sums(%a, %b) : (memref<6x4xi8>, memref<6x4xi8>) -> ()
  func.call @sums(%b, %y) {pool.row_segment = 7 : i64} : (memref<6x4xi8>, memref<6x4xi8>) -> ()
  func.return
}

// -----

// What is written twice says when: operators that touch it run one after the other.
// CHECK: split-rows: row segment 7 holds an operator that writes what others read or write: it runs alone
func.func private @sums(%in: memref<6x4xi8>, %out: memref<6x4xi8>) {
  %zero = arith.constant 0 : i8
  task.nest space(y = 6, x = 4) fold(ky = 2) where(iy = y + ky)
    start () {
      task.yield %zero : i8
    }
    step (%v = clip %in[iy, x] : memref<6x4xi8>) into (%acc: i8) {
      %0 = arith.addi %acc, %v : i8
      task.yield %0 : i8
    }
    finish () of (%sum: i8) {
      task.yield %sum : i8
    }
    writes (%out[y, x] : memref<6x4xi8>)
  func.return
}

func.func @chain(%x: memref<6x4xi8>, %y: memref<6x4xi8>) {
  %a = memref.alloc() : memref<6x4xi8>
  %b = memref.alloc() : memref<6x4xi8>
  func.call @sums(%x, %a) {pool.row_segment = 7 : i64} : (memref<6x4xi8>, memref<6x4xi8>) -> ()
  func.call @sums(%a, %b) {pool.row_segment = 7 : i64} : (memref<6x4xi8>, memref<6x4xi8>) -> ()
  func.call @sums(%b, %a) {pool.row_segment = 7 : i64} : (memref<6x4xi8>, memref<6x4xi8>) -> ()
  func.return
}
