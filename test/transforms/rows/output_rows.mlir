// RUN: stillpool-opt %s -p split-rows | filecheck %s
// RUN: stillpool-opt %s -p split-rows,lower-tasks,usmp-io-allocs,usmp | filecheck %s --check-prefix ROWS
// RUN: stillpool-opt %s -p lower-tasks,usmp-io-allocs,usmp | filecheck %s --check-prefix WHOLE
// RUN: stillpool-opt %s -p split-rows,lower-tasks,usmp-io-allocs,usmp-assign-pools,usmp-overlap,usmp-plan | sed "/pool.name = .y./s/pool.offset = 0/pool.offset = 64/" | not stillpool-opt -p usmp-check 2>&1 | filecheck %s --check-prefix MOVED

// The output is one piece for the application. Its rows are born one by one, over those of the input that are dead: the
// workspace is the input and one row of what lies between.
// CHECK: func.func @main(%x: memref<8x64xi8> {pool.io = "input", pool.divided}, %y: memref<8x64xi8> {pool.io = "output", pool.divided})
// ROWS:  pool.declare @workspace workspace size 768 lower_bound 768 algorithm "exact" optimal
// WHOLE: pool.declare @workspace workspace size 2048

// A row further up, its first row is written where the next row of the input is still to be read.
// MOVED: @wide_row_0 reads buffer 'x' after 'y' was written over it, at byte 64 of pool @workspace

func.func private @wide(%in: memref<8x64xi8>, %out: memref<8x64xi32>) {
  task.nest space(y = 8, x = 64)
    finish (%v = %in[y, x] : memref<8x64xi8>) {
      %0 = arith.extsi %v : i8 to i32
      task.yield %0 : i32
    }
    writes (%out[y, x] : memref<8x64xi32>)
  func.return
}

func.func private @narrow(%in: memref<8x64xi32>, %out: memref<8x64xi8>) {
  task.nest space(y = 8, x = 64)
    finish (%v = %in[y, x] : memref<8x64xi32>) {
      %0 = arith.trunci %v : i32 to i8
      task.yield %0 : i8
    }
    writes (%out[y, x] : memref<8x64xi8>)
  func.return
}

func.func @main(%x: memref<8x64xi8> {pool.io = "input"}, %y: memref<8x64xi8> {pool.io = "output"}) {
  %m = memref.alloc() : memref<8x64xi32>
  func.call @wide(%x, %m) : (memref<8x64xi8>, memref<8x64xi32>) -> ()
  func.call @narrow(%m, %y) : (memref<8x64xi32>, memref<8x64xi8>) -> ()
  func.return
}
