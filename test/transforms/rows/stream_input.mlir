// RUN: stillpool-opt %s -p stream-input{input=x},split-rows | filecheck %s
// RUN: stillpool-opt %s -p stream-input{input=x},split-rows,lower-tasks,usmp,roll-rows | filecheck %s --check-prefix ROLLED
// RUN: stillpool-opt %s -p stream-input{input=x},split-rows{taken=true} | filecheck %s --check-prefix TAKEN
// RUN: not stillpool-opt %s -p stream-input{input=z} 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: not stillpool-opt %s -p stream-input{input=w} 2>&1 | filecheck %s --check-prefix ONE-ROW

// Rows are copied to buffers of their own as late as they can be: before what needs them first.
// CHECK:       func.func private @take_row_0(%input: memref<1x4xi8>, %output: memref<1x4xi8>)
// CHECK:       func.func @main(%x: memref<3x4xi8> {{{.*}}pool.streamed = 3 : i64{{.*}}}
// CHECK:         func.call @take_row_0(%{{.*}}, %[[FIRST:[a-z0-9_]+]])
// CHECK-NOT:     func.call @take
// CHECK:         func.call @twice_row_0(%[[FIRST]],
// CHECK:         func.call @take_row_0(%{{.*}}, %[[SECOND:[a-z0-9_]+]])
// CHECK:         func.call @twice_row_0(%[[SECOND]],

// The function runs what a row makes possible, up to the copy of the next one.
// ROLLED:      sym_name = "stages", {{.*}} dense<[0, 2, 4, 6]>
// ROLLED:      func.func @main(%x: memref<1x4xi8>
// ROLLED-SAME: %row: index {pool.stage})
// ROLLED:        memref.load %stages[%row]
// ROLLED:        scf.for %step = %begin to %end
// ROLLED:          memref.reinterpret_cast %x to offset: [0]

// Only the copies are of rows, in pieces of one buffer.
// TAKEN:         func.func @main(%x: memref<3x4xi8> {{{.*}}pool.streamed = 3 : i64{{.*}}}
// TAKEN-COUNT-3:   func.call @take_row_0(
// TAKEN:           func.call @twice(%{{.*}}, %y) : (memref<3x4xi8>, memref<3x4xi8>) -> ()

// UNKNOWN: stream-input: there is no input 'z'; there are 'x', 'w'
// ONE-ROW: stream-input: input 'w' is memref<1x4xi32>: only what has two rows or more comes row by row

func.func private @twice(%in: memref<3x4xi8>, %out: memref<3x4xi8>) {
  task.nest space(y = 3, x = 4)
    finish (%v = %in[y, x] : memref<3x4xi8>) {
      %0 = arith.addi %v, %v : i8
      task.yield %0 : i8
    }
    writes (%out[y, x] : memref<3x4xi8>)
  func.return
}

func.func @main(%x: memref<3x4xi8> {pool.io = "input"}, %w: memref<1x4xi32> {pool.io = "input"}, %y: memref<3x4xi8> {pool.io = "output"}) {
  func.call @twice(%x, %y) : (memref<3x4xi8>, memref<3x4xi8>) -> ()
  func.return
}
