// RUN: stillpool-opt %s -p lower-tasks --split-input-file | filecheck %s

// Four channels are compared as bytes of words, which start with the first tap; the last two channels one by one.
// CHECK-LABEL: func.func @pool
// CHECK:       scf.for %c_o = %c0{{.*}} to %c2
// CHECK:         %[[A:.*]] = simd.load_bytes %x
// CHECK:         %[[B:.*]] = simd.load_bytes %x
// CHECK:         %[[AB:.*]] = simd.maximum_bytes %[[A]], %[[B]]
// CHECK:         %[[LIMITED:.*]] = simd.minimum_bytes %[[AB]], %c1684300900_i32
// CHECK:         simd.store_bytes %[[LIMITED]], %y
// CHECK-COUNT-2: memref.store
func.func @pool(%x: memref<6x10xi8>, %y: memref<3x10xi8>) {
  %start = arith.constant -128 : i32
  %most = arith.constant 100 : i32
  task.nest space(p = 3, c = 10) fold(k = 2)
    start () {
      task.yield %start : i32
    }
    step (%v = %x[2 * p + k, c] : memref<6x10xi8>) into (%acc : i32) {
      %wide = arith.extsi %v : i8 to i32
      %next = arith.maxsi %acc, %wide : i32
      task.yield %next : i32
    }
    finish () of (%found : i32) {
      %limited = arith.minsi %found, %most : i32
      %narrow = arith.trunci %limited : i32 to i8
      task.yield %narrow : i8
    }
    writes (%y[p, c] : memref<3x10xi8>)
    schedule <split c 4, order (p, c_o, c_i, k), jam c_i, whole, packed>
  func.return
}

// -----

// Words become lanes less their zero points, one of them doubled. Bytes without a sign are 128 less in words.
// CHECK-LABEL: func.func @product
// CHECK:         %[[X:.*]] = simd.load_bytes %x[%i]
// CHECK-NEXT:    %[[Y:.*]] = simd.load_bytes %y[%i]
// CHECK-NEXT:    %[[SIGNED:.*]] = arith.xori %[[Y]]
// CHECK-NEXT:    %[[ONCE:.*]] = simd.unpack_even_add %[[X]], %c196611
// CHECK-NEXT:    %[[TWICE:.*]] = simd.dual_add %[[ONCE]], %[[ONCE]]
// CHECK-NEXT:    arith.trunci %[[TWICE]] : i32 to i16
// CHECK:         simd.unpack_even_add %[[SIGNED]], %c7864440
// CHECK-COUNT-4: memref.store
func.func @product(%x: memref<8xi8>, %y: memref<8xi8>, %z: memref<8xi8>) {
  %three = arith.constant 3 : i32
  %eight = arith.constant 8 : i32
  task.nest space(i = 8)
    finish (%0 = %x[i] : memref<8xi8>, %1 = %y[i] : memref<8xi8>) {
      %a = arith.extsi %0 : i8 to i32
      %b = arith.addi %a, %three : i32
      %c = arith.addi %b, %b : i32
      %d = arith.extui %1 : i8 to i32
      %e = arith.subi %d, %eight : i32
      %f = arith.muli %c, %e : i32
      %g = arith.shrsi %f, %eight : i32
      %h = arith.trunci %g : i32 to i8
      task.yield %h : i8
    }
    writes (%z[i] : memref<8xi8>)
    schedule <split i 4, jam i_i, packed>
  func.return
}

// -----

// Factors of 32 bits meet bytes in the upper halves of lanes.
// CHECK-LABEL: func.func @scaled
// CHECK:         %[[X:.*]] = simd.load_bytes %x
// CHECK-NEXT:    %[[MOVED:.*]] = arith.shli %[[X]], %c8
// CHECK-NEXT:    %[[EVEN:.*]] = arith.andi %[[MOVED]], %c-16711936
// CHECK-NEXT:    simd.scale_low_add %[[EVEN]], %factor, %added
// CHECK:         %[[ODD:.*]] = arith.andi %[[X]], %c-16711936
// CHECK-NEXT:    simd.scale_low_add %[[ODD]], %factor, %added
// CHECK:         simd.scale_high_add %[[EVEN]], %factor, %added
// CHECK:         simd.scale_high_add %[[ODD]], %factor, %added
func.func @scaled(%x: memref<4xi8>, %y: memref<4xi8>) {
  %factor = arith.constant 1000000 : i32
  %added = arith.constant 77 : i32
  task.nest space(i = 4)
    finish (%0 = %x[i] : memref<4xi8>) {
      %a = arith.extsi %0 : i8 to i32
      %b = simd.scale_byte_add %a, %factor, %added
      %c = simd.shift_saturate %b 12 8
      %d = arith.trunci %c : i32 to i8
      task.yield %d : i8
    }
    writes (%y[i] : memref<4xi8>)
    schedule <jam i, packed>
  func.return
}

// -----

// What only moves is stored in the words in which it is read.
// CHECK-LABEL: func.func @moved
// CHECK:       scf.for %c_o = %c0{{.*}} to %c2
// CHECK:         %[[WORD:.*]] = simd.load_bytes %x
// CHECK-NOT:     unpack
// CHECK:         simd.store_bytes %[[WORD]], %y
// CHECK-COUNT-2: memref.store
func.func @moved(%x: memref<60xi8>, %y: memref<30xi8>) {
  task.nest space(p = 3, c = 10)
    finish (%0 = %x[20 * p + c + 3] : memref<60xi8>) {
      task.yield %0 : i8
    }
    writes (%y[10 * p + c] : memref<30xi8>)
    schedule <split c 4, order (p, c_o, c_i), jam c_i, packed>
  func.return
}
