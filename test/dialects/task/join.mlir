// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s -p lower-tasks | filecheck %s --check-prefix LOOPS

// CHECK:      %[[ROWS:.*]] = task.join 0 of %a, %b : memref<1x8xi8>, memref<1x8xi8> -> memref<2x8xi8>
// LOOPS-NOT:  task.join
// LOOPS:      memref.load %a[%c0, %x] : memref<1x8xi8>
// LOOPS:      memref.load %b[%c0, %x] : memref<1x8xi8>
func.func @sum(%a: memref<1x8xi8>, %b: memref<1x8xi8>, %out: memref<1x8xi8>) {
  %zero = arith.constant 0 : i8
  %rows = task.join 0 of %a, %b : memref<1x8xi8>, memref<1x8xi8> -> memref<2x8xi8>
  task.nest space(y = 1, x = 8) fold(k = 2)
    start () {
      task.yield %zero : i8
    }
    step (%v = %rows[k, x] : memref<2x8xi8>) into (%acc: i8) {
      %0 = arith.addi %acc, %v : i8
      task.yield %0 : i8
    }
    finish () of (%sum: i8) {
      task.yield %sum : i8
    }
    writes (%out[y, x] : memref<1x8xi8>)
    schedule <unroll k>
  func.return
}
