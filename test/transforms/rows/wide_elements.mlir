// RUN: stillpool-opt %s -p split-rows{segments=0-2} | filecheck %s
// RUN: stillpool-opt %s -p split-rows{segments=0-2},lower-tasks,usmp-io-allocs | filecheck %s --check-prefix INSIDE
// RUN: stillpool-opt %s -p split-rows{segments=0-2},lower-tasks,usmp,roll-rows | filecheck %s --check-prefix OUTSIDE
// RUN: stillpool-opt %s -p stream-input{input=x},split-rows{segments=0-2},lower-tasks,usmp,roll-rows | filecheck %s --check-prefix STREAMED
// RUN: xdsl-opt %s -p split-rows{segments=0-2},lower-tasks,usmp,roll-rows,emit-c -t c | filecheck %s --check-prefix C

// Rows of floats that the application holds are views of their bytes.
// CHECK:      func.func @sums(%x: memref<6x4xf32> {pool.io = "input", pool.divided}
// CHECK:        %[[BYTES:.*]] = pool.bytes %x : memref<6x4xf32> -> memref<96xi8>
// CHECK:        memref.view %[[BYTES]][%{{.*}}][] : memref<96xi8> to memref<2x4xf32>

// In the workspace they are bytes from the beginning, with the alignment of floats.
// INSIDE:      %x = memref.alloc() {alignment = 4 : i64, pool.divided, {{.*}}pool.kind = #pool.kind<input>, {{.*}}} : memref<96xi8>
// INSIDE-NOT:  pool.bytes

// Outside of it a loop finds its rows there.
// OUTSIDE:     %[[BYTES:.*]] = pool.bytes %x : memref<6x4xf32> -> memref<96xi8>
// OUTSIDE:     scf.for
// OUTSIDE:       memref.view %[[BYTES]][%{{.*}}][] : memref<96xi8> to memref<2x4xf32>

// They come one by one, too.
// STREAMED:    sym_name = "stages", type = memref<7xi8>
// STREAMED:    func.func @sums(%x: memref<1x4xf32>

// C:           const int8_t *[[X:v[0-9]+]] = (const int8_t *)x;
// C:           next_row_0((const float *)(const void *)([[X]] + turn * 64), {{.*}}workspace

func.func private @next(%in: memref<6x4xf32>, %out: memref<6x4xf32>) {
  %zero = arith.constant 0.0 : f32
  task.nest space(y = 6, x = 4) ordered fold(ky = 3) where(iy = y + ky - 1)
    start () {
      task.yield %zero : f32
    }
    step (%v = clip %in[iy, x] : memref<6x4xf32>) into (%acc: f32) {
      %0 = arith.addf %acc, %v : f32
      task.yield %0 : f32
    }
    finish () of (%sum: f32) {
      task.yield %sum : f32
    }
    writes (%out[y, x] : memref<6x4xf32>)
  func.return
}

func.func private @total(%in: memref<6x4xf32>, %out: memref<1x4xf32>) {
  %zero = arith.constant 0.0 : f32
  task.nest space(x = 4) ordered fold(y = 6)
    start () {
      task.yield %zero : f32
    }
    step (%v = %in[y, x] : memref<6x4xf32>) into (%acc: f32) {
      %0 = arith.addf %acc, %v : f32
      task.yield %0 : f32
    }
    finish () of (%sum: f32) {
      task.yield %sum : f32
    }
    writes (%out[0, x] : memref<1x4xf32>)
  func.return
}

func.func @sums(%x: memref<6x4xf32> {pool.io = "input"}, %y: memref<1x4xf32> {pool.io = "output"}) {
  %first = memref.alloc() : memref<6x4xf32>
  %second = memref.alloc() : memref<6x4xf32>
  func.call @next(%x, %first) : (memref<6x4xf32>, memref<6x4xf32>) -> ()
  func.call @next(%first, %second) : (memref<6x4xf32>, memref<6x4xf32>) -> ()
  func.call @total(%second, %y) : (memref<6x4xf32>, memref<1x4xf32>) -> ()
  func.return
}
