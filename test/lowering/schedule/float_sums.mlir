// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4}" --split-input-file | filecheck %s
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m33},schedule{cpu=cortex-m33}" --split-input-file | filecheck %s
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m3},schedule{cpu=cortex-m3}" --split-input-file | filecheck %s --check-prefix SOFT
// RUN: stillpool-opt %s -p "prepare-tasks{cpu=cortex-m4},schedule{cpu=cortex-m4},lower-tasks" --split-input-file | filecheck %s --check-prefix LOOPS

// Eight channels of a convolution side by side, the remaining two too; few terms need no loop.
// CHECK-LABEL: func.func @conv
// CHECK: schedule <split oc 8, order (ox, oc_o, oc_i, kx, ic), jam oc_i, unroll ic>
// SOFT-NOT: schedule
// Each sum is of products in the order of the task.
// LOOPS-LABEL: func.func @conv
// LOOPS: scf.for %kx
// LOOPS-COUNT-8: memref.load %w
// LOOPS: scf.for %kx
func.func @conv(%input: memref<6x3xf32>, %w: memref<10x2x3xf32>, %output: memref<6x10xf32>) {
  %zero = arith.constant 0.0 : f32
  task.nest space(ox = 6, oc = 10) ordered fold(kx = 2, ic = 3) where(ix = ox + kx - 1)
    start () {
      task.yield %zero : f32
    }
    step (%value = clip %input[ix, ic] : memref<6x3xf32>, %weight = %w[oc, kx, ic] : memref<10x2x3xf32>) into (%acc: f32) {
      %0 = arith.mulf %value, %weight : f32
      %1 = arith.addf %acc, %0 : f32
      task.yield %1 : f32
    }
    finish () of (%sum: f32) {
      task.yield %sum : f32
    }
    writes (%output[ox, oc] : memref<6x10xf32>)
  func.return
}

// -----

// Where what is clipped depends on the innermost dimension, nothing runs side by side; nor does a single sum.
// CHECK-LABEL: func.func @sliding
// CHECK-NOT: schedule
func.func @sliding(%input: memref<6xf32>, %output: memref<6xf32>, %total: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  task.nest space(ox = 6) ordered fold(kx = 3) where(ix = ox + kx - 1)
    start () {
      task.yield %zero : f32
    }
    step (%value = clip %input[ix] : memref<6xf32>) into (%acc: f32) {
      %1 = arith.addf %acc, %value : f32
      task.yield %1 : f32
    }
    finish () of (%sum: f32) {
      task.yield %sum : f32
    }
    writes (%output[ox] : memref<6xf32>)
  task.nest space(n = 1) ordered fold(i = 6)
    start () {
      task.yield %zero : f32
    }
    step (%value = %input[i] : memref<6xf32>) into (%acc: f32) {
      %1 = arith.addf %acc, %value : f32
      task.yield %1 : f32
    }
    finish () of (%sum: f32) {
      task.yield %sum : f32
    }
    writes (%total[n] : memref<1xf32>)
  func.return
}
