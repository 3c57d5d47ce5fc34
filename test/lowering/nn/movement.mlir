// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// A slice backwards is one loop that walks the input with a negative step.

func.func @reversed(%v: tensor<6xi16>) -> tensor<3xi16> {
  %s = nn.slice %v begin [5] step [-2] : (tensor<6xi16>) -> tensor<3xi16>
  func.return %s : tensor<3xi16>
}
// CHECK:      func.func private @slice_0(%input: memref<6xi16>, %output: memref<3xi16>)
// CHECK:      scf.for %i = %c0 to %c3 step %c1
// CHECK-NEXT:   %{{.*}} = arith.muli %i, %c-2 : index
// CHECK-NEXT:   [[PLACE:%.*]] = arith.addi %c5, %{{.*}} : index
// CHECK-NEXT:   %value = memref.load %input{{\[}}[[PLACE]]]
// CHECK-NEXT:   memref.store %value, %output[%i]

// -----

// Dimensions that both sides walk alike are one loop: a concatenation along the first axis copies two vectors.

func.func @joined(%a: tensor<2x3xui8>, %b: tensor<1x3xui8>) -> tensor<3x3xui8> {
  %c = nn.concat %a, %b axis 0 : (tensor<2x3xui8>, tensor<1x3xui8>) -> tensor<3x3xui8>
  func.return %c : tensor<3x3xui8>
}
// CHECK:      func.func private @concat_0(%input: memref<6xi8>, %input_1: memref<3xi8>, %output: memref<9xi8>)
// CHECK:      scf.for %i = %c0 to %c6 step %c1
// CHECK-NEXT:   memref.load %input[%i]
// CHECK:      scf.for %i_1 = %c0 to %c3 step %c1
// CHECK:        memref.load %input_1[%i_1]
// CHECK:      func.func @joined(%a: memref<2x3xi8> {nn.dtype = "uint8", pool.io = "input"}

// -----

// A margin: the input's box, then a box of the value for each side.

func.func @padded(%x: tensor<2x2xf32>) -> tensor<3x2xf32> {
  %p = nn.pad %x before [0, 0] after [1, 0] value 0.0 : f32 : (tensor<2x2xf32>) -> tensor<3x2xf32>
  func.return %p : tensor<3x2xf32>
}
// CHECK:      @pad_0
// CHECK:      scf.for %i = %c0 to %c4
// CHECK:      scf.for %{{.*}} = %c0 to %c2
// CHECK:        memref.store %cst, %output
