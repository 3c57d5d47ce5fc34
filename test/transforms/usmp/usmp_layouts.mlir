// RUN: stillpool-opt -p "usmp" %s | filecheck %s
// RUN: stillpool-opt -p "usmp,emit-c" -t c %s | filecheck %s --check-prefix C

// An index takes 4 bytes, as int32_t in C; gaps between rows belong to the buffer, 28 bytes here: the view is of all
// of them.

// CHECK: size 44
// CHECK: memref.view %workspace[{{%[a-z0-9_]+}}][] : memref<44xi8> to memref<4xindex>
// CHECK: [[s:%[a-z0-9_]+]] = memref.view %workspace[{{%[a-z0-9_]+}}][] : memref<44xi8> to memref<28xi8>
// CHECK: memref.reinterpret_cast [[s]] to offset: [0], sizes: [4, 4], strides: [8, 1] : memref<28xi8> to memref<4x4xi8, strided<[8, 1]>>
// C: [i * 8 + j] = x[i];

func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xindex>
  %s = memref.alloc() : memref<4x4xi8, strided<[8, 1]>>
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.subi %c3, %i : index
    memref.store %j, %a[%i] : memref<4xindex>
    %v = memref.load %x[%i] : memref<4xi8>
    memref.store %v, %s[%i, %j] : memref<4x4xi8, strided<[8, 1]>>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %j = memref.load %a[%i] : memref<4xindex>
    %w = memref.load %s[%i, %j] : memref<4x4xi8, strided<[8, 1]>>
    memref.store %w, %y[%i] : memref<4xi8>
  }
  func.return
}
