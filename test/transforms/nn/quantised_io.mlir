// RUN: stillpool-opt -p nn-quantised-io --split-input-file %s | filecheck %s

// Reals at both edges become integers, with scale and zero point; what moves elements goes along.

// CHECK-LABEL: @edges
// CHECK-SAME:    (%x: tensor<1x2x3xi8> {nn.name = "x", nn.scale = array<f32: 5.000000e-01>, nn.zero_point = array<i32: 3>})
// CHECK-SAME:    -> (tensor<3x2xi8> {nn.scale = array<f32: 2.500000e-01>, nn.zero_point = array<i32: -1>})
// CHECK-NEXT:    %t = nn.transpose %x permutation [0, 2, 1] : (tensor<1x2x3xi8>) -> tensor<1x3x2xi8>
// CHECK-NEXT:    %c = nn.clamp %t clamp <0, 9> : (tensor<1x3x2xi8>) -> tensor<1x3x2xi8>
// CHECK-NEXT:    %r = nn.reshape %c : (tensor<1x3x2xi8>) -> tensor<3x2xi8>
// CHECK-NEXT:    func.return %r : tensor<3x2xi8>
func.func @edges(%x: tensor<1x2x3xf32> {nn.name = "x"}) -> tensor<3x2xf32> {
  %t = nn.transpose %x permutation [0, 2, 1] : (tensor<1x2x3xf32>) -> tensor<1x3x2xf32>
  %q = nn.quantize %t scale 0.5 zero_point 3 : (tensor<1x3x2xf32>) -> tensor<1x3x2xi8>
  %c = nn.clamp %q clamp <0, 9> : (tensor<1x3x2xi8>) -> tensor<1x3x2xi8>
  %d = nn.dequantize %c scale 0.25 zero_point -1 : (tensor<1x3x2xi8>) -> tensor<1x3x2xf32>
  %r = nn.reshape %d : (tensor<1x3x2xf32>) -> tensor<3x2xf32>
  func.return %r : tensor<3x2xf32>
}

// -----

// Several that quantise alike are one.

// CHECK-LABEL: @twice
// CHECK-SAME:    (%x: tensor<4xi8> {{.*}}) -> tensor<4xi8>
// CHECK-NEXT:    %s = nn.add %x, %x zero_points
func.func @twice(%x: tensor<4xf32>) -> tensor<4xi8> {
  %a = nn.quantize %x scale 0.5 zero_point 3 : (tensor<4xf32>) -> tensor<4xi8>
  %b = nn.quantize %x scale 0.5 zero_point 3 : (tensor<4xf32>) -> tensor<4xi8>
  %s = nn.add %a, %b zero_points [3, 3, 3] left_shift 20 rescale <[1073741824, 1073741824, 1518500250], [0, -1, -18]> clamp <-128, 127> : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  func.return %s : tensor<4xi8>
}

// -----

// Reals that something else needs stay.

// CHECK-LABEL: @needed
// CHECK-SAME:    (%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi8>, tensor<4xi8>, tensor<4xf32>)
func.func @needed(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi8>, tensor<4xi8>, tensor<4xf32>) {
  %a = nn.quantize %x scale 0.5 zero_point 3 : (tensor<4xf32>) -> tensor<4xi8>
  %b = nn.quantize %y scale 0.5 zero_point 3 : (tensor<4xf32>) -> tensor<4xi8>
  %c = nn.quantize %y scale 0.25 zero_point 3 : (tensor<4xf32>) -> tensor<4xi8>
  %s = nn.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %s, %b, %c, %s : tensor<4xf32>, tensor<4xi8>, tensor<4xi8>, tensor<4xf32>
}

// -----

// An output that is also read inside is reals there and integers outside; one that is returned twice is so twice.

// CHECK-LABEL: @read
// CHECK-SAME:    (%q: tensor<4xi8>) -> (tensor<4xi8> {{.*}}, tensor<4xi8> {{.*}}, tensor<4xf32>)
// CHECK:         func.return %q, %q, %s : tensor<4xi8>, tensor<4xi8>, tensor<4xf32>
func.func @read(%q: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %d = nn.dequantize %q scale 0.25 zero_point -1 : (tensor<4xi8>) -> tensor<4xf32>
  %s = nn.add %d, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %d, %d, %s : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
