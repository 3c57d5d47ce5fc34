// RUN: stillpool-opt -p nn-clean-up --split-input-file %s | filecheck %s
// RUN: stillpool-opt -p "nn-clean-up{off=all}" --split-input-file %s | filecheck %s --check-prefix=OFF

// A margin of zero points becomes the convolution's padding, a clamp its activation.

// CHECK-LABEL: @padded
// CHECK-NEXT:    %r = nn.conv2d %x, %w strides [1, 1] pads [1, 2, 1, 0] dilations [1, 1] clamp <0.0, 6.000000000e+00>
// CHECK-NEXT:    func.return
// OFF-LABEL: @padded
// OFF:         nn.pad
// OFF:         nn.clamp
func.func @padded(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x6x4x3xf32> {
  %p = nn.pad %x before [0, 1, 1, 0] after [0, 2, 0, 0] value 0.0 : f32 : (tensor<1x4x4x2xf32>) -> tensor<1x7x5x2xf32>
  %c = nn.conv2d %p, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x7x5x2xf32>, tensor<3x2x2x2xf32>) -> tensor<1x6x4x3xf32>
  %r = nn.clamp %c clamp <0.0, 6.0> : (tensor<1x6x4x3xf32>) -> tensor<1x6x4x3xf32>
  func.return %r : tensor<1x6x4x3xf32>
}

// -----

// A margin of another value stays.

// CHECK-LABEL: @other_margin
// CHECK:         nn.pad
func.func @other_margin(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x5x5x3xf32> {
  %p = nn.pad %x before [0, 1, 1, 0] after [0, 1, 1, 0] value 1.0 : f32 : (tensor<1x4x4x2xf32>) -> tensor<1x6x6x2xf32>
  %c = nn.conv2d %p, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x6x6x2xf32>, tensor<3x2x2x2xf32>) -> tensor<1x5x5x3xf32>
  func.return %c : tensor<1x5x5x3xf32>
}

// -----

// A clamp whose input somebody else reads stays.

// CHECK-LABEL: @read_twice
// CHECK:         nn.clamp
func.func @read_twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = nn.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = nn.clamp %a clamp <0.0, inf> : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a, %r : tensor<4xf32>, tensor<4xf32>
}

// -----

// Of two clamps in a row the first one's bounds are brought into the second's.

// CHECK-LABEL: @clamped_twice
// CHECK-NEXT:    nn.clamp %x clamp <3, 5>
// CHECK-NEXT:    func.return
func.func @clamped_twice(%x: tensor<4xi8>) -> tensor<4xi8> {
  %a = nn.clamp %x clamp <-7, 5> : (tensor<4xi8>) -> tensor<4xi8>
  %b = nn.clamp %a clamp <3, 9> : (tensor<4xi8>) -> tensor<4xi8>
  func.return %b : tensor<4xi8>
}

// -----

// What has bounds only as part of its scaling takes no clamp where it has no scale; sums of floats take one.

