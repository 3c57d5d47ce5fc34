// RUN: stillpool-opt %s -p shorten-rounding | filecheck %s
// RUN: stillpool-opt %s -p prepare-tasks{cpu=cortex-m4} | filecheck %s
// RUN: stillpool-opt %s -p prepare-tasks{cpu=cortex-m7} | filecheck %s --check-prefix ROUNDS
// RUN: stillpool-opt %s -p prepare-tasks{cpu=cortex-m3} | filecheck %s --check-prefix ROUNDS

// Half steps become integers, and these are rounded: a processor with floats has no instruction for it.
// CHECK-LABEL: func.func @bytes
// CHECK-NOT: math.round
// CHECK: [[LIMITED:%limited]] = arith.select
// CHECK-NEXT: [[TWICE:%.*]] = arith.addf [[LIMITED]], [[LIMITED]] : f32
// CHECK-NEXT: %halves = arith.fptosi [[TWICE]] : f32 to i32
// CHECK-NEXT: [[NEXT:%.*]] = arith.addi %halves, %{{.*}} overflow<nsw> : i32
// CHECK-NEXT: %sign = arith.shrsi %halves, %{{.*}} : i32
// CHECK-NEXT: [[SUM:%.*]] = arith.addi [[NEXT]], %sign overflow<nsw> : i32
// CHECK-NEXT: arith.shrsi [[SUM]], %{{.*}} : i32
// It has one, or no floats at all.
// ROUNDS-LABEL: func.func @bytes
// ROUNDS: math.round
func.func @bytes(%x: memref<64xf32>, %y: memref<64xi8>) {
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  task.nest space(i = 64)
    finish (%v = %x[i] : memref<64xf32>) {
      %rounded = math.round %v : f32
      %above = arith.cmpf ogt, %rounded, %least : f32
      %raised = arith.select %above, %rounded, %least : f32
      %below = arith.cmpf olt, %raised, %most : f32
      %limited = arith.select %below, %raised, %most : f32
      %steps = arith.fptosi %limited : f32 to i32
      %byte = arith.trunci %steps : i32 to i8
      task.yield %byte : i8
    }
    writes (%y[i] : memref<64xi8>)
  func.return
}

// Half steps of what is larger are no integers of a float; what is not limited may be anything.
// CHECK-LABEL: func.func @large
// CHECK: math.round
func.func @large(%x: memref<64xf32>, %y: memref<64xi32>) {
  %least = arith.constant -8388608.0 : f32
  %most = arith.constant 8388607.0 : f32
  task.nest space(i = 64)
    finish (%v = %x[i] : memref<64xf32>) {
      %rounded = math.round %v : f32
      %above = arith.cmpf ogt, %rounded, %least : f32
      %raised = arith.select %above, %rounded, %least : f32
      %below = arith.cmpf olt, %raised, %most : f32
      %limited = arith.select %below, %raised, %most : f32
      %steps = arith.fptosi %limited : f32 to i32
      task.yield %steps : i32
    }
    writes (%y[i] : memref<64xi32>)
  func.return
}

// CHECK-LABEL: func.func @unlimited
// CHECK: math.round
func.func @unlimited(%x: memref<64xf32>, %y: memref<64xi32>) {
  task.nest space(i = 64)
    finish (%v = %x[i] : memref<64xf32>) {
      %rounded = math.round %v : f32
      %steps = arith.fptosi %rounded : f32 to i32
      task.yield %steps : i32
    }
    writes (%y[i] : memref<64xi32>)
  func.return
}
