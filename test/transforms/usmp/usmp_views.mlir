// RUN: xdsl-opt -p usmp-assign-pools,usmp-overlap,usmp-views,usmp-plan,usmp-check --split-input-file %s | filecheck %s

// Both operands of a concatenation are written into its result; the copies go, and their function with them.

// CHECK:       func.func @joined
// CHECK:         [[whole:%.*]] = memref.alloc() {{.*}}pool.name = "whole"
// CHECK-NEXT:    [[flat:%.*]] = memref.reinterpret_cast [[whole]]
// CHECK-NEXT:    arith.constant 0
// CHECK:         [[first:%.*]] = memref.view [[flat]]
// CHECK-NEXT:    func.call @make(%input, [[first]])
// CHECK:         arith.constant 4
// CHECK-NEXT:    [[second:%.*]] = memref.view
// CHECK-NEXT:    func.call @make(%input, [[second]])
// CHECK-NEXT:    func.call @use([[whole]], %output)
// CHECK-NOT:     @join
func.func @joined(%input: memref<4xi8>, %output: memref<2x4xi8>) {
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @make(%input, %a) : (memref<4xi8>, memref<4xi8>) -> ()
  %b = memref.alloc() {pool.name = "b", pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @make(%input, %b) : (memref<4xi8>, memref<4xi8>) -> ()
  %whole = memref.alloc() {pool.name = "whole", pool.kind = #pool.kind<activation>} : memref<2x4xi8>
  func.call @join(%a, %b, %whole) {pool.parts = [#pool.part<0 in 2, offset 0, [4] strides [1]>, #pool.part<1 in 2, offset 4, [4] strides [1]>]} : (memref<4xi8>, memref<4xi8>, memref<2x4xi8>) -> ()
  func.call @use(%whole, %output) : (memref<2x4xi8>, memref<2x4xi8>) -> ()
  func.return
}
func.func private @make(%input: memref<4xi8>, %output: memref<4xi8>) {
  %0 = arith.constant 0 : index
  %value = memref.load %input[%0] : memref<4xi8>
  memref.store %value, %output[%0] : memref<4xi8>
  func.return
}
func.func private @use(%input: memref<2x4xi8>, %output: memref<2x4xi8>) {
  %0 = arith.constant 0 : index
  %value = memref.load %input[%0, %0] : memref<2x4xi8>
  memref.store %value, %output[%0, %0] : memref<2x4xi8>
  func.return
}
func.func private @join(%a: memref<4xi8>, %b: memref<4xi8>, %output: memref<2x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %value = memref.load %a[%i] : memref<4xi8>
    memref.store %value, %output[%c0, %i] : memref<2x4xi8>
    %value_1 = memref.load %b[%i] : memref<4xi8>
    memref.store %value_1, %output[%c1, %i] : memref<2x4xi8>
  }
  func.return
}

// -----

// What is taken out of a buffer of reals is a view of its bytes, also where the buffer is the caller's.

// CHECK:       func.func @taken
// CHECK-NEXT:    [[bytes:%.*]] = pool.bytes %input : memref<16xf32> -> memref<64xi8>
// CHECK-NEXT:    arith.constant 32
// CHECK-NEXT:    [[half:%.*]] = memref.view [[bytes]]{{.*}} : memref<64xi8> to memref<8xf32>
// CHECK-NEXT:    [[again:%.*]] = pool.bytes %input : memref<16xf32> -> memref<64xi8>
// CHECK-NEXT:    arith.constant 48
// CHECK-NEXT:    [[slice:%.*]] = memref.view [[again]]{{.*}} : memref<64xi8> to memref<4xf32>
// CHECK-NEXT:    func.call @use([[half]], [[slice]], %output)
func.func @taken(%input: memref<16xf32>, %output: memref<4xf32>) {
  %half = memref.alloc() {pool.name = "half", pool.kind = #pool.kind<activation>} : memref<8xf32>
  func.call @take_half(%input, %half) {pool.parts = [#pool.part<1 in 0, offset 8, [8] strides [1]>]} : (memref<16xf32>, memref<8xf32>) -> ()
  %slice = memref.alloc() {pool.name = "slice", pool.kind = #pool.kind<activation>} : memref<4xf32>
  func.call @take(%half, %slice) {pool.parts = [#pool.part<1 in 0, offset 4, [4] strides [1]>]} : (memref<8xf32>, memref<4xf32>) -> ()
  func.call @use(%half, %slice, %output) : (memref<8xf32>, memref<4xf32>, memref<4xf32>) -> ()
  func.return
}
func.func private @take_half(%input: memref<16xf32>, %output: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %n : index
    %value = memref.load %input[%j] : memref<16xf32>
    memref.store %value, %output[%i] : memref<8xf32>
  }
  func.return
}
func.func private @take(%input: memref<8xf32>, %output: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %n : index
    %value = memref.load %input[%j] : memref<8xf32>
    memref.store %value, %output[%i] : memref<4xf32>
  }
  func.return
}
func.func private @use(%a: memref<8xf32>, %b: memref<4xf32>, %output: memref<4xf32>) {
  %0 = arith.constant 0 : index
  %value = memref.load %b[%0] : memref<4xf32>
  %value_1 = memref.load %a[%0] : memref<8xf32>
  memref.store %value, %output[%0] : memref<4xf32>
  memref.store %value_1, %output[%0] : memref<4xf32>
  func.return
}

// -----

// Channels next to each other: the operator before stores with the stride of all channels, in a function of its own.

// CHECK:       func.func @channels
// CHECK:         memref.reinterpret_cast {{.*}} to offset: [1], sizes: [3, 1], strides: [2, 1]
// CHECK-NEXT:    [[part:%.*]] = "memref.cast"
// CHECK-NEXT:    func.call @make_strided(%input, [[part]])
// CHECK-NOT:     @make(
// CHECK-NOT:     @join
// CHECK:       func.func private @make_strided(%input: memref<3x1xi8>, %output: memref<3x1xi8, strided<[2, 1], offset: ?>>)
func.func @channels(%input: memref<3x1xi8>, %output: memref<3x2xi8>) {
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<activation>} : memref<3x1xi8>
  func.call @make(%input, %a) : (memref<3x1xi8>, memref<3x1xi8>) -> ()
  %b = memref.alloc() {pool.name = "b", pool.kind = #pool.kind<activation>} : memref<3x1xi8>
  func.call @make(%input, %b) : (memref<3x1xi8>, memref<3x1xi8>) -> ()
  func.call @join(%a, %b, %output) {pool.parts = [#pool.part<0 in 2, offset 0, [3, 1] strides [2, 1]>, #pool.part<1 in 2, offset 1, [3, 1] strides [2, 1]>]} : (memref<3x1xi8>, memref<3x1xi8>, memref<3x2xi8>) -> ()
  func.return
}
func.func private @make(%input: memref<3x1xi8>, %output: memref<3x1xi8>) {
  %0 = arith.constant 0 : index
  %value = memref.load %input[%0, %0] : memref<3x1xi8>
  memref.store %value, %output[%0, %0] : memref<3x1xi8>
  func.return
}
func.func private @join(%a: memref<3x1xi8>, %b: memref<3x1xi8>, %output: memref<3x2xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %value = memref.load %a[%i, %c0] : memref<3x1xi8>
    memref.store %value, %output[%i, %c0] : memref<3x2xi8>
    %value_1 = memref.load %b[%i, %c0] : memref<3x1xi8>
    memref.store %value_1, %output[%i, %c1] : memref<3x2xi8>
  }
  func.return
}

// -----

// A function that takes its input row by row is left and entered between calls: the copy is a call, too.

// CHECK:       func.func private @copy(%input: memref<4xi8>, %output: memref<4xi8>) {
// CHECK-NEXT:    "memref.copy"(%input, %output)
// CHECK:       func.func @streamed
// CHECK:         func.call @make(%{{.*}}, [[part:%[a-z0-9_]+]])
// CHECK:         [[place:%[a-z0-9_]+]] = memref.view
// CHECK-NEXT:    func.call @copy(%other, [[place]]) : (memref<4xi8>, memref<4xi8>) -> ()
// CHECK-NOT:     memref.copy
func.func @streamed(%input: memref<2x4xi8> {pool.io = "input", pool.streamed = 2 : i64}, %other: memref<4xi8>, %whole: memref<2x4xi8>) {
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @make(%input, %a) : (memref<2x4xi8>, memref<4xi8>) -> ()
  func.call @join(%a, %other, %whole) {pool.parts = [#pool.part<0 in 2, offset 0, [4] strides [1]>, #pool.part<1 in 2, offset 4, [4] strides [1]>]} : (memref<4xi8>, memref<4xi8>, memref<2x4xi8>) -> ()
  func.return
}
func.func private @make(%input: memref<2x4xi8>, %output: memref<4xi8>) {
  %0 = arith.constant 0 : index
  %value = memref.load %input[%0, %0] : memref<2x4xi8>
  memref.store %value, %output[%0] : memref<4xi8>
  func.return
}
func.func private @join(%a: memref<4xi8>, %b: memref<4xi8>, %output: memref<2x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %value = memref.load %a[%i] : memref<4xi8>
    memref.store %value, %output[%c0, %i] : memref<2x4xi8>
    %value_1 = memref.load %b[%i] : memref<4xi8>
    memref.store %value_1, %output[%c1, %i] : memref<2x4xi8>
  }
  func.return
}

// -----

// An operator that reads one part and writes another has one function of its own. Nothing is left of that with one
// strided memref, whose scratch memory nobody would place.

// CHECK:       func.func @parts
// CHECK:         func.call @next_strided_strided(
// CHECK:       func.func private @next_strided_strided(
// CHECK-NOT:   @next_strided(
func.func @parts(%input: memref<3x1xi8>, %output: memref<3x2xi8>) {
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<activation>} : memref<3x1xi8>
  func.call @make(%input, %a) : (memref<3x1xi8>, memref<3x1xi8>) -> ()
  %b = memref.alloc() {pool.name = "b", pool.kind = #pool.kind<activation>} : memref<3x1xi8>
  func.call @next(%a, %b) : (memref<3x1xi8>, memref<3x1xi8>) -> ()
  func.call @join(%a, %b, %output) {pool.parts = [#pool.part<0 in 2, offset 0, [3, 1] strides [2, 1]>, #pool.part<1 in 2, offset 1, [3, 1] strides [2, 1]>]} : (memref<3x1xi8>, memref<3x1xi8>, memref<3x2xi8>) -> ()
  func.return
}
func.func private @make(%input: memref<3x1xi8>, %output: memref<3x1xi8>) {
  %0 = arith.constant 0 : index
  %value = memref.load %input[%0, %0] : memref<3x1xi8>
  memref.store %value, %output[%0, %0] : memref<3x1xi8>
  func.return
}
func.func private @next(%input: memref<3x1xi8>, %output: memref<3x1xi8>) {
  %0 = arith.constant 0 : index
  %lanes = memref.alloc() {pool.name = "lanes", pool.kind = #pool.kind<scratch>} : memref<1xi8>
  %value = memref.load %input[%0, %0] : memref<3x1xi8>
  memref.store %value, %lanes[%0] : memref<1xi8>
  %value_1 = memref.load %lanes[%0] : memref<1xi8>
  memref.store %value_1, %output[%0, %0] : memref<3x1xi8>
  func.return
}
func.func private @join(%a: memref<3x1xi8>, %b: memref<3x1xi8>, %output: memref<3x2xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %value = memref.load %a[%i, %c0] : memref<3x1xi8>
    memref.store %value, %output[%i, %c0] : memref<3x2xi8>
    %value_1 = memref.load %b[%i, %c0] : memref<3x1xi8>
    memref.store %value_1, %output[%i, %c1] : memref<3x2xi8>
  }
  func.return
}
