// RUN: stillpool-opt %s -p split-rows{segments=0-3} | filecheck %s

// Loops whose outermost run over the rows of the result. Constant tables say which two rows of the input a row of the
// result needs: these are passed, and no table is left. What depends on the row itself is found with its number.
// CHECK-NOT:  @above
// CHECK-NOT:  @below
// CHECK:      func.func private @mixed_row_0(%in: memref<1x4xi8>, %in_1: memref<1x4xi8>, %shares: memref<6xi8>, %out: memref<1x4xi8>, %oy: index)
// CHECK:        memref.load %shares[%oy] : memref<6xi8>
// CHECK:        memref.load %in[%{{.*}}, %x] : memref<1x4xi8>
// CHECK:        memref.load %in_1[%{{.*}}, %x] : memref<1x4xi8>

// Two loops over rows, each row of the input twice: nothing but these rows is passed.
// CHECK:      func.func private @twice_row_0(%in: memref<1x4xi8>, %out: memref<1x4xi8>) {

// A loop over the points of all rows becomes one over those of a row.
// CHECK:      func.func private @points_row_0(%in: memref<4xi8>, %out: memref<4xi8>) {
// CHECK:        %[[POINTS:.*]] = arith.constant 4 : index
// CHECK-NEXT:   scf.for %p = %{{.*}} to %[[POINTS]] step

// The first row of the result needs the first row of the input alone, which is passed twice; the second needs both.
// CHECK-LABEL: func.func @main
// CHECK:        %b = memref.alloc()
// CHECK-NEXT:   %[[FIRST:.*]] = arith.constant 0 : index
// CHECK-NEXT:   func.call @mixed_row_0(%a, %a, %shares, %b, %[[FIRST]])
// CHECK:        %b_1 = memref.alloc()
// CHECK-NEXT:   %[[SECOND:.*]] = arith.constant 1 : index
// CHECK-NEXT:   func.call @mixed_row_0(%a, %a_1, %shares, %b_1, %[[SECOND]])

memref.global "private" constant @above : memref<6xi8> = dense<[0, 0, 1, 1, 2, 2]>
memref.global "private" constant @below : memref<6xi8> = dense<[0, 1, 1, 2, 2, 2]>
memref.global "private" constant @shares : memref<6xi8> = dense<[1, 3, 1, 3, 1, 3]>

func.func private @same(%in: memref<3x4xi8>, %out: memref<3x4xi8>) {
  task.nest space(y = 3, x = 4)
    finish (%v = %in[y, x] : memref<3x4xi8>) {
      %0 = arith.addi %v, %v : i8
      task.yield %0 : i8
    }
    writes (%out[y, x] : memref<3x4xi8>)
  func.return
}

func.func private @mixed(%in: memref<3x4xi8>, %above: memref<6xi8>, %below: memref<6xi8>, %shares: memref<6xi8>, %out: memref<6x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %oy = %c0 to %c6 step %c1 {
    %0 = memref.load %above[%oy] : memref<6xi8>
    %y0 = arith.index_cast %0 : i8 to index
    %1 = memref.load %below[%oy] : memref<6xi8>
    %y1 = arith.index_cast %1 : i8 to index
    %share = memref.load %shares[%oy] : memref<6xi8>
    scf.for %x = %c0 to %c4 step %c1 {
      %2 = memref.load %in[%y0, %x] : memref<3x4xi8>
      %3 = memref.load %in[%y1, %x] : memref<3x4xi8>
      %4 = arith.muli %2, %share : i8
      %5 = arith.addi %3, %4 : i8
      memref.store %5, %out[%oy, %x] : memref<6x4xi8>
    }
  }
  func.return
}

func.func private @twice(%in: memref<6x4xi8>, %out: memref<12x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %iy = %c0 to %c6 step %c1 {
    scf.for %ry = %c0 to %c2 step %c1 {
      %0 = arith.muli %iy, %c2 : index
      %oy = arith.addi %0, %ry : index
      scf.for %x = %c0 to %c4 step %c1 {
        %1 = memref.load %in[%iy, %x] : memref<6x4xi8>
        memref.store %1, %out[%oy, %x] : memref<12x4xi8>
      }
    }
  }
  func.return
}

func.func private @points(%in: memref<48xi8>, %out: memref<48xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  scf.for %p = %c0 to %c48 step %c1 {
    %0 = memref.load %in[%p] : memref<48xi8>
    %1 = arith.addi %0, %0 : i8
    memref.store %1, %out[%p] : memref<48xi8>
  }
  func.return
}

func.func @main(%x: memref<3x4xi8> {pool.io = "input"}, %y: memref<12x4xi8> {pool.io = "output"}) {
  %above = memref.get_global @above : memref<6xi8>
  %below = memref.get_global @below : memref<6xi8>
  %shares = memref.get_global @shares : memref<6xi8>
  %a = memref.alloc() : memref<3x4xi8>
  func.call @same(%x, %a) : (memref<3x4xi8>, memref<3x4xi8>) -> ()
  %b = memref.alloc() : memref<6x4xi8>
  func.call @mixed(%a, %above, %below, %shares, %b) : (memref<3x4xi8>, memref<6xi8>, memref<6xi8>, memref<6xi8>, memref<6x4xi8>) -> ()
  %c = memref.alloc() : memref<12x4xi8>
  func.call @twice(%b, %c) : (memref<6x4xi8>, memref<12x4xi8>) -> ()
  %cf = memref.reinterpret_cast %c to offset: [0], sizes: [48], strides: [1] : memref<12x4xi8> to memref<48xi8>
  %yf = memref.reinterpret_cast %y to offset: [0], sizes: [48], strides: [1] : memref<12x4xi8> to memref<48xi8>
  func.call @points(%cf, %yf) : (memref<48xi8>, memref<48xi8>) -> ()
  func.return
}