// CHECK-LABEL: @without_scale
// CHECK-NEXT:    %m = nn.mean %x axes [1] : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT:    %a = nn.clamp %m
// CHECK-NEXT:    %l = nn.leaky_relu %x alpha 5.000000e-01 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    %b = nn.clamp %l
// CHECK-NEXT:    %c = nn.cumulative_sum %x axis 1 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    %d = nn.clamp %c
// CHECK-NEXT:    %e = nn.add_n %x, %x clamp <0.0, inf>
// CHECK-NEXT:    func.return
func.func @without_scale(%x: tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %m = nn.mean %x axes [1] : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %a = nn.clamp %m clamp <0.0, inf> : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %l = nn.leaky_relu %x alpha 0.5 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %b = nn.clamp %l clamp <0.0, inf> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = nn.cumulative_sum %x axis 1 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %d = nn.clamp %c clamp <0.0, inf> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %s = nn.add_n %x, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %e = nn.clamp %s clamp <0.0, inf> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %a, %b, %d, %e : tensor<2x1xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// Movements that leave all elements in place are reshapes, of which only the last counts; two permutations are one.

// CHECK-LABEL: @in_place
// CHECK-NEXT:    [[FLAT:%.*]] = nn.reshape %x : (tensor<1x4x3xi16>) -> tensor<12xi16>
// CHECK-NEXT:    [[TURNED:%.*]] = nn.transpose %y permutation [2, 0, 1]
// CHECK-NEXT:    func.return [[FLAT]], [[TURNED]]
func.func @in_place(%x: tensor<1x4x3xi16>, %y: tensor<2x3x4xi16>) -> (tensor<12xi16>, tensor<4x2x3xi16>) {
  %t = nn.transpose %x permutation [1, 0, 2] : (tensor<1x4x3xi16>) -> tensor<4x1x3xi16>
  %s = nn.slice %t begin [0, 0, 0] step [1, 1, 1] : (tensor<4x1x3xi16>) -> tensor<4x1x3xi16>
  %f = nn.reshape %s : (tensor<4x1x3xi16>) -> tensor<12xi16>
  %u = nn.transpose %y permutation [1, 2, 0] : (tensor<2x3x4xi16>) -> tensor<3x4x2xi16>
  %v = nn.transpose %u permutation [1, 2, 0] : (tensor<3x4x2xi16>) -> tensor<4x2x3xi16>
  func.return %f, %v : tensor<12xi16>, tensor<4x2x3xi16>
}

// -----

// There and back by the same scale is nothing; by another one it is not.

// CHECK-LABEL: @there_and_back
// CHECK-NEXT:    [[REAL:%.*]] = nn.dequantize %x
// CHECK-NEXT:    [[OTHER:%.*]] = nn.quantize [[REAL]] scale 2.500000e+00
// CHECK-NEXT:    func.return %x, [[OTHER]]
func.func @there_and_back(%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %d = nn.dequantize %x scale 0.5 zero_point 3 : (tensor<4xi8>) -> tensor<4xf32>
  %q = nn.quantize %d scale 0.5 zero_point 3 : (tensor<4xf32>) -> tensor<4xi8>
  %r = nn.quantize %d scale 2.5 zero_point 3 : (tensor<4xf32>) -> tensor<4xi8>
  func.return %q, %r : tensor<4xi8>, tensor<4xi8>
}

// -----

// A rescale that keeps scale and zero point only clamps; to the type's range it is nothing.

// CHECK-LABEL: @by_one
// CHECK-NEXT:    [[POSITIVE:%.*]] = nn.clamp %x clamp <4, 127>
// CHECK-NEXT:    func.return [[POSITIVE]], %x
func.func @by_one(%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %r = nn.rescale %x zero_points [4, 4] rescale <[1073741824], [1]> clamp <4, 127> : (tensor<4xi8>) -> tensor<4xi8>
  %s = nn.rescale %x zero_points [4, 4] rescale <[1073741824], [1]> clamp <-128, 127> : (tensor<4xi8>) -> tensor<4xi8>
  func.return %r, %s : tensor<4xi8>, tensor<4xi8>
}

// -----

// Shape arithmetic is done; weights are dequantised once.

// CHECK-LABEL: @folded
// CHECK-DAG:     nn.constant {{.*}}dense<[8, 3]> : tensor<2xi32>
// CHECK-DAG:     nn.constant {{.*}}dense<[-1.000000e+00, 5.000000e-01]> : tensor<2xf32>
// CHECK-NOT:     nn.mul
// CHECK-NOT:     nn.dequantize
func.func @folded() -> (tensor<2xi32>, tensor<2xf32>) {
  %a = nn.constant dense<[4, 3]> : tensor<2xi32>
  %b = nn.constant dense<[2, 1]> : tensor<2xi32>
  %m = nn.mul %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %w = nn.constant dense<[1, 4]> : tensor<2xi8>
  %d = nn.dequantize %w scale 0.5 zero_point 3 : (tensor<2xi8>) -> tensor<2xf32>
  func.return %m, %d : tensor<2xi32>, tensor<2xf32>
}

// -----

// Equal operations and constants stand once, whatever their names; dead ones not at all.

// CHECK-LABEL: @equal
// CHECK-NEXT:    [[K:%.*]] = nn.constant
// CHECK-NEXT:    [[E:%.*]] = nn.unary exp %x
// CHECK-NEXT:    [[P:%.*]] = nn.mul [[E]], [[K]]
// CHECK-NEXT:    [[Q:%.*]] = nn.add [[P]], [[E]]
// CHECK-NEXT:    func.return [[Q]]
func.func @equal(%x: tensor<2xf32>) -> tensor<2xf32> {
  %k = nn.constant {nn.name = "one"} dense<[1.5, 2.5]> : tensor<2xf32>
  %l = nn.constant {nn.name = "other"} dense<[1.5, 2.5]> : tensor<2xf32>
  %e = nn.unary exp %x {nn.origin = #nn.origin<0, "EXP", "a">} : (tensor<2xf32>) -> tensor<2xf32>
  %f = nn.unary exp %x {nn.origin = #nn.origin<1, "EXP", "b">} : (tensor<2xf32>) -> tensor<2xf32>
  %p = nn.mul %e, %k : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %q = nn.add %p, %f : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %dead = nn.sub %l, %f : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %q : tensor<2xf32>
}
